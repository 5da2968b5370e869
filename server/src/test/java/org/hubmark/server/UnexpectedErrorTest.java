package org.hubmark.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.Callable;

/** Proves that whatever a command throws is one line, with the place where nobody foresaw it. */
class UnexpectedErrorTest {
    @Command(name = "hubmark")
    static final class Top {}

    @Command(name = "fails")
    static final class Fails implements Callable<Integer> {
        @Option(names = "--by")
        private String by;

        @Override
        public Integer call() throws IOException {
            switch (by) {
                case "file" -> throw new UncheckedIOException(new NoSuchFileException("a.json"));
                case "memory" -> throw new OutOfMemoryError("Java heap space");
                case "depth" -> throw new StackOverflowError();
                default -> throw new IllegalStateException("two\n\tlines");
            }
        }
    }

    @Test
    void whatNobodyForesawIsOneLine() {
        String place = " at org.hubmark.server.UnexpectedErrorTest$Fails.call(";
        assertThat(said("state"))
                .startsWith("hubmark: internal error: ")
                .contains("IllegalStateException: two lines", place)
                .hasLineCount(1);
        assertThat(said("depth")).contains("StackOverflowError", place).hasLineCount(1);
        assertThat(said("memory"))
                .startsWith("hubmark: out of memory, with at most ")
                .contains("Java heap space")
                .hasLineCount(1);
    }

    @Test
    void aFileThatFailsIsNamed() {
        assertThat(said("file")).isEqualTo("hubmark: a.json: no such file or folder\n");
    }

    private static String said(String by) {
        StringWriter errors = new StringWriter();
        String[] arguments = {"fails", "--by=" + by};
        CommandLine line =
                CommandParser.of(new Top(), "1", List.<Class<?>>of(Fails.class), arguments);
        line.setErr(new PrintWriter(errors));
        assertThat(CommandParser.execute(line, arguments)).isEqualTo(1);
        return errors.toString();
    }
}
