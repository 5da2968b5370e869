package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Proves that a terminal has one line, which never breaks and is taken away, and a file a line a phase. */
class TerminalProgressTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void aTerminalHasOneLine() {
        try (TerminalProgress progress = new TerminalProgress(err, false, true)) {
            progress.phase("57KB 1/3", Duration.ofSeconds(10));
            progress.elapsed(Duration.ofSeconds(4), "1000 msg/s".repeat(20));
        }
        String[] lines = bytes.toString(StandardCharsets.UTF_8).split("\r\u001b\\[K", -1);
        assertThat(lines).hasSize(4);
        assertThat(lines[1]).isEqualTo("57KB 1/3: 0 of 10 s");
        assertThat(lines[2]).startsWith("57KB 1/3: 4 of 10 s, 1000 msg/s").hasSize(79);
        assertThat(lines[3]).isEmpty();
    }

    @Test
    void elsewhereIsALineAPhase() {
        try (TerminalProgress progress = new TerminalProgress(err, false, false)) {
            progress.phase("drain", Duration.ZERO);
            progress.elapsed(Duration.ofSeconds(1), "2000 msg/s");
            progress.phase("57KB 2/3", Duration.ofSeconds(10));
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .isEqualTo(String.format("drain%n57KB 2/3 (10.0 s)%n"));
    }

    @Test
    void aDumbTerminalAndAFileAreNone(@TempDir Path folder) throws IOException {
        Path pts = Files.createSymbolicLink(folder.resolve("2"), Path.of("/dev/pts/0"));
        Path file = Files.createSymbolicLink(folder.resolve("3"), folder.resolve("log"));
        assertThat(TerminalProgress.isTerminal(pts, "xterm")).isTrue();
        assertThat(TerminalProgress.isTerminal(pts, null)).isTrue();
        assertThat(TerminalProgress.isTerminal(pts, "dumb")).isFalse();
        assertThat(TerminalProgress.isTerminal(file, "xterm")).isFalse();
    }
}
