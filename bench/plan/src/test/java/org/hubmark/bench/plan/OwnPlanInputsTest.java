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
        ArrayNode points =
                ((ObjectNode) one.at("/phases/0")).putObject("cache_profile").putArray("points");
        points.addObject().put("cache_bytes", 25_600_000L).put("hit_ratio", 0.2);
        points.addObject().put("cache_bytes", 256_000_000L).put("hit_ratio", 0.5);
        points.addObject().put("cache_bytes", 1L).putNull("hit_ratio");
        write("profiled/qualification.json", one.toString());
        assertThat(read("profiled").curves()).containsKey(PlanInputs.PROFILE_CURVE);
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
                .hasMessageContaining("give --set peak_factor=N");
        assertThat(value(own(read("on", "users"), given("peak_factor", 3)), "user_msgs_per_s"))
                .isCloseTo(3 * 10 / 36_000.0, within(1e-12));
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

    /** 1,000 sent and 6,000 of 20,000 received come from outside. */
    @Test
    void mailFromOutsideIsTakenInToo() {
        Plan plan = own(
                read("on"),
                given(
                        "users", 36_000,
                        "peak_factor", 1,
                        "day_h", 10,
                        "messages_sent_per_user_day", 1000,
                        "messages_received_per_user_day", 20_000,
                        "outside_percent", 30));
        assertThat(value(plan, "messages_per_s")).isCloseTo(7000, within(1e-9));
        assertThat(value(plan, "deliveries_per_s")).isCloseTo(20_000, within(1e-9));
    }
}
