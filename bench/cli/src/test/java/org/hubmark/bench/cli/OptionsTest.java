package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

import java.lang.reflect.AnnotatedElement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Proves that an option has one meaning, the same description and the same default in every command that has
 * it, that help shows defaults and fits a screen, and that a shell can complete. Reads the model of the parser.
 */
final class OptionsTest {
    private static final int PAGE_LINES = 60;

    private static final Set<String> OF_PICOCLI = Set.of("--help", "--version", "--config");

    private static final Path BASH = Path.of("/bin/bash");

    private record Owned(String command, OptionSpec option) {
        String key() {
            return command + " " + option.longestName();
        }

        String text() {
            String label = option.arity().max() == 0 ? "" : option.paramLabel();
            return label + ": " + description();
        }

        String description() {
            return String.join(" ", option.description());
        }

        /** What it is in each command: the words up to a semicolon, or else the first sentence. */
        String meaning() {
            String text = description();
            int end = text.indexOf(';');
            return text.substring(0, end < 0 ? text.indexOf('.') : end);
        }

        /** After a semicolon stands what a command adds. */
        boolean hasAddition() {
            return description().indexOf(';') >= 0;
        }
    }

    @Test
    void anOptionIsTheSameInEveryCommand() {
        Map<String, Set<String>> meanings = new TreeMap<>();
        Map<String, Set<String>> texts = new TreeMap<>();
        options().filter(one -> !one.option().hidden()).forEach(one -> {
            String name = one.option().longestName();
            meanings.computeIfAbsent(name, key -> new TreeSet<>()).add(one.meaning());
            if (!one.hasAddition()) {
                texts.computeIfAbsent(name, key -> new TreeSet<>()).add(withoutOwnDefault(one));
            }
        });
        assertThat(options().map(Owned::key)).containsAll(OwnDefaults.VALUES.keySet());
        assertThat(meanings.values()).allSatisfy(all -> assertThat(all).hasSize(1));
        assertThat(texts.values()).allSatisfy(all -> assertThat(all).hasSize(1));
    }

    /** A default of its own has its reason where it is stated. */
    private static String withoutOwnDefault(Owned owned) {
        String own = OwnDefaults.VALUES.get(owned.key());
        if (own == null) {
            return owned.text();
        }
        assertThat(owned.text()).as(owned.key()).endsWith("Default: " + own + ".");
        OptionSpec option = owned.option();
        String usual =
                Objects.toString(option.defaultValue(), String.valueOf(option.initialValue()));
        assertThat(usual).as(owned.key()).isNotEqualTo(own);
        return owned.text().replace("Default: " + own, "Default: " + usual);
    }

    /** Of a command and of each below it. */
    @Test
    void aPageOfHelpFitsAScreenAndShowsTheDefaultOfEveryOption() {
        commands()
                .forEach((name, spec) -> assertThat(
                                spec.commandLine().getUsageMessage().lines())
                        .as("lines of %s --help", name)
                        .hasSizeLessThanOrEqualTo(PAGE_LINES));
        assertThat(options().filter(one -> !one.option().hidden()))
                .allSatisfy(one -> assertThat(one.description())
                        .as(one.key())
                        .containsAnyOf("Default: ", "Required."));
    }

    /** As it is written: the parser's own is formatted already, or left as it is. */
    @Test
    void everyDescriptionIsAFormat() {
        options().forEach(one -> {
            if (one.option().userObject() instanceof AnnotatedElement field
                    && field.isAnnotationPresent(Option.class)) {
                assertThat(field.getAnnotation(Option.class).description())
                        .allSatisfy(text ->
                                assertThat(text).doesNotContainPattern("(?<!%)(%%)*%(?![%n])"));
            }
        });
    }

    @Test
    void bashTakesTheCompletion(@TempDir Path folder) throws Exception {
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

    private static Stream<Owned> options() {
        return commands().entrySet().stream()
                .flatMap(command -> command.getValue().options().stream()
                        .filter(option -> !OF_PICOCLI.contains(option.longestName()))
                        .map(OptionHelp::shown)
                        .map(option -> new Owned(command.getKey(), option)));
    }

    private static Map<String, CommandSpec> commands() {
        Map<String, CommandSpec> all = new TreeMap<>();
        add(all, Main.commandLine());
        return all;
    }

    private static void add(Map<String, CommandSpec> all, CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        all.put(spec.qualifiedName().replaceFirst("^hubmark ", ""), spec);
        command.getSubcommands().values().forEach(below -> add(all, below));
    }
}
