package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Proves which inputs a plan takes from which results, and what it asks for. */
class OwnPlanInputsTest extends OwnPlanCase {
    /** A comparison of cache modes is a pair in one file: of each mode the block of the median. */
    @Test
    void aComparisonOfCacheModesIsAPair() throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode both = (ObjectNode)
                json.readTree(folder.resolve("on/qualification.json").toFile());
        ArrayNode caches = both.putArray("caches");
        both.putArray("phases");
        int[] rates = {10, 30, 20};
        List<String> modes = List.of("off", "all", "metadata");
        for (String mode : modes) {
            ArrayNode rounds = caches.addObject().put("cache", mode).putArray("rounds");
            for (int round = 1; round <= rates.length; round++) {
                String from = mode.equals("off") ? "off" : "on";
                ObjectNode performance = (ObjectNode) json.readTree(
                                folder.resolve(from + "/qualification.json").toFile())
                        .at("/phases/0");
                performance.put(
                        "achieved_iops", 100 * (1 + modes.indexOf(mode)) + rates[round - 1]);
                performance.put("round", round);
                performance.putObject("rows").put("transactions_per_s", rates[round - 1]);
                rounds.add(performance);
            }
        }
        write("both/qualification.json", both.toString());
        Plan plan = own(read("both"), given("users", 400, "drives", 10, "disk_iops", 100));
        assertThat(value(plan, "drive_iops_off")).isEqualTo(12);
        assertThat(value(plan, "drive_iops_on")).isEqualTo(22);
    }

    /** What qualify predicts for caches of other sizes is there for the third step. */
    @Test
    void theCurveOfCachesIsTaken() throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode one = (ObjectNode)
                json.readTree(folder.resolve("on/qualification.json").toFile());
        ArrayNode points = ((ObjectNode) one.at("/phases/0"))
                .putObject("cache_profile")
                .putArray("points");
        points.addObject().put("cache_bytes", 25_600_000L).put("hit_ratio", 0.2);
        points.addObject().put("cache_bytes", 256_000_000L).put("hit_ratio", 0.5);
        points.addObject().put("cache_bytes", 1L).putNull("hit_ratio");
        write("profiled/qualification.json", one.toString());
        assertThat(read("profiled").curves()).containsKey(PlanInputs.PROFILE_CURVE);
    }

    /** In a closed loop a slow answer holds back what comes after it: its p99 is no latency. */
    @Test
    void theResponseTimeOfAClosedLoopIsNoLatency() throws IOException {
        hub("\"asked_rate\": \"max\"");
        Collected closed = read("conditions");
        assertThat(closed.curves()).doesNotContainKey(PlanInputs.HUB_CURVE);
        assertThat(closed.warnings())
                .anyMatch(warning -> warning.contains("set aside")
                        && warning.contains("run --rate N, --rate max-sustained or --knee"));
        assertThatThrownBy(() -> own(
                        closed.with(given("messages_sent_per_user_day", 10, "peak_factor", 1)),
                        given("users", 10, "accept_latency_limit_ms", 250)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("closed loop");
        hub("\"asked_rate\": \"5000/s\"");
        Plan open = own(
                read("conditions").with(given("messages_sent_per_user_day", 10, "peak_factor", 1)),
                given("users", 10, "accept_latency_limit_ms", 250));
        assertThat(value(open, "hub_msgs_at_limit")).isEqualTo(5000);
        assertThat(open.notes(SizingSteps.HUB_MSGS_AT_LIMIT)).hasSize(1);
    }

    /** Drives differ ten thousandfold: none is assumed. */
    @Test
    void theIoOfADriveIsAskedFor() {
        for (Collected said : List.of(
                given("users", 1000, "iops_per_user", 1),
                given("drives", 4, "iops_per_user", 1),
                given("users", 10, "iops_per_user", 1, "mailbox_mb", 1, "disk_gb", 9))) {
            assertThatThrownBy(() -> own(read(), said))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("give --disk-iops N");
        }
        assertThatThrownBy(() -> own(read("on"), given("users", 10, "drives", 4)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--set drives_measured=N");
    }

    @Test
    void thePeakOfADayIsAskedFor() {
        assertThatThrownBy(() -> own(read("on", "users"), given("users", 1000)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("give --peak-factor N");
        assertThat(value(own(read("on", "users"), given("peak_factor", 3)), "user_msgs_per_s"))
                .isCloseTo(3 * 10 / 36_000.0, within(1e-12));
    }

    /** The smaller rate is taken, and shared by the disks below the volume. */
    @Test
    void aProbeGivesTheIoOfADrive() throws IOException {
        String probe = """
                {"volume": {"path": "/srv", "media": ["sda", "sdb"]}, "direct_io": DIRECT,
                 "emulated": false, "block_bytes": 4096,
                 "random_write": {"rate_per_second": 200.0}, "random_read": {"rate_per_second": 300.0}}
                """;
        write("probed/probe.json", probe.replace("DIRECT", "true"));
        Collected probed = read("probed");
        assertThat(probed.warnings()).singleElement().asString().contains("blocks of 4096 octets");
        Plan plan = own(probed, given("users", 1000, "iops_per_user", 1, "headroom_percent", 0));
        assertThat(value(plan, "drive_iops_used")).isEqualTo(100);
        assertThat(value(plan, "drives_needed")).isEqualTo(13);
        Plan given = own(probed, given("users", 1000, "iops_per_user", 1, "disk_iops", 50));
        assertThat(value(given, "drive_iops_used")).isEqualTo(50);
        write("memory/probe.json", probe.replace("DIRECT", "false"));
        assertThatThrownBy(() -> read("memory"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("of memory");
    }

    /**
     * 120 writes a second of the databases were 600 I/O of four disks besides its 180 reads and 20 of
     * maintenance: 5 for a write, as RAID 5 has 4 and a little.
     */
    @Test
    void disksGiveTheirNumberAndThePenaltyOfAWrite() throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode one = (ObjectNode)
                json.readTree(folder.resolve("on/qualification.json").toFile());
        ObjectNode volume = one.putObject("environment")
                .putArray("volumes")
                .addObject()
                .put("role", "database");
        ArrayNode disks = volume.putObject("storage").putArray("disks");
        ObjectNode performance = (ObjectNode) one.at("/phases/0");
        ArrayNode devices = performance.putArray("devices");
        for (String disk : List.of("sda", "sdb", "sdc", "sdd")) {
            disks.addObject().put("device", disk);
            devices.addObject()
                    .put("device", disk)
                    .put("reads_per_s", 125)
                    .put("writes_per_s", 75)
                    .putArray("roles")
                    .add("database");
        }
        ((ObjectNode) performance.at("/instances/0")).put("maintenance_reads_per_s", 20);
        write("array/qualification.json", one.toString());
        Plan plan = own(read("array"), given("users", 1000, "headroom_percent", 0));
        assertThat(plan.value(PlanInputs.DRIVES_MEASURED)).isEqualTo(4);
        assertThat(plan.value(PlanInputs.RAID_WRITE_PENALTY)).isCloseTo(5, within(1e-9));
        assertThat(assumptions(plan, "drives_needed")).doesNotContain("raid_write_penalty");
        // 333.3 I/O of the databases within 20 ms, 2.6 I/O of four disks for each; 500 are asked
        // for.
        assertThat(value(plan, "drive_iops_used"))
                .isCloseTo((300 + 100 / 3.0) * 2.6 / 4, within(1e-9));
        assertThat(value(plan, "drives_needed")).isEqualTo(6);
    }

    /** The large writes of such databases are no writes of pages: 70 % of reads stay assumed. */
    @Test
    void writesOfAnotherEngineAreNoWritesOfPages() throws IOException {
        Path file = folder.resolve("on/qualification.json");
        Files.writeString(file, Files.readString(file).replace("\"pages\"", "\"lsm\""));
        Collected measured = read("on");
        assertThat(measured.warnings()).singleElement().asString().contains("engine lsm");
        Plan plan = own(measured, given("users", 1000, "drives_measured", 2));
        assertThat(assumptions(plan, "drive_ios_per_io")).contains("db_read_percent");
        assertThat(value(plan, "drive_ios_per_io")).isCloseTo(1.3, within(1e-9));
        assertThat(value(plan, "drive_iops_measured"))
                .isCloseTo((300 + 100 / 3.0) * 1.4 / 2, within(1e-9));
    }

    /** 5,000 messages a second with three recipients, of which four fifths were handed on: 12,000. */
    @Test
    void deliveriesAndMailFromOutsideLimitToo() throws IOException {
        String handedOn = """
                "asked_rate": "5000/s", "deliver": "DELIVER", "recipients": 3,
                "accepted_msgs": 1000, "delivered_msgs": 800
                """;
        hub(handedOn.replace("DELIVER", "smtp://127.0.0.1:25"));
        Collected said = given(
                "users", 36_000,
                "peak_factor", 1,
                "day_h", 10,
                "messages_sent_per_user_day", 1000,
                "messages_received_per_user_day", 20_000,
                "outside_percent", 30);
        Plan plan = own(read("conditions"), said);
        assertThat(plan.value(PlanInputs.HUB_DELIVERIES_PER_S)).isCloseTo(12_000, within(1e-9));
        // 1,000 sent and 6,000 from outside.
        assertThat(value(plan, "messages_per_s")).isCloseTo(7000, within(1e-9));
        assertThat(value(plan, "users_by_messages")).isCloseTo(36_000 * 5 / 7.0, within(1e-6));
        assertThat(value(plan, "users_by_deliveries")).isCloseTo(36_000 * 0.6, within(1e-6));
        assertThat(value(plan, "users_held")).isEqualTo(21_600);
        assertThat(value(plan, "hubs_needed")).isEqualTo(2);
        assertThat(PlanAnswer.of(plan))
                .contains("deliveries a second, 20,000 deliveries/s needed, 12,000 deliveries/s"
                        + " there: not met");
        hub(handedOn.replace("DELIVER", "discard"));
        Plan discarded = own(read("conditions"), said);
        assertThat(discarded.isKnown(PlanInputs.HUB_DELIVERIES_PER_S)).isFalse();
        assertThat(discarded.notes(SizingSteps.USERS_HELD_EXACT))
                .contains("not counted: users whose received mail the hub delivers (unknown)");
    }

    /** 100 users more take 20 % of four cores at ten times the pace, and 95.367 MiB. */
    @Test
    void twoLevelsOfUsersGiveCoresAndMemory() throws IOException {
        String levels = """
                {"schema": 1, "valid": true, "settings": {"day": "8h", "compress": 10.0},
                 "server_environment": {"logical_cores": 4},
                 "levels": [
                  {"users": 100, "resources": {"server_cpu_percent": 10.0,
                   "server_cpu_percent_ci95": {"low": 9.0, "high": 11.0},
                   "available_memory_mb": 1000.0}},
                  {"users": 200, "resources": {"server_cpu_percent": MORE,
                   "server_cpu_percent_ci95": {"low": 29.0, "high": 31.0},
                   "available_memory_mb": 904.632568359375}}]}
                """;
        write("two/users.json", levels.replace("MORE", "30.0"));
        Plan plan =
                own(read("two"), given("users", 1000, "peak_factor", 2, "cpu_limit_percent", 100));
        assertThat(plan.value(PlanInputs.SERVER_CORES_PER_USER)).isCloseTo(0.0008, within(1e-12));
        assertThat(value(plan, "users_per_core")).isCloseTo(625, within(1e-6));
        assertThat(value(plan, "server_cores_needed")).isCloseTo(1.6, within(1e-9));
        assertThat(value(plan, "server_memory_gb_needed")).isCloseTo(1, within(1e-6));
        write("two/users.json", levels.replace("MORE", "9.0"));
        Collected noMore = read("two");
        assertThat(noMore.numbers()).doesNotContainKey(PlanInputs.SERVER_CORES_PER_USER);
        assertThat(noMore.warnings())
                .singleElement()
                .asString()
                .contains("no more was used by more users");
    }
}
