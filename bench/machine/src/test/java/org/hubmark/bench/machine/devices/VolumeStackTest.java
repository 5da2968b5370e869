package org.hubmark.bench.machine.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Proves on the recorded files of a machine, and on some that are written by the kernel's and the
 * clouds' documentation and not recorded, that a volume is followed down to its disks: what its flushes
 * are, what cache it has, which volumes share a disk, and that what can't be told is unknown.
 */
class VolumeStackTest {
    private static final String POOL = """
              pool: tank
             state: ONLINE
            config:

            \tNAME                      STATE     READ WRITE CKSUM
            \ttank                      ONLINE       0     0     0
            \t  mirror-0                ONLINE       0     0     0
            \t    /dev/sdc1             ONLINE       0     0     0
            \t    /dev/disk/by-id/ata-2 ONLINE       0     0     0
            \tlogs
            \t  /dev/nvme1n1            ONLINE       0     0     0
            \tcache
            \t  /dev/sda                ONLINE       0     0     0

            errors: No known data errors
            """;

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
                        "dm-0 (encrypted crypt)",
                        "md0 (raid1)",
                        "sdc (ATA QEMU HARDDISK)",
                        "sdd (ATA QEMU HARDDISK)");
    }

    /** Ten blocks were written and synced; the lines of dm-1, dm-0 and md0 say 0. */
    @Test
    void flushesAreThoseOfTheDisks() throws IOException {
        String after = Files.readString(root.resolve("proc/diskstats"));
        assertThat(BlockDevice.count(after, "dm-1", BlockDevice.FLUSHES)).isZero();
        VolumeStack stack = machine.stack("/mnt/mdlvm");
        Long then = flushes(stack);
        Files.copy(root.resolve("proc/diskstats"), root.resolve("proc/diskstats.after"));
        Files.writeString(
                root.resolve("proc/diskstats"),
                Files.readString(root.resolve("proc/diskstats.before")));
        assertThat(then - flushes(stack)).isEqualTo(40);
        assertThat(stack.flushLines(after)).containsExactly("sdc", "sdd");
        assertThat(machine.stack("/mnt/plain").flushLines(after)).containsExactly("nvme0n1");
        assertThat(machine.stack("/mnt/loop").flushLines(after)).containsExactly("loop0");
        assertThat(machine.stack("/mnt/raidlv").flushLines(after)).containsExactly("sda", "sdb");
    }

    /** Else what a mapping counts from now on would be compared with what its disks counted till then. */
    @Test
    void whatCountsTheFlushesDoesNotChangeBetweenTwoLooks() throws IOException {
        VolumeStack stack = machine.stack("/mnt/mdlvm");
        long before = flushes(stack);
        Path diskstats = root.resolve("proc/diskstats");
        Files.writeString(
                diskstats,
                Files.readString(diskstats).replaceFirst("( dm-1 .*) \\d+ \\d+\n", "$1 7 7\n"));
        assertThat(machine.stack("/mnt/mdlvm").flushes()).isEqualTo(7);
        assertThat(flushes(stack)).isEqualTo(before);
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
    void tellsLevels() throws IOException {
        assertThat(machine.stack("/mnt/stripe").raid()).isEqualTo("LVM over 2 devices");
        assertThat(machine.stack("/mnt/raidlv").raid()).isEqualTo("LVM RAID of 2 images");
        assertThat(machine.stack("/mnt/lvm").raid()).isNull();
        assertThat(machine.stack("/mnt/btrfs").raid()).isEqualTo("raid1");
        assertThat(machine.stack("/mnt/btrfs1").raid()).isNull();
    }

    @Test
    void btrfsIsItsDevices() throws IOException {
        VolumeStack one = machine.stack("/mnt/btrfs1/log");
        assertThat(one.deviceName()).isEqualTo("vda");
        assertThat(one.media()).containsExactly("vda");
        VolumeStack two = machine.stack("/mnt/btrfs/log");
        assertThat(two.deviceName()).isEqualTo("nvme1n1+vdb");
        assertThat(two.media()).containsExactly("nvme1n1", "vdb");
        assertThat(two.shares(machine.stack("/mnt/btrfs/queue"))).isTrue();
        assertThat(two.shares(one)).isFalse();
    }

    @Test
    void aMemberOfBtrfsThatIsGoneIsUnknown() throws IOException {
        Files.delete(root.resolve("sys/class/block/nvme1n1"));
        VolumeStack degraded = machine.stack("/mnt/btrfs/log");
        assertThat(degraded.media()).containsExactly("vdb");
        assertThat(degraded.raid()).isEqualTo("raid1");
        assertThat(degraded.unknown())
                .isEqualTo("the Btrfs file system at /mnt/btrfs has a member, nvme1n1, that is"
                        + " gone");
        assertThat(degraded.shares(machine.stack("/mnt/plain"))).isNull();
        assertThat(machine.stack("/mnt/btrfs1").unknown()).isNull();
    }

    /** A pool may hang for minutes, and whoever is interrupted meanwhile leaves nothing behind. */
    @Test
    void anInterruptedQuestionLeavesNoProcess() throws Exception {
        Path file = root.resolve("pid");
        Thread asking = Thread.ofPlatform()
                .start(() ->
                        Pools.answer(List.of("sh", "-c", "echo $$ >" + file + "; exec sleep 300")));
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Files.exists(file) && Files.size(file) > 0);
        ProcessHandle asked =
                ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).orElseThrow();
        asking.interrupt();
        asking.join();
        assertThat(asked.onExit().get(1, TimeUnit.MINUTES).isAlive()).isFalse();
    }

    @Test
    void anOverlayIsItsUpperFolder() throws IOException {
        VolumeStack overlay = machine.stack("/mnt/over/log");
        assertThat(overlay.deviceName()).isEqualTo("dm-12");
        assertThat(overlay.media()).containsExactly("sda");
        assertThat(overlay.shares(machine.stack("/mnt/lvm"))).isTrue();
        Files.delete(root.resolve("mnt/lvm/up/x"));
        Files.delete(root.resolve("mnt/lvm/up"));
        VolumeStack container = machine.stack("/mnt/over/log");
        assertThat(container.unknown())
                .isEqualTo("the folder below the overlay at /mnt/over, /mnt/lvm/up, can't be seen"
                        + " from here");
        assertThat(container.shares(machine.stack("/mnt/btrfs1"))).isNull();
        // One file system is one, whatever is below.
        assertThat(container.shares(machine.stack("/mnt/over/queue"))).isTrue();
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
        assertThat(machine.stack("/mnt/loop").cache())
                .isEqualTo(new VolumeStack.Cache("page cache below loop0", 8_192_000_000L));
        machine.add("sys/devices/virtual/block/loop0/loop/dio = 1");
        assertThat(machine.stack("/mnt/loop").cache()).isNull();
        assertThat(machine.stack("/mnt/plain").cache()).isNull();
    }

    /** Written by lvmcache(7) and Documentation/admin-guide/bcache.rst, not recorded. */
    @Test
    void theDiskOfACacheIsKnown() throws IOException {
        machine.add("""
                sys/class/block/dm-20 -> ../../devices/virtual/block/dm-20
                sys/devices/virtual/block/dm-20/dm/name = vg-fast_cvol-cdata
                sys/devices/virtual/block/dm-20/size = 2048
                sys/devices/virtual/block/dm-1/slaves/dm-20/x = 1
                """);
        assertThat(machine.stack("/mnt/mdlvm").cache())
                .isEqualTo(new VolumeStack.Cache("dm-20, cache of dm-1", 1 << 20));
        machine.add("""
                sys/class/block/sdz -> ../../devices/virtual/block/sdz
                sys/devices/virtual/block/sdz/size = 4096
                sys/devices/virtual/block/sdz/bcache/x = 1
                sys/devices/virtual/block/loop0/bcache/cache/cache0 -> ../../../sdz/bcache
                sys/devices/virtual/block/loop0/loop/dio = 1
                """);
        assertThat(machine.stack("/mnt/loop").cache())
                .isEqualTo(new VolumeStack.Cache("sdz, cache of loop0", 2 << 20));
    }

    /** Written by zpool-status(8) and zfs(8), not recorded. */
    @Test
    void zfsIsWhatZpoolSays() throws IOException {
        machine.add("""
                proc/self/mountinfo <<
                27 1 8:1 / / rw - ext4 /dev/sda rw
                40 27 0:50 / /tank/log rw - zfs tank/log rw,xattr,noacl
                41 27 0:51 / /tank/queue rw - zfs tank/queue rw,xattr,noacl
                .
                sys/class/block/sdc1 -> ../../devices/pci0000:00/0000:00:1f.2/ata1/host1/target1:0:0/1:0:0:0/block/sdc/sdc1
                sys/devices/pci0000:00/0000:00:1f.2/ata1/host1/target1:0:0/1:0:0:0/block/sdc/sdc1/partition = 1
                dev/disk/by-id/ata-2 -> ../../sdd
                dev/sdd = a device
                """);
        VolumeStack log = machine.stack("/tank/log", POOL);
        assertThat(log.media()).containsExactly("nvme1n1", "sdc", "sdd");
        assertThat(log.deviceName()).isEqualTo("nvme1n1+sdc1+sdd");
        assertThat(log.raid()).isEqualTo("mirror");
        assertThat(log.shares(machine.stack("/tank/queue", POOL))).isTrue();
        assertThat(log.writeCache()).isEqualTo("write back");
        VolumeStack unasked = machine.stack("/tank/log");
        assertThat(unasked.unknown())
                .isEqualTo("the disks of the ZFS pool tank are not known: zpool can't be asked");
        assertThat(unasked.shares(machine.stack("/tank/queue"))).isNull();
        assertThat(unasked.flushes()).isNull();
        assertThat(unasked.writeCache()).isNull();
        assertThat(Pools.members("no pools available")).isEmpty();
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
                .isEqualTo("no block device is known behind fuse.odd at /mnt/odd");
    }

    /** Names by the providers' documentation, not recorded. */
    @Test
    void cloudsAreNamed() throws IOException {
        assertThat(service("Amazon Elastic Block Store")).isEqualTo(DiskService.AMAZON_EBS);
        DiskService store = service("Amazon EC2 NVMe Instance Storage");
        assertThat(store).isEqualTo(DiskService.AMAZON_INSTANCE_STORE);
        assertThat(Objects.requireNonNull(store).ephemeral()).isTrue();
        assertThat(service("nvme_card-pd")).isEqualTo(DiskService.GOOGLE_PERSISTENT_DISK);
        assertThat(service("nvme_card")).isEqualTo(DiskService.GOOGLE_LOCAL_SSD);
        assertThat(service("MSFT NVMe Accelerator v1.0")).isEqualTo(DiskService.AZURE_DISK);
        assertThat(service("Microsoft NVMe Direct Disk v2"))
                .isEqualTo(DiskService.AZURE_LOCAL_DISK);
        assertThat(service("SAMSUNG MZQL21T9HCJR-00A07")).isNull();
        assertThat(machine.stack("/mnt/plain").virtual()).isFalse();
        assertThat(service("Amazon Elastic Block Store")).isEqualTo(DiskService.AMAZON_EBS);
        assertThat(machine.stack("/mnt/plain").virtual()).isTrue();
        assertThat(machine.stack("/mnt/btrfs1").service()).isEqualTo(DiskService.VIRTIO);
        assertThat(machine.stack("/mnt/mdlvm").service()).isNull();
    }

    @Test
    void whatGoesWithTheMachineCanLoseAcknowledgedMail() {
        assertThat(danger(DiskService.AMAZON_INSTANCE_STORE))
                .isEqualTo("/v is on Amazon EC2 instance store: its data is lost when the machine"
                        + " stops");
        assertThat(danger(DiskService.AMAZON_EBS)).isNull();
        assertThat(danger(DiskService.AZURE_VIRTUAL_DISK)).isNull();
    }

    private static @Nullable String danger(DiskService service) {
        return new VolumeFacts(
                        "/v",
                        new VolumeFacts.Mounted("/v", "ext4", "rw", List.of(), true),
                        new VolumeFacts.Disk(
                                "nvme1n1",
                                List.of("nvme1n1"),
                                null,
                                false,
                                true,
                                null,
                                "write through",
                                null,
                                null,
                                null),
                        service,
                        null,
                        null,
                        1,
                        1,
                        List.of(),
                        List.of())
                .danger();
    }

    private @Nullable DiskService service(String model) throws IOException {
        machine.add(
                "sys/devices/pci0000:00/0000:00:07.0/nvme/nvme0/model = " + model + "          ");
        return machine.stack("/mnt/plain").service();
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

    private static List<String> texts(VolumeStack stack) throws IOException {
        List<String> texts = new ArrayList<>();
        for (VolumeStack.Layer layer : stack.layers()) {
            texts.add(layer.text());
        }
        return texts;
    }
}
