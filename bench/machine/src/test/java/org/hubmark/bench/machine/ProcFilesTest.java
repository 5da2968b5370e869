package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.jspecify.annotations.Nullable;
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
        assertThat(ProcessStat.parse(stat).ownTicks()).isEqualTo(1234 + 56);
        assertThat(ProcessCpu.nanos(ProcessHandle.current().pid())).isPositive();
        assertThat(ProcessCpu.nanos(Integer.MAX_VALUE)).isNull();
    }

    @Test
    void countsGuestTimeOnce() {
        MachineCpu cpu = MachineCpu.parse(
                "cpu  100 10 20 1000 50 1 2 3 40 5\ncpu0 60 6 12 600 30 1 2 3 40 5\n", null);
        assertThat(cpu.busyTicks()).isEqualTo(100 + 10 + 20 + 1 + 2 + 3);
        assertThat(cpu.totalTicks()).isEqualTo(136 + 1050);
        assertThat(cpu.stealTicks()).isEqualTo(3);
        assertThat(cpu.coreTicks()).containsExactly(Map.entry(0, 60L + 6 + 12 + 1 + 2));
        assertThat(MachineCpu.of(HostFiles.HERE).totalTicks()).isPositive();
    }

    /**
     * A hub at 500 messages/s, as this was seen: in 10 s its processes used 3.9 s on two cores, of which the
     * ticks found 1.4 s; the idle times of the cores lack what they used.
     */
    @Test
    void countsWhatTheTicksMiss(@TempDir Path folder) throws IOException {
        MachineCpu before = machine(folder, "50000.00", 2_000, 40_000, 2_100, 41_000);
        MachineCpu after = machine(folder, "50010.01", 2_070, 40_800, 2_170, 41_810);
        assertThat(MachineCpu.growth(before, after, MachineCpu::busyTicks))
                .isEqualTo(2_002 - 1_610);
        assertThat(MachineCpu.growth(before, after, MachineCpu::totalTicks)).isEqualTo(2_002);
        assertThat(after.coreTicks())
                .containsEntry(0, 5_001_001L - 40_800)
                .containsEntry(1, 5_001_001L - 41_810);
        // Cut to whole ticks an idle core may have been idle for longer than time passed.
        MachineCpu idle = machine(folder, "50020.02", 2_070, 41_802, 2_170, 42_812);
        assertThat(MachineCpu.growth(after, idle, MachineCpu::busyTicks)).isZero();
        // Where the file counts nothing nothing is known; without a clock the ticks are taken.
        assertThat(machine(folder, "50020.02", 0, 0, 0, 0).totalTicks()).isZero();
        MachineCpu ticks = machine(folder, "", 2_080, 42_000, 2_190, 43_000);
        assertThat(ticks.busyTicks()).isEqualTo(2_080 + 2_190);
        assertThat(ticks.coreTicks()).isEqualTo(Map.of(0, 2_080L, 1, 2_190L));
    }

    @Test
    void knowsNoGrowthWhereACoreCameOrTheMachineBeganAnew(@TempDir Path folder) throws IOException {
        MachineCpu two = machine(folder, "60.00", 10, 5_900, 10, 5_900);
        MachineCpu began = machine(folder, "9.00", 10, 800, 10, 800);
        assertThat(MachineCpu.growth(two, began, MachineCpu::busyTicks)).isNull();
        RecordedFiles.write(
                folder, "proc/stat", "cpu  10 0 0 7000 0 0 0 0\ncpu0 10 0 0 7000 0 0 0 0\n");
        RecordedFiles.write(folder, "proc/uptime", "160.00 1.00\n");
        assertThat(MachineCpu.growth(
                        two, MachineCpu.of(new HostFiles(folder)), MachineCpu::busyTicks))
                .isNull();
    }

    private static MachineCpu machine(
            Path folder, String uptime, long user0, long idle0, long user1, long idle1)
            throws IOException {
        RecordedFiles.write(folder, "proc/uptime", uptime.isEmpty() ? "" : uptime + " 9.00\n");
        RecordedFiles.write(
                folder,
                "proc/stat",
                "cpu  " + (user0 + user1) + " 0 0 " + (idle0 + idle1) + " 0 0 0 0\ncpu0 " + user0
                        + " 0 0 " + idle0 + " 0 0 0 0\ncpu1 " + user1 + " 0 0 " + idle1
                        + " 0 0 0 0\n");
        return MachineCpu.of(new HostFiles(folder));
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
        HostFiles host = new HostFiles(folder);
        assertThat(SystemCounters.of(host))
                .isEqualTo(Map.of(
                        MachineCounter.AVAILABLE_BYTES, 7 * 1024L,
                        MachineCounter.PAGES, 7L,
                        MachineCounter.RECEIVED_BYTES, 320L,
                        MachineCounter.SENT_BYTES, 78L));
        // With hardware that is known what is only of software has no octets of its own.
        Files.createDirectories(folder.resolve("sys/class/net/eth0/device"));
        Files.createDirectories(folder.resolve("sys/class/net/eth1"));
        assertThat(SystemCounters.of(host).get(MachineCounter.RECEIVED_BYTES)).isEqualTo(300L);
        assertThat(SystemCounters.of(host).get(MachineCounter.SENT_BYTES)).isEqualTo(70L);
        assertThat(SystemCounters.of(new HostFiles(folder.resolve("nowhere")))).isEmpty();
        assertThat(SystemCounters.of(HostFiles.HERE).get(MachineCounter.AVAILABLE_BYTES))
                .isPositive();
    }

    @Test
    void readsDiskCountersOfThatDeviceOnly() {
        String diskstats = """
                   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
                 254       1 vda1 1 2 3 4 5 6 7 8 9 10 11
                 254       0 vda 75516 10826 4731378 38568 31538 13347 3324960 10129 0 8668 49367 8633 35 738160 530 4024 139
                """;
        DiskCounters vda = Objects.requireNonNull(DiskCounters.parse(diskstats, "vda"));
        assertThat(vda.values()).hasSize(DiskCounter.values().length);
        assertThat(vda.values().values())
                .containsExactly(
                        75516L,
                        4731378L * 512,
                        38568L,
                        31538L,
                        3324960L * 512,
                        10129L,
                        8668L,
                        49367L,
                        4024L,
                        139L);
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
        assertThat(array.get(DiskCounter.WRITES)).isEqualTo(150_000);
        assertThat(array.timed()).isFalse();
        assertThat(Objects.requireNonNull(DiskCounters.parse(diskstats, "sda")).timed())
                .isTrue();
        // A device that was just made has done too little to tell.
        assertThat(new DiskCounters(Map.of(DiskCounter.WRITES, 999L)).timed()).isTrue();
    }

    @Test
    void looksAtThisMachine(@TempDir Path folder) throws IOException {
        VolumeDisclosure volume = VolumeDisclosure.of("log", folder);
        assertThat(volume.filesystem()).isNotNull();
        assertThat(volume.freeBytes()).isPositive();
        Environment machine = Machine.inspect(List.of(volume));
        assertThat(machine.processor().logicalCores()).isPositive();
        assertThat(machine.memoryBytes()).isPositive();
    }

    /** As Linux shows them on x86, POWER, z/Architecture and ARM. */
    @Test
    void readsProcessorsOfEachArchitecture(@TempDir Path folder) throws IOException {
        assertProcessors(
                folder,
                "processor : 0\nmodel name\t: X 1\ncpu MHz\t\t: 2000.0\n\nprocessor : 1\nmodel"
                        + " name : X 1\ncpu MHz\t\t: 3000.0\n",
                "X 1",
                2500.0);
        assertProcessors(
                folder,
                "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 3425.000000MHz\n",
                "POWER9, altivec supported",
                3425.0);
        assertProcessors(folder, """
                vendor_id       : IBM/S390
                # processors    : 2
                bogomips per cpu: 3033.00
                processor 0: version = FF,  identification = 2733E8,  machine = 2964
                processor 1: version = FF,  identification = 2733E8,  machine = 2964
                cpu number      : 0
                version         : FF
                machine         : 2964
                cpu MHz dynamic : 5000
                cpu MHz static  : 5200
                cpu number      : 1
                cpu MHz dynamic : 4000
                """, "IBM/S390 2964", 4500.0);
        String arm = "processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\nCPU part\t: ";
        assertProcessors(folder, arm + "0xd0c\n", "ARM core 0x41/0xd0c", null);
        RecordedFiles.write(
                folder, "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2600000\n");
        RecordedFiles.write(folder, "proc/stat", "cpu  1 0 0 0 0 0 0 0\ncpu0 1 0 0 0 0 0 0 0\n");
        assertProcessors(folder, arm + "0xfff\n", "ARM core 0x41/0xfff", 2600.0);
        assertProcessors(folder, "", null, 2600.0);
    }

    private static void assertProcessors(
            Path folder, String cpuinfo, @Nullable String model, @Nullable Double mhz)
            throws IOException {
        RecordedFiles.write(folder, "proc/cpuinfo", cpuinfo);
        HostFiles host = new HostFiles(folder);
        assertThat(CpuInfo.model(host)).isEqualTo(model);
        assertThat(Machine.clockMhz(host)).isEqualTo(mhz);
    }
}
