package org.hubmark.bench.machine.devices;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Proves on the recorded files of a machine, and on some that are written by the kernel's and the
 * clouds' documentation and not recorded, that a volume is followed down to its disks: what its flushes
 * are, which volumes share a disk, and that what can't be told is unknown.
 */
class VolumeStackTest {
    @TempDir
    private Path root;

    private RecordedMachine machine;

    @BeforeEach
    void make() throws IOException {
        root = root.toRealPath();
        machine = new RecordedMachine(root, "debian");
    }

    @Test
    void anArrayUnderLuksUnderLvmIsItsDisks() throws IOException {
        VolumeStack stack = machine.stack("/mnt/mdlvm/log");
        assertThat(stack.deviceName()).isEqualTo("dm-1");
        assertThat(stack.media()).containsExactly("sdc", "sdd");
        assertThat(stack.raid()).isEqualTo("raid1");
        assertThat(stack.writeCache()).isEqualTo("write back");
        assertThat(stack.rotational()).isTrue();
        assertThat(stack.virtual()).isTrue();
        assertThat(stack.unknown()).isNull();
        assertThat(texts(stack))
                .containsExactly(
                        "dm-1 (LVM vg-log)",
                        "dm-0 (CRYPT crypt)",
                        "md0 (raid1)",
                        "sdc (ATA QEMU HARDDISK)",
                        "sdd (ATA QEMU HARDDISK)");
    }

    /** Ten blocks were written and synced; the lines of dm-1, dm-0 and md0 say 0. */
    @Test
    void flushesAreThoseOfTheDisks() throws IOException {
        VolumeStack stack = machine.stack("/mnt/mdlvm");
        Long then = flushes(stack);
        Files.copy(root.resolve("proc/diskstats"), root.resolve("proc/diskstats.after"));
        Files.writeString(
                root.resolve("proc/diskstats"),
                Files.readString(root.resolve("proc/diskstats.before")));
        assertThat(then - flushes(stack)).isEqualTo(40);
        assertThat(machine.stack("/mnt/loop").disks())
                .extracting(BlockDevice::name)
                .containsExactly("loop0");
    }

    @Test
    void aCounterThatNeverGrewIsUnknown() throws IOException {
        String never = Files.readString(root.resolve("proc/diskstats"))
                .lines()
                .map(line -> line.replaceFirst("(sd[cd] .*) \\d+ \\d+$", "$1 0 0"))
                .reduce("", (text, line) -> text + line + "\n");
        Files.writeString(root.resolve("proc/diskstats"), never);
        assertThat(machine.stack("/mnt/mdlvm").flushes()).isNull();
        assertThat(machine.stack("/mnt/lvm").flushes()).isEqualTo(178);
    }

    @Test
    void anyVolatileCacheCountsAndAnyDiskThatTurns() throws IOException {
        String disk =
                "sys/devices/pci0000:00/0000:00:1f.2/ata1/host1/target1:0:0/1:0:0:0/block/sdc";
        machine.add(disk + "/queue/write_cache = write through\n" + disk
                + "/queue/rotational = 0\nsys/devices/virtual/block/dm-1/queue/write_cache = write"
                + " through");
        assertThat(machine.stack("/mnt/mdlvm").writeCache()).isEqualTo("write back");
        assertThat(machine.stack("/mnt/mdlvm").rotational()).isTrue();
        String other = disk.replace("ata1", "ata2").replace("host1", "host2");
        other = other.replace("target1", "target2")
                .replace("1:0:0:0/block/sdc", "2:0:0:0/block/sdd");
        machine.add(
                other + "/queue/write_cache = write through\n" + other + "/queue/rotational = ");
        assertThat(machine.stack("/mnt/mdlvm").writeCache()).isEqualTo("write through");
        assertThat(machine.stack("/mnt/mdlvm").rotational()).isNull();
    }

    @Test
    void btrfsOnOneDeviceIsThatDevice() throws IOException {
        VolumeStack one = machine.stack("/mnt/btrfs1/log");
        assertThat(one.deviceName()).isEqualTo("vda");
        assertThat(one.media()).containsExactly("vda");
        assertThat(one.shares(machine.stack("/mnt/btrfs1/queue"))).isTrue();
    }

    @Test
    void aFileSystemOnSeveralDevicesIsUnknown() {
        VolumeStack two = machine.stack("/mnt/btrfs/log");
        assertThat(two.deviceName()).isNull();
        assertThat(two.media()).isEmpty();
        assertThat(two.unknown())
                .isEqualTo("no single block device is known behind btrfs at /mnt/btrfs");
        assertThat(two.shares(machine.stack("/mnt/btrfs/queue"))).isTrue();
        assertThat(two.shares(machine.stack("/mnt/btrfs1"))).isNull();
        assertThat(machine.stack("/mnt/over/log").unknown())
                .isEqualTo("no single block device is known behind overlay at /mnt/over");
    }

