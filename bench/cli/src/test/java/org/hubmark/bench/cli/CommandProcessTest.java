package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Proves that a command is not held up by those who only look at its standard error. */
@Timeout(120)
class CommandProcessTest {
    private static final int LINES = 100_000;

    @TempDir
    Path folder;

    @Test
    void whatIsPrintedAndNotReadYetIsKept() throws Exception {
        // More than a pipe holds.
        List<String> starter = List.of(
                "sh", "-c", "yes | head -n " + LINES + "; echo said >&2; exec \"$@\"", "sh");
        try (CommandProcess command = CommandProcess.startUnder(starter, folder, "--version")) {
            command.awaitError(line -> line.equals("said"));
            CommandProcess.Ended ended = command.end();
            assertThat(ended.exitCode()).isZero();
            assertThat(ended.out()).hasSize(LINES + 1).startsWith("y");
            assertThat(ended.out().getLast()).startsWith("hubmark ");
        }
    }
}
