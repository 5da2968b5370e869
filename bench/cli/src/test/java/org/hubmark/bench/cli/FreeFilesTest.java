package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Proves that a volume is refused for want of files only where the file system says how many it takes. */
class FreeFilesTest {
    @TempDir
    private Path folder;

    @Test
    void aFileSystemWithoutALimitIsNotFull() {
        assertThat(FreeFiles.of(Path.of("/proc"))).isNull();
        assertThat(FreeFiles.problem("log", Path.of("/proc"))).isNull();
    }

    @Test
    void whatDoesNotAnswerIsNotKnown() {
        assertThat(FreeFiles.of(folder.resolve("none"))).isNull();
        assertThat(FreeFiles.problem("log", folder)).isNull();
    }
}
