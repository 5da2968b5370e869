package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.hub.volumes.BlockDevice;
import org.hubmark.hub.volumes.Mount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A RAID 0 spreads what is written over its devices: a real one, and an emulated one. */
class StripesTest {
    private static final long BYTES = 31_000_000;
    private static final long TWO_NANOS_MAX = 490_000_000;
    private static final int RUNS_MAX = 20;

    @TempDir
    Path folder;

    @Test
    void aRealOneWritesToBothDevicesAndGoesAgain() throws IOException {
        String obstacle = TestVolumes.obstacle("btrfs");
        assumeTrue(obstacle == null, obstacle);
        TestVolumes volumes = new TestVolumes(folder.resolve("state"));
        TestVolume volume = volumes.createStriped(folder.resolve("queue"), 300_000_000);
        try {
            List<String> devices = loops(volume);
            assertThat(devices).hasSize(2);
            List<Long> before = sectors(devices);
            try (FileChannel file = FileChannel.open(
                    folder.resolve("queue/x"),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.allocate(16 << 20));
                file.force(false);
            }
            List<Long> after = sectors(devices);
            for (int i = 0; i < 2; i++) {
                // Half of the file each, and what the file system says about it.
                assertThat((after.get(i) - before.get(i)) * 512).isBetween(8L << 20, 10L << 20);
            }
            assertThat(TestVolumes.writeCaches(volume)).hasSize(2);
        } finally {
            volumes.destroy(volume);
        }
        assertThat(loops(volume)).isEmpty();
        assertThat(folder.resolve("queue")).doesNotExist();
        assertThat(Mount.all()).noneMatch(mount -> mount.point().startsWith(folder));
        assertThat(volumes.list()).isEmpty();
    }

    /** The bytes of one sync, written at 62 MB/s, by one device or by two. */
    @Test
    void anEmulatedOneHasTheBandwidthOfBoth() throws IOException {
        assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory), "no file system in memory, where a sync is nothing");
        Path work = Files.createTempDirectory(memory, "hubmark-stripes-");
        try {
            long one = syncNanos(work, 1, 0);
            long two = Long.MAX_VALUE;
            for (int run = 0; run < RUNS_MAX && two > TWO_NANOS_MAX; run++) {
                // Of several: a busy machine holds most of them up, and one device has none below.
                two = Math.min(two, syncNanos(work, 2, run));
            }
            assertThat(one).isGreaterThan(500_000_000L);
            assertThat(two).isBetween(250_000_000L, TWO_NANOS_MAX);
        } finally {
            Folders.delete(work);
        }
    }

    private long syncNanos(Path work, int stripes, int run) throws IOException {
        // Another one each time, of which nothing is counted yet.
        Path disk = Files.createDirectories(work.resolve("disk-" + stripes + "-" + run));
        SyncEmulation emulation = SyncEmulation.prepare(
                folder.resolve("emulation"),
                List.of(new SyncEmulation.Device(disk, DeviceProfile.SATA_7200, stripes)));
        List<String> command = new ArrayList<>(List.of("env"));
        emulation.environment().forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(List.of(
                "dd",
                "if=/dev/zero",
                "of=" + disk.resolve("x"),
                "bs=1000000",
                "count=" + BYTES / 1_000_000,
                "conv=fdatasync"));
        SystemTool.run(command);
        SyncEmulation.Counters counters = Objects.requireNonNull(emulation.counters(disk));
        assertThat(counters.syncs()).isEqualTo(1);
        return counters.nanos();
    }

    private static List<String> loops(TestVolume volume) throws IOException {
        List<String> devices = new ArrayList<>();
        try (var all = Files.newDirectoryStream(Path.of("/sys/class/block"), "loop*")) {
            for (Path device : all) {
                String file = BlockDevice.line(device.resolve("loop/backing_file"));
                if (file != null && volume.images().contains(file)) {
                    devices.add(String.valueOf(device.getFileName()));
                }
            }
        }
        return devices;
    }

    /** Field 7 of a device's stat, written sectors (the kernel's Documentation/block/stat.rst). */
    private static List<Long> sectors(List<String> devices) throws IOException {
        List<Long> sectors = new ArrayList<>();
        for (String device : devices) {
            String stat = Files.readString(Path.of("/sys/class/block", device, "stat"));
            sectors.add(Long.valueOf(stat.trim().split(" +", -1)[6]));
        }
        return sectors;
    }
}
