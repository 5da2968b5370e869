package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

import java.lang.reflect.AnnotatedElement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What --help says is also what {@code help} and the completion say. What is mistyped is answered with what is
 * like it.
 */
final class HelpTest {
    private static final Path BASH = Path.of("/bin/bash");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "run --duraton 10s, did you mean --duration?",
        "matrx, did you mean matrix?",
        "queue dead-leter 0000000000000, did you mean dead-letter?",
        "run --duration=10s --repeats=2, did you mean --repeat?"
    })
    void saysWhatMayHaveBeenMeant(String arguments, String expected) throws Exception {
        Ended said = CommandInJvm.run(arguments.split(" ", -1));
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.errors()).singleElement(STRING).contains(expected);
    }

    @Test
    void suggestsNothingThatIsNotLikeIt() throws Exception {
        assertThat(CommandInJvm.run("frobnicate").complaint()).doesNotContain("did you mean");
        assertThat(CommandInJvm.run("run", "--xyzzy").complaint()).doesNotContain("did you mean");
    }

    @Test
    void everyDescriptionIsAFormat() {
        everyDescriptionIsAFormat(Main.commandLine());
    }

    private static void everyDescriptionIsAFormat(CommandLine command) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            // As it is written: the parser's own is formatted already, or left as it is.
            Option written = option.userObject() instanceof AnnotatedElement field
                    ? field.getAnnotation(Option.class)
                    : null;
            for (String text : written == null ? new String[0] : written.description()) {
                assertThat(text).doesNotContainPattern("(?<!%)(%%)*%(?![%n])");
            }
        }
        command.getSubcommands().values().forEach(HelpTest::everyDescriptionIsAFormat);
    }

    @Test
    void bashTakesTheCompletion() throws Exception {
        assumeTrue(Files.isExecutable(BASH), () -> "there is no " + BASH);
        Path script = Files.writeString(
                folder.resolve("completion"), CommandInJvm.run("completion").printed());
        Process bash = new ProcessBuilder(
                        BASH.toString(),
                        "-c",
                        "source " + script + "; COMP_WORDS=(hubmark queue del); COMP_CWORD=2;"
                                + " COMP_LINE='hubmark queue del'; _complete_hubmark;"
                                + " echo \"${COMPREPLY[@]}\"")
                // It complains of compopt, which works where a key was pressed.
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String completed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).isZero();
        assertThat(completed.strip()).isEqualTo("delete");
    }
}
