package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.machine.folders.Folders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** An emulated RAID 0 spreads what is written over its devices. */
class StripesTest {
    private static final long BYTES = 31_000_000;
    private static final long TWO_NANOS_MAX = 490_000_000;
    private static final int RUNS_MAX = 20;

    @TempDir
    Path folder;

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
}
