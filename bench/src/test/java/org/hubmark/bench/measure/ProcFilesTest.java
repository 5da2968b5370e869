package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.results.Results;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Proves on captured text, and on this machine, that the kernel's files are read right. */
class ProcFilesTest {
    @Test
    void readsCpuTimeOfAProcessWhateverItsName() {
        String stat = "4711 (a) b (c) S 1 2 3 0 -1 4194304 99 0 0 0 1234 56 7 8 20 0 1 0 17 31 39";
        assertThat(ProcessCpu.parse(stat)).isEqualTo((1234 + 56) * 10_000_000L);
        assertThat(ProcessCpu.nanos(ProcessHandle.current().pid())).isPositive();
        assertThat(ProcessCpu.nanos(Integer.MAX_VALUE)).isNull();
    }

    @Test
    void countsGuestTimeOnce() throws IOException {
        MachineCpu cpu = MachineCpu.parse("cpu  100 10 20 1000 50 1 2 3 40 5\ncpu0 1 2 3\n");
        assertThat(cpu.busyTicks()).isEqualTo(100 + 10 + 20 + 1 + 2 + 3);
        assertThat(cpu.totalTicks()).isEqualTo(136 + 1050);
        assertThat(MachineCpu.read().totalTicks()).isPositive();
    }

    @Test
    void readsDiskCountersOfThatDeviceOnly() {
        String diskstats = """
                   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
                 254       1 vda1 1 2 3 4 5 6 7 8 9 10 11
                 254       0 vda 75516 10826 4731378 38568 31538 13347 3324960 10129 0 8668 49367 8633 35 738160 530 4024 139
                """;
        assertThat(DiskCounters.parse(diskstats, "vda"))
                .isEqualTo(new DiskCounters(75516, 31538, 3324960L * 512, 10129, 8668, 49367));
        assertThat(DiskCounters.parse(diskstats, "vd")).isNull();
        // A line of before 2.6.25, without all fields.
        assertThat(DiskCounters.parse(diskstats, "vda1")).isNotNull();
    }

    @Test
    void findsTheMountOfAPath() {
        String mountinfo = """
                27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
                40 27 7:1 / /mnt/my\\040disk rw,noatime shared:7 - xfs /dev/loop1 rw,nobarrier
                41 27 0:9 / /mnt/my rw - tmpfs tmpfs rw
                """;
        assertThat(Mount.parse(mountinfo, Path.of("/mnt/my disk/log")))
                .isEqualTo(new Mount(
                        Path.of("/mnt/my disk"), "xfs", "/dev/loop1", "rw,noatime,nobarrier"));
        assertThat(Objects.requireNonNull(Mount.parse(mountinfo, Path.of("/mnt/mystery")))
                        .filesystem())
                .isEqualTo("ext4");
        assertThat(Objects.requireNonNull(Mount.parse(mountinfo, Path.of("/mnt/my/x")))
                        .filesystem())
                .isEqualTo("tmpfs");
    }

    @Test
    void seesWhichVolumesShareADevice() {
        assertThat(Instruments.ownDevice("log", volumes("sda", "sdb", "sdb"))).isEqualTo("sda");
        assertThat(Instruments.ownDevice("queue", volumes("sda", "sdb", "sdb"))).isNull();
        assertThat(Instruments.ownDevice("queue", volumes("sda", "sda", "sdb"))).isNull();
        assertThat(Instruments.ownDevice("log", volumes(null, "sda", "sdb"))).isNull();
        assertThat(Instruments.ownDevice("log", List.of())).isNull();
    }

    @Test
    void looksAtThisMachine(@TempDir Path folder) throws IOException {
        Results.Volume volume = Volumes.inspect("log", folder);
        assertThat(volume.filesystem()).isNotNull();
        assertThat(volume.freeBytes()).isPositive();
        Results.Environment machine = Machine.inspect(List.of(volume));
        assertThat(machine.logicalCores()).isPositive();
        assertThat(machine.memoryBytes()).isPositive();
        assertThat(Machine.clockMhz("cpu MHz\t\t: 2000.0\nx : 1\ncpu MHz\t\t: 3000.0\n"))
                .isEqualTo(2500);
        assertThat(Machine.clockMhz("processor : 0\n")).isNull();
    }

    @Test
    void readsPrometheusText() {
        HubMetrics before = HubMetrics.parse("# HELP a x\na_total 1.0\ng{x=\"a b\"} 2 17\n");
        HubMetrics after = HubMetrics.parse(
                "a_total 5.0\ng{x=\"a b\"} 2\ng{x=\"}\"} 3\nlater_total 4\nbad{ +Inf\n");
        assertThat(after.get("g")).isEqualTo(5.0);
        assertThat(after.since(before, "a_total")).isEqualTo(4.0);
        assertThat(after.since(before, "later_total")).isEqualTo(4.0);
        assertThat(after.since(before, "never")).isNull();
    }

    private static List<Results.Volume> volumes(
            @Nullable String log, String queue, String tracking) {
        return List.of(volume("log", log), volume("queue", queue), volume("tracking", tracking));
    }

    private static Results.Volume volume(String role, @Nullable String device) {
        return new Results.Volume(
                role, "/" + role, device, null, null, null, null, null, null, null, null, null);
    }
}
