package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Proves that the sums are those of the files, and that a file that was changed is named. */
class FileSumsTest {
    @TempDir
    Path folder;

    @Test
    void aChangedFileIsNamed() throws IOException {
        write("series.csv", "abc");
        write("times.hlog", "");
        write("server.log", "x");
        // Neither is written while it is measured, nor ours.
        write("volumes/log/series.csv", "y");
        write("notes.txt", "z");
        List<RawFile> raw = FileSums.rawFiles(folder);
        assertThat(raw)
                .extracting(RawFile::file)
                .containsExactly("series.csv", "server.log", "times.hlog");
        // As FIPS 180-2, appendix B.1, has it.
        assertThat(raw.getFirst())
                .isEqualTo(new RawFile(
                        "series.csv",
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                        3));
        assertThat(FileSums.changed(folder, raw)).isEmpty();
        write("series.csv", "abd");
        Files.delete(folder.resolve("server.log"));
        assertThat(FileSums.changed(folder, raw)).containsExactly("series.csv", "server.log");
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
