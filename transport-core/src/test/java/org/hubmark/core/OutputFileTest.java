package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Proves that a file is written whole or not at all and through no link of somebody else's, and that a
 * place that another user can change is told from one that he can't: files are made with links in their
 * way, and in folders given away.
 */
class OutputFileTest {
    private static final int NOBODY = 65534;

    @TempDir
    Path folder;

    @Test
    void replacesWhatIsThere() throws IOException {
        Path file = folder.resolve("report.html");
        OutputFile.write(file, "one");
        OutputFile.write(file, "two");
        assertThat(file).hasContent("two");
        assertThat(folder.toFile().list()).containsExactly("report.html");
    }

    @Test
    void leavesNothingWhereItFails() throws IOException {
        Path file = folder.resolve("report.html");
        Files.createDirectories(file.resolve("below"));
        assertThatThrownBy(() -> OutputFile.write(file, "one")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> OutputFile.write(folder.resolve("other"), out -> {
                    out.write(1);
                    throw new IOException("full");
                }))
                .hasMessage("full");
        assertThat(folder.toFile().list()).containsExactly("report.html");
    }

    @Test
    void noLinkIsFollowed() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "whole");
        Path link = Files.createSymbolicLink(folder.resolve("link"), precious);
        Files.createSymbolicLink(folder.resolve("link.part"), precious);
        OutputFile.write(link, "text");
        assertThat(link).isRegularFile().hasContent("text");
        Files.delete(link);
        Files.createSymbolicLink(link, precious);
        try (OutputStream out = OutputFile.begin(link)) {
            out.write("a long line".getBytes(StandardCharsets.UTF_8));
            OutputFile.cut(link, 6);
            out.write(" end".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(link).hasContent("a long end");
        Files.delete(link);
        Files.createSymbolicLink(link, precious);
        assertThatThrownBy(() -> OutputFile.log(link)).isInstanceOf(IOException.class);
        assertThat(precious).hasContent("whole");
    }

    @Test
    void aDeviceThatTheUserNamesIsWrittenTo() throws IOException {
        OutputFile.write(Path.of("/dev/null"), "text");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("/dev/null"));
        OutputFile.write(link, "text");
        assertThat(link).isSymbolicLink();
        assumeThat(FileOwners.isRoot()).as("gives a folder away").isTrue();
        Files.setAttribute(folder, "unix:uid", NOBODY);
        assertThatThrownBy(() -> OutputFile.write(link, "text")).isInstanceOf(IOException.class);
    }

    @Test
    void aPlaceOfAnotherUserIsTold() throws IOException {
        Path file = Files.createDirectories(folder.resolve("a/b")).resolve("absent/file");
        assertThat(FileOwners.other(file)).isNull();
        Files.setAttribute(folder.resolve("a"), "unix:mode", 0777);
        assertThat(FileOwners.other(file)).endsWith("/a can be written by every user");
        Files.setAttribute(folder.resolve("a"), "unix:mode", 01777);
        assertThat(FileOwners.other(file)).isNull();
        assumeThat(FileOwners.isRoot()).as("gives a folder away").isTrue();
        Files.setAttribute(folder.resolve("a"), "unix:uid", NOBODY);
        assertThat(FileOwners.other(file)).contains("/a belongs to user ");
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("a/b"));
        assertThat(FileOwners.other(link)).contains("/a belongs to user ");
    }
}
