package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.machine.volumes.Volumes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
    void countsGuestTimeOnce() {
        MachineCpu cpu = MachineCpu.parse(
                "cpu  100 10 20 1000 50 1 2 3 40 5\ncpu0 60 6 12 600 30 1 2 3 40 5\n");
        assertThat(cpu.busyTicks()).isEqualTo(100 + 10 + 20 + 1 + 2 + 3);
        assertThat(cpu.totalTicks()).isEqualTo(136 + 1050);
        assertThat(cpu.stealTicks()).isEqualTo(3);
        assertThat(cpu.interruptTicks()).isEqualTo(1 + 2);
        assertThat(cpu.coreTicks()).containsExactly(Map.entry(0, 60L + 6 + 12 + 1 + 2));
        assertThat(MachineCpu.parse(HostFiles.HERE.text("proc/stat")).totalTicks())
                .isPositive();
    }

    @Test
    void countsLoopbackApart(@TempDir Path folder) throws IOException {
        for (String file : List.of("net/dev", "vmstat", "meminfo")) {
            Files.createDirectories(folder.resolve("proc").resolve(file).getParent());
        }
        Files.writeString(folder.resolve("proc/net/dev"), """
                Inter-|   Receive                                                |  Transmit
                 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs
                    lo: 5000 1 0 0 0 0 0 0 5000 1 0 0 0 0 0 0
                  eth0: 300 1 0 0 0 0 0 0 70 1 0 0 0 0 0 0
                  eth1:20 1 0 0 0 0 0 0 8 1 0 0 0 0 0 0
                """);
        Files.writeString(folder.resolve("proc/vmstat"), "pswpout 3\npgfault 99\npgmajfault 4\n");
        Files.writeString(
                folder.resolve("proc/meminfo"), "MemTotal: 9 kB\nMemAvailable:    7 kB\n");
        HostFiles host = HostFiles.at(folder);
        assertThat(SystemCounters.of(host))
                .isEqualTo(new SystemCounters(7 * 1024L, 7L, 320L, 78L, 5000L));
        assertThat(SystemCounters.of(HostFiles.at(folder.resolve("nowhere"))))
                .isEqualTo(new SystemCounters(null, null, null, null, null));
        assertThat(SystemCounters.of(HostFiles.HERE).availableBytes()).isPositive();
    }

    @Test
    void readsDiskCountersOfThatDeviceOnly() {
        String diskstats = """
                   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
                 254       1 vda1 1 2 3 4 5 6 7 8 9 10 11
                 254       0 vda 75516 10826 4731378 38568 31538 13347 3324960 10129 0 8668 49367 8633 35 738160 530 4024 139
                """;
        assertThat(DiskCounters.parse(diskstats, "vda"))
                .isEqualTo(new DiskCounters(
                        75516,
                        4731378L * 512,
                        38568,
                        31538,
                        3324960L * 512,
                        10129,
                        8668,
                        49367,
                        4024L,
                        139L));
        assertThat(DiskCounters.parse(diskstats, "vd")).isNull();
        // A line of before 2.6.25, without all fields.
        assertThat(DiskCounters.parse(diskstats, "vda1")).isNotNull();
    }

    /** As Linux shows the path to a multipath NVMe disk, an old md array, and a disk. */
    @Test
    void aDeviceThatCountsNothingHasNoCounters() {
        String diskstats = """
                 259       0 nvme0n1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
                   9       0 md0 812 0 90210 0 150000 0 9000000 0 0 0 0
                   8       0 sda 812 0 90210 40 150000 0 9000000 75000 0 60000 90000
                """;
        assertThat(DiskCounters.parse(diskstats, "nvme0n1")).isNull();
        DiskCounters array = Objects.requireNonNull(DiskCounters.parse(diskstats, "md0"));
        assertThat(array.writes()).isEqualTo(150_000);
        assertThat(array.timed()).isFalse();
        assertThat(Objects.requireNonNull(DiskCounters.parse(diskstats, "sda")).timed())
                .isTrue();
        // A device that was just made has done too little to tell.
        assertThat(new DiskCounters(1, 0, 0, 999, 0, 0, 0, 0).timed()).isTrue();
    }

    @Test
    void looksAtThisMachine(@TempDir Path folder) throws IOException {
        Volume volume = Volumes.inspect("log", folder);
        assertThat(volume.filesystem()).isNotNull();
        assertThat(volume.freeBytes()).isPositive();
        Environment machine = Machine.inspect(List.of(volume));
        assertThat(machine.processor().logicalCores()).isPositive();
        assertThat(machine.memoryBytes()).isPositive();
        assertThat(Machine.clockMhz("cpu MHz\t\t: 2000.0\nx : 1\ncpu MHz\t\t: 3000.0\n"))
                .isEqualTo(2500);
        assertThat(Machine.clockMhz("processor : 0\n")).isNull();
    }
}
