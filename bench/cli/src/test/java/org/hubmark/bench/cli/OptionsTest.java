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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Proves that an option has the same description and the same default in every command that has it, and
 * that descriptions are plain English. Reads the model of the parser; each exception has its reason.
 */
final class OptionsTest {
    private static final Set<String> OF_PICOCLI = Set.of("--help", "--version", "--config");

    /** Commands whose option of a name is another one, and why. */
    private static final Map<String, String> OWN = Map.ofEntries(
            Map.entry("volumes probe --duration", "it is that of all steps together"),
            Map.entry("qualify --duration", "its default depends on the form of the test"),
            Map.entry("volumes create --size", "of a volume"),
            Map.entry("volumes probe --size", "of a file"),
            Map.entry("durability --class", "of what a server promises"),
            Map.entry("qualify --users", "mailboxes, which make a target"),
            Map.entry("qualify --mailbox", "makes the size of databases"),
            Map.entry("scale-out --users", "they make a rate"),
            Map.entry("plan --users", "a demand"),
            Map.entry("users --users", "levels, or a search"),
            Map.entry("qualify --read-latency", "a limit of the test"),
            Map.entry("users --profile", "of a user"),
            Map.entry("volumes create --profile", "of a device"),
            Map.entry("queue list --state", "of a message"),
            Map.entry("run --quick", "it stands for options of run"),
            Map.entry("qualify --quick", "it stands for phases"),
            Map.entry("watch --volume", "folders of a server, with their roles"),
            Map.entry("queue export --to", "of messages"),
            Map.entry("load --count", "ends a repeat"),
            Map.entry("durability --crashes", "there are classes, and a time in place of a number"),
            Map.entry("cluster crash --crashes", "there are no classes"),
            Map.entry("durability --kinds", "of crashes"),
            Map.entry("cluster crash --kinds", "of faults of a cluster"),
            Map.entry("scale-out --rate", "it is that of hosts, and is not searched for"),
            Map.entry("plan --set", "an input of the plan"),
            Map.entry("serve --audit", "hidden; run tells the hub by it"),
            Map.entry("serve --deliver", "a first try must not lose mail, and all next hops are"),
            Map.entry("run --deliver", "what is measured usually is the hub alone"),
            Map.entry("matrix --checkpoint-depth", "layouts are compared with a smaller one"),
            Map.entry("matrix --deliver", "discard and hold alone"),
            Map.entry("qualify --log-volume", "of databases"),
            Map.entry("run --log-volume", "the volumes are made, and removed"),
            Map.entry("matrix --log-volume", "the same as run"),
            Map.entry("run --queue-volume", "the volumes are made, and removed"),
            Map.entry("matrix --queue-volume", "the same as run"),
            Map.entry("run --tracking-volume", "the volumes are made, and removed"),
            Map.entry("matrix --tracking-volume", "the same as run"),
            Map.entry("sink --listen", "a sink runs beside a hub: another port"),
            Map.entry("users --target-volume", "the target has several volumes"));

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
            return label + ": " + String.join(" ", option.description());
        }
    }

    @Test
    void anOptionIsTheSameInEveryCommand() {
        Map<String, List<Owned>> byName = new TreeMap<>();
        options()
                .filter(one -> !one.option().hidden())
                .filter(one -> !OWN.containsKey(one.key()))
                .forEach(one -> byName.computeIfAbsent(
                                one.option().longestName(), name -> new ArrayList<>())
                        .add(one));
        List<String> different = new ArrayList<>();
        byName.forEach((name, owners) -> {
            Map<String, TreeSet<String>> texts = new TreeMap<>();
            for (Owned owner : owners) {
                texts.computeIfAbsent(withoutOwnDefault(owner), text -> new TreeSet<>())
                        .add(owner.command());
            }
            if (texts.size() > 1) {
                different.add(name + " " + texts);
            }
        });
        assertThat(different).isEmpty();
    }

    /** A default of its own has its reason where it is stated. */
    private static String withoutOwnDefault(Owned owned) {
        String own = OwnDefaults.VALUES.get(owned.key());
        if (own == null) {
            return owned.text();
        }
        assertThat(owned.text()).as(owned.key()).endsWith("Default: " + own + ".");
        OptionSpec option = owned.option();
        assertThat(option.defaultValue()).as(owned.key()).isNotEqualTo(own);
        return owned.text().replace("Default: " + own, "Default: " + option.defaultValue());
    }

    @Test
    void everyExceptionIsOne() {
        Set<String> keys = new TreeSet<>();
        options().forEach(one -> keys.add(one.key()));
        assertThat(keys).containsAll(OWN.keySet()).containsAll(OwnDefaults.VALUES.keySet());
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
