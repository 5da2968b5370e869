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
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Proves that whatever a command throws is one line, with the details in a file where nobody foresaw it. */
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
    void whatNobodyForesawIsOneLineAndAFile() throws IOException {
        assertDetails("state", "an error of the program itself:", "IllegalStateException: two");
        assertDetails("depth", "an error of the program itself:", "StackOverflowError");
        assertDetails("memory", "out of memory, with at most", "OutOfMemoryError: Java heap space");
    }

    @Test
    void aFileThatFailsIsNamed() {
        assertThat(said("file")).isEqualTo("hubmark: a.json: no such file or folder\n");
    }

    private static void assertDetails(String by, String words, String details) throws IOException {
        String said = said(by);
        assertThat(said).startsWith("hubmark: ").contains(words).hasLineCount(1);
        Matcher file = Pattern.compile("the details are in (\\S+)\n").matcher(said);
        assertThat(file.find()).as("%s", said).isTrue();
        Path written = Path.of(file.group(1));
        assertThat(written).content().contains(details, "\tat org.hubmark.server.");
        Files.delete(written);
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
