package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.plan.MadeResults.Counted;
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
    void thePeakOfADayIsNotAssumed() {
        Plan plan = own(read("on", "users"), given("users", 1000));
        assertThat(plan.lacks(PlanSteps.of("messages_per_s")))
                .containsExactly(PlanInputs.PEAK_FACTOR);
        assertThat(value(own(read("on", "users"), given("peak_factor", 3)), "user_msgs_per_s"))
                .isCloseTo(3 * 10 / 36_000.0, within(1e-12));
    }

    @Test
    void theDisksBelowTheDatabasesAreCounted() throws IOException {
        List<String> names = List.of("sda", "sdb", "sdc", "sdd");
        Storage disks = new Storage(
                null,
                null,
                null,
                null,
                names.stream()
                        .map(name -> new Storage.Disk(
                                name, null, null, null, null, null, null, null, null, null, null))
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
                        disks)))
                .performance(new Counted(180, 120, 15, 100).phase())
                .write(folder.resolve("array"));
        Plan plan = own(read("array"), given("users", 1000, "headroom_percent", 0));
        assertThat(plan.value(PlanInputs.DRIVES_MEASURED)).isEqualTo(4);
        // 300 I/O of the databases within 20 ms, 1.4 I/O of four disks for each; 500 are asked for.
        assertThat(value(plan, "drive_iops_used")).isCloseTo(300 * 1.4 / 4, within(1e-9));
        assertThat(value(plan, "drives_needed")).isEqualTo(7);
    }
}
