package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Proves that an option has one meaning, the same description and the same default in every command that has
 * it, and that descriptions are short and plain English. Reads the model of the parser.
 */
final class OptionsTest {
    /** Where descriptions begin. */
    private static final int TEXT_COLUMN = 29;

    private static final int PAGE_LINES = 60;

    private static final Pattern OPTION = Pattern.compile(" {2,6}(?:-\\w, )?(--[\\w-]+)");

    private static final Set<String> OF_PICOCLI = Set.of("--help", "--version", "--config");

    /** A description begins with a verb or a noun phrase; with these it begins with neither. */
    private static final Set<String> FIRST_WORDS_BANNED = Set.of(
            "also",
            "as",
            "at",
            "by",
            "for",
            "from",
            "how",
            "if",
            "in",
            "its",
            "likewise",
            "of",
            "on",
            "only",
            "so",
            "that",
            "their",
            "then",
            "to",
            "what",
            "when",
            "where",
            "whether",
            "which",
            "who",
            "with",
            "without");

    private static final Pattern TURN_BANNED = Pattern.compile(
            "\\b(is none|are none|so many|so much|so long|what is|what was|that of|those of|besides?"
                    + "|no rival|rather than|it is that|by as much|gets|as much again|at hand"
                    + "|likewise|nobody|whoever|wants? a|tells? of|lies|stands? in"
                    + "|(?<!there )(is|are) no(?! longer| more| less))\\b"
                    + "|Default: (this|these)\\.|, about \\(");

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
        Map<String, List<Owned>> byName = new TreeMap<>();
        options()
                .filter(one -> !one.option().hidden())
                .forEach(one -> byName.computeIfAbsent(
                                one.option().longestName(), name -> new ArrayList<>())
                        .add(one));
        List<String> different = new ArrayList<>();
        byName.forEach((name, owners) -> {
            Map<String, TreeSet<String>> meanings = new TreeMap<>();
            Map<String, TreeSet<String>> texts = new TreeMap<>();
            for (Owned owner : owners) {
                meanings.computeIfAbsent(owner.meaning(), text -> new TreeSet<>())
                        .add(owner.command());
                if (!owner.hasAddition()) {
                    texts.computeIfAbsent(withoutOwnDefault(owner), text -> new TreeSet<>())
                            .add(owner.command());
                }
            }
            if (meanings.size() > 1) {
                different.add(name + " " + meanings);
            }
            if (texts.size() > 1) {
                different.add(name + " " + texts);
            }
        });
        assertThat(different).isEmpty();
    }

    /** As {@code --help} shows it on a terminal of 80 columns. */
    @Test
    void aDescriptionTakesTwoLinesAtMost() {
        List<String> longer = new ArrayList<>();
        commands().forEach((name, spec) -> {
            int lines = 0;
            String option = "";
            for (String line : spec.commandLine().getUsageMessage().split("\\R", -1)) {
                Matcher begun = OPTION.matcher(line);
                if (begun.lookingAt()) {
                    option = begun.group(1);
                    lines = 0;
                } else if (!line.startsWith(" ")) {
                    option = "";
                }
                if (line.length() > TEXT_COLUMN && line.charAt(TEXT_COLUMN - 1) == ' ') {
                    lines++;
                }
                if (lines == 3 && !option.isEmpty()) {
                    longer.add(name + " " + option);
                    option = "";
                }
            }
        });
        assertThat(longer).isEmpty();
    }

    /** Of a command and of each below it. */
    @Test
    void aPageOfHelpFitsAScreen() {
        commands()
                .forEach((name, spec) -> assertThat(
                                spec.commandLine().getUsageMessage().lines())
                        .as("lines of %s --help", name)
                        .hasSizeLessThanOrEqualTo(PAGE_LINES));
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

    @Test
    void everyDefaultOfACommandIsThatOfAnOption() {
        Set<String> keys = new TreeSet<>();
        options().forEach(one -> keys.add(one.key()));
        assertThat(keys).containsAll(OwnDefaults.VALUES.keySet());
    }

    @Test
    void descriptionsArePlainEnglish() {
        List<String> bad = new ArrayList<>();
        commands().forEach((name, spec) -> {
            for (String line : spec.usageMessage().description()) {
                check(bad, name, line, line.startsWith(" "));
            }
            for (PositionalParamSpec argument : spec.positionalParameters()) {
                check(
                        bad,
                        name + " " + argument.paramLabel(),
                        String.join(" ", argument.description()),
                        false);
            }
        });
        options()
                .forEach(one ->
                        check(bad, one.key(), String.join(" ", one.option().description()), false));
        assertThat(bad).isEmpty();
    }

    private static void check(List<String> bad, String where, String text, boolean isExample) {
        String first = text.split("[\\s,:;]", 2)[0];
        if (!isExample && FIRST_WORDS_BANNED.contains(first.toLowerCase(Locale.ROOT))) {
            bad.add(where + ": begins with '" + first + "': " + text);
        }
        if (!isExample && !Character.isUpperCase(text.charAt(0))) {
            bad.add(where + ": begins without a capital: " + text);
        }
        if (TURN_BANNED.matcher(text).find()) {
            bad.add(where + ": has a banned turn: " + text);
        }
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
