package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.plan.MadeResults.Counted;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

/** Proves which inputs a plan takes from which results, and what it asks for. */
class OwnPlanInputsTest extends OwnPlanCase {
    /** A comparison of cache modes is a pair in one file: of each mode the block of the median. */
    @Test
    void aComparisonOfCacheModesIsAPair() throws IOException {
        new MadeResults.Storage()
                .cache("off", round(10), round(30), round(20))
                .cache("all", round(110), round(130), round(120))
                .cache("metadata", round(210), round(230), round(220))
                .write(folder.resolve("both"));
        Plan plan = own(read("both"), given("users", 400, "drives", 10, "disk_iops", 100));
        assertThat(value(plan, "drive_iops_off")).isEqualTo(2);
        assertThat(value(plan, "drive_iops_on")).isEqualTo(12);
    }

    private static Counted round(int rate) {
        return new Counted(rate, 0, 5, rate);
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
        List<String> names = List.of("sda", "sdb", "sdc", "sdd");
        Repeat.Builder performance = new Counted(180, 120, 15, 100, 0, 20).phase();
        performance.parts(
                PhaseFigures.DEVICES,
                names.stream()
                        .map(name -> Repeat.counted()
                                .name(PhaseFigures.DEVICE, name)
                                .name(VolumeFigures.ROLES, List.of("database"))
                                .count(InstanceFigures.COLLECTION_NS, 1e9)
                                .count(PhaseFigures.READS, 125)
                                .count(PhaseFigures.WRITES, 75)
                                .made())
                        .toList());
        Storage disks = new Storage(
                null,
                null,
                null,
                null,
                null,
                names.stream()
                        .map(name -> new Storage.Disk(
                                name, null, null, null, null, null, null, null, null, null))
                        .toList());
        new MadeResults.Storage()
                .volumes(List.of(new VolumeDisclosure(
                        "database",
                        "/db",
                        "md0",
                        "ext4",
                        "rw",
                        new VolumeDisclosure.Disk(null, null, null),
                        1L,
                        null,
                        new VolumeDisclosure.Sync(null, null),
                        null,
                        disks)))
                .performance(performance)
                .write(folder.resolve("array"));
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
