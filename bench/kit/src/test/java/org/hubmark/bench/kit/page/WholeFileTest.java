package org.hubmark.bench.kit.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Proves that a report that could not be written whole leaves nothing behind, and the old one whole. */
class WholeFileTest {
    @TempDir
    Path folder;

    @Test
    void replacesWhatIsThere() throws IOException {
        Path file = folder.resolve("report.html");
        WholeFile.write(file, "one");
        WholeFile.write(file, "two");
        assertThat(folder).isDirectoryContaining(path -> path.equals(file));
        assertThat(file).hasContent("two");
        assertThat(folder.resolve("report.html.part")).doesNotExist();
    }

    @Test
    void leavesNothingWhereItFails() throws IOException {
        Path file = folder.resolve("report.html");
        Files.createDirectories(file.resolve("below"));
        assertThatThrownBy(() -> WholeFile.write(file, "one")).isInstanceOf(IOException.class);
        assertThat(folder.resolve("report.html.part")).doesNotExist();
    }
}
