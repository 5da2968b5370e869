package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Proves on recorded files that the time of the kernel's threads grows by theirs, and never falls. */
class KernelThreadsTest {
    private static final long KERNEL = 0x0020_8040;
    private static final long PROGRAM = 0x0040_0000;

    @TempDir
    Path root;

    @Test
    void growsByWhatTheKernelsThreadsUse() throws IOException {
        RecordedFiles.write(root, "proc/2/comm", "kthreadd\n");
        process(2, "kthreadd", KERNEL, 1, 1);
        process(90, "jbd2/vda-8", KERNEL, 10, 20);
        process(4711, "java", PROGRAM, 5000, 5000);
        KernelThreads threads = new KernelThreads(HostFiles.at(root));
        long before = Objects.requireNonNull(threads.nanos(processes()));
        process(90, "jbd2/vda-8", KERNEL, 11, 25);
        process(91, "kworker/u4:0 (x)", KERNEL, 2, 2);
        process(4711, "java", PROGRAM, 9000, 9000);
        assertThat(threads.nanos(processes())).isEqualTo(before + (6 + 4) * ProcessCpu.TICK_NANOS);
        // A worker that ends takes nothing back.
        Files.delete(root.resolve("proc/91/stat"));
        assertThat(threads.nanos(processes())).isEqualTo(before + 10 * ProcessCpu.TICK_NANOS);
    }

    @Test
    void areUnknownWhereTheyCannotBeSeen() throws IOException {
        RecordedFiles.write(root, "proc/2/comm", "sh\n");
        process(2, "sh", PROGRAM, 1, 1);
        assertThat(new KernelThreads(HostFiles.at(root)).nanos(processes())).isNull();
    }

    private List<String> processes() {
        return HostFiles.at(root).numbers("proc");
    }

    private void process(int id, String name, long flags, long user, long system)
            throws IOException {
        RecordedFiles.write(
                root,
                "proc/" + id + "/stat",
                id + " (" + name + ") S 0 0 0 0 -1 " + flags + " 0 0 0 0 " + user + " " + system
                        + " 7 7 20 0 1 0 17 31 39");
    }
}
