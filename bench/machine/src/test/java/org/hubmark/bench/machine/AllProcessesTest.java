package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Proves on recorded files that the time of all processes grows by what they use, whoever ends and whoever
 * waits for it, and that the kernel's own threads have no part in it.
 */
class AllProcessesTest {
    private static final long KERNEL = 0x0020_8040;
    private static final long PROGRAM = 0x0040_0000;

    @TempDir
    Path root;

    private AllProcesses processes;
    private long beginNanos;

    @BeforeEach
    void begin() throws IOException {
        RecordedFiles.write(root, "proc/2/comm", "kthreadd\n");
        process(2, KERNEL, 1, 0, 0);
        process(90, KERNEL, 10, 0, 0);
        process(100, PROGRAM, 500, 40, 5);
        process(200, PROGRAM, 3_000, 0, 6);
        processes = new AllProcesses(new HostFiles(root));
        beginNanos = Objects.requireNonNull(processes.nanos());
    }

    @Test
    void growsByWhatProcessesUseAndNotByTheKernels() throws IOException {
        process(90, KERNEL, 900, 0, 0);
        process(100, PROGRAM, 507, 40, 5);
        // Began since the last look.
        process(300, PROGRAM, 11, 0, 9);
        assertGrown(18);
    }

    /** What was counted while it ran is not counted again; what it used since is. */
    @Test
    void aChildThatIsWaitedForCountsOnce() throws IOException {
        Files.delete(root.resolve("proc/200/stat"));
        process(100, PROGRAM, 500, 40 + 3_004, 5);
        assertGrown(4);
        assertGrown(4);
    }

    /** Neither began nor ended at a look. */
    @Test
    void aChildBetweenTwoLooksIsInTheAccountOfItsParent() throws IOException {
        process(100, PROGRAM, 500, 52, 5);
        assertGrown(12);
    }

    /** The parent's turn was before it had waited. */
    @Test
    void aChildThatEndsDuringALookIsFoundByTheNext() throws IOException {
        Files.delete(root.resolve("proc/200/stat"));
        processes.nanos();
        process(100, PROGRAM, 501, 40 + 3_004, 5);
        assertGrown(5);
        assertGrown(5);
    }

    /** As where a parent has said that it won't. */
    @Test
    void aChildThatNobodyWaitsForTakesNothingBack() throws IOException {
        Files.delete(root.resolve("proc/200/stat"));
        processes.nanos();
        process(100, PROGRAM, 503, 40, 5);
        assertGrown(3);
        assertGrown(3);
    }

    @Test
    void theNumberOfAnotherProcessIsAnother() throws IOException {
        process(200, PROGRAM, 2, 0, 77);
        process(100, PROGRAM, 500, 40 + 3_000, 5);
        assertGrown(2);
    }

    @Test
    void isUnknownWhereNotAllCanBeSeen(@TempDir Path container) throws IOException {
        RecordedFiles.write(container, "proc/2/comm", "sh\n");
        assertThat(new AllProcesses(new HostFiles(container)).nanos()).isNull();
    }

    private void assertGrown(long ticks) {
        assertThat(Objects.requireNonNull(processes.nanos()) - beginNanos)
                .isEqualTo(ticks * ProcessCpu.TICK_NANOS);
    }

    private void process(int id, long flags, long own, long waited, long started)
            throws IOException {
        RecordedFiles.write(
                root,
                "proc/" + id + "/stat",
                id + " (x) S 100 0 0 0 -1 " + flags + " 0 0 0 0 " + own + " 0 " + waited
                        + " 0 20 0 1 0 " + started + " 31 39");
    }
}
