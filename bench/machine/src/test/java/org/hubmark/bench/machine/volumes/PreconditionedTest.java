package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.hub.volumes.VolumeStack;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Proves that a volume is written as far as is said, and that nothing is left behind. */
class PreconditionedTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path folder;

    @Test
    void writesAndLeavesNothingBehind() throws Exception {
        Path other = Files.createDirectory(folder.resolve("queue"));
        Long before = writtenBytes();
        List<Steadiness.Rates> heard = new ArrayList<>();
        Preconditioned written = Preconditioned.untilSteady(
                List.of(folder, other),
                new Preconditioned.Effort(20 * MIB + 5, Duration.ofSeconds(2), 1),
                heard::add);
        Long after = writtenBytes();
        assertThat(written.writtenBytes()).isGreaterThanOrEqualTo(25 * MIB);
        assertThat(Objects.requireNonNull(written.steadiness()).windows())
                .hasSizeGreaterThanOrEqualTo(5)
                .isEqualTo(heard)
                .allSatisfy(rates -> assertThat(rates.readMbPerS()).isPositive());
        assertThat(written.paths()).containsExactly(folder.toString(), other.toString());
        assertThat(written.seconds()).isPositive();
        assertThat(written.beginMbPerS()).isPositive();
        assertThat(written.endMbPerS()).isPositive();
        if (before != null && after != null && written.direct()) {
            assertThat(after - before).isGreaterThanOrEqualTo(20 * MIB);
        }
        assertThat(folder.toFile().list()).containsExactly("queue");
        assertThat(other).isEmptyDirectory();
    }

    @Test
    void writesAQuarterOfTheFreeSpaceAtMost() throws IOException {
        long free = Files.getFileStore(folder).getUsableSpace();
        long bytes = Preconditioned.bytes(folder, Long.MAX_VALUE);
        assertThat(bytes % MIB).isZero();
        // Others write and free space meanwhile.
        assertThat((double) bytes).isBetween(free * 0.2, free * 0.3);
        assertThat(Preconditioned.bytes(folder, 1)).isEqualTo(MIB);
    }

    @Test
    void anInterruptionIsOne() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Preconditioned.untilSteady(
                        List.of(folder),
                        new Preconditioned.Effort(4 * MIB, Duration.ofSeconds(2), 1),
                        rates -> {}))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(folder).isEmptyDirectory();
    }

    private @Nullable Long writtenBytes() throws IOException {
        String device = VolumeStack.of(folder).deviceName();
        DiskCounters counters = device == null
                ? null
                : DiskCounters.parse(HostFiles.HERE.text("proc/diskstats"), device);
        return counters == null ? null : (Long) counters.writtenBytes();
    }
}
