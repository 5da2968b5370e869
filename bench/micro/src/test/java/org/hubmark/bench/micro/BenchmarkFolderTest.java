package org.hubmark.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Proves that a benchmark knows what it writes to, and writes to no memory. */
class BenchmarkFolderTest {
    private static final Path MEMORY = Path.of("/dev/shm");

    @Test
    void saysWhatItWritesTo(@TempDir Path folder) throws IOException {
        Path made = BenchmarkFolder.make(folder.toString());
        assertThat(made).isEmptyDirectory().hasParent(folder);
        VolumeDisclosure volume = VolumeDisclosure.of("all", folder);
        assertThat(BenchmarkFolder.words(folder, volume))
                .startsWith(folder + ", " + volume.filesystem());
    }

    @Test
    void noBenchmarkWritesToMemory() throws IOException {
        assumeMemory();
        LogBenchmark log = new LogBenchmark();
        log.volume = MEMORY.toString();
        StoreBenchmark store = new StoreBenchmark();
        store.volume = MEMORY.toString();
        for (ThrowingCallable setup : List.<ThrowingCallable>of(log::open, store::open)) {
            assertThatThrownBy(setup)
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("lies in memory");
        }
    }

    @Test
    void refusesMemory() throws IOException {
        assumeMemory();
        assertThatThrownBy(() -> BenchmarkFolder.make(MEMORY.toString()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("lies in memory (tmpfs), where a sync does nothing");
        assertThatThrownBy(() -> BenchmarkFolder.make("/no/such/folder"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not a folder");
    }

    private static void assumeMemory() throws IOException {
        assumeTrue(
                Files.isWritable(MEMORY)
                        && "tmpfs".equals(VolumeDisclosure.of("all", MEMORY).filesystem()),
                "no tmpfs at " + MEMORY);
    }
}