    @Test
    void aLoopDeviceIsTheDiskBelowItsFile() throws IOException {
        VolumeStack loop = machine.stack("/mnt/loop");
        assertThat(loop.deviceName()).isEqualTo("loop0");
        assertThat(loop.media()).containsExactly("nvme0n1");
        assertThat(loop.backingFile()).isEqualTo(Path.of("/mnt/plain/img"));
        assertThat(loop.shares(machine.stack("/mnt/plain"))).isTrue();
        Files.delete(root.resolve("mnt/plain/img"));
        assertThat(machine.stack("/mnt/loop").unknown())
                .isEqualTo("the file behind loop0, /mnt/plain/img, can't be seen from here");
    }

    /** The memory of the machine is written by proc(5), not recorded. */
    @Test
    void thePageCacheIsBelowALoopDeviceThatDoesNotGoRoundIt() throws IOException {
        machine.add("""
                proc/meminfo <<
                MemTotal:        8000000 kB
                MemFree:         1000000 kB
                .
                """);
        assertThat(machine.stack("/mnt/loop").pageCacheBytes()).isEqualTo(8_192_000_000L);
        machine.add("sys/devices/virtual/block/loop0/loop/dio = 1");
        assertThat(machine.stack("/mnt/loop").pageCacheBytes()).isNull();
        assertThat(machine.stack("/mnt/plain").pageCacheBytes()).isNull();
    }

    @Test
    void memoryAndOtherMachinesHaveNoDisks() throws IOException {
        machine.add("""
                proc/self/mountinfo <<
                27 1 8:1 / / rw - ext4 /dev/sda rw
                40 27 0:50 / /dev/shm rw - tmpfs tmpfs rw
                41 27 0:51 / /mnt/far rw - nfs4 server:/x rw
                42 27 0:52 / /mnt/odd rw - fuse.odd odd rw
                .
                """);
        assertThat(machine.stack("/dev/shm").media()).isEmpty();
        assertThat(machine.stack("/dev/shm").unknown()).isNull();
        assertThat(machine.stack("/mnt/far/log").unknown())
                .isEqualTo("/mnt/far/log is on another machine (nfs4)");
        assertThat(machine.stack("/mnt/odd").unknown())
                .isEqualTo("no single block device is known behind fuse.odd at /mnt/odd");
    }

    /** Names by the providers' documentation, not recorded. */
    @Test
    void disksOfCloudsAreVirtualAndSomeAreLostWithTheMachine() throws IOException {
        assertThat(model("SAMSUNG MZQL21T9HCJR-00A07").virtual()).isFalse();
        for (String kept : List.of(
                "Amazon Elastic Block Store", "nvme_card-pd", "MSFT NVMe Accelerator v1.0")) {
            assertThat(model(kept).virtual()).isTrue();
            assertThat(model(kept).ephemeral()).isFalse();
        }
        for (String lost : List.of(
                "Amazon EC2 NVMe Instance Storage", "nvme_card", "Microsoft NVMe Direct Disk v2")) {
            assertThat(model(lost).virtual()).isTrue();
            assertThat(model(lost).ephemeral()).isTrue();
        }
        assertThat(machine.stack("/mnt/btrfs1").virtual()).isTrue();
    }

    private VolumeStack model(String model) throws IOException {
        machine.add(
                "sys/devices/pci0000:00/0000:00:07.0/nvme/nvme0/model = " + model + "          ");
        return machine.stack("/mnt/plain");
    }

    @Test
    void whatGoesWithTheMachineCanLoseAcknowledgedMail() {
        assertThat(danger(true))
                .isEqualTo("/v is on Instance Storage: its data is lost when the machine stops");
        assertThat(danger(false)).isNull();
    }

    private static @Nullable String danger(boolean ephemeral) {
        return new VolumeFacts(
                        "/v",
                        new VolumeFacts.Mounted("/v", "ext4", "rw", true),
                        new VolumeFacts.Disk(
                                "nvme1n1",
                                List.of("nvme1n1"),
                                "Instance Storage",
                                false,
                                true,
                                ephemeral,
                                null,
                                "write through",
                                null,
                                null,
                                null),
                        null,
                        null,
                        1,
                        1,
                        List.of(),
                        List.of())
                .danger();
    }

    @Test
    void thisMachineIsRead() throws IOException {
        VolumeStack here = VolumeStack.of(root);
        assertThat(here.mount()).isNotNull();
        assertThat(here.unknown() == null || here.media().isEmpty()).isTrue();
    }

    private static long flushes(VolumeStack stack) throws IOException {
        return Objects.requireNonNull(stack.flushes());
    }

    private static List<String> texts(VolumeStack stack) {
        return stack.layers().stream().map(BlockDevice::text).toList();
    }
}
