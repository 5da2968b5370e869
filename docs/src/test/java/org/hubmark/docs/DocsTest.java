package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.Main;
import org.junit.jupiter.api.Test;

import picocli.CommandLine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Proves that the text speaks of what there is: commands, their options, and files. Reads the pages at
 * the top and all pages below docs, and asks the command line.
 */
class DocsTest {
    private static final Path ROOT = Path.of(System.getProperty("hubmark.root"));
    /** In code: prose may say "hubmark finds". What the scripts do themselves is not in the command line. */
    private static final Pattern COMMAND =
            Pattern.compile("(?<=`|\\./)hubmark (?!(?:test|package)\\b)([a-z][a-z-]*)([^`\n]*)");

    private static final Pattern OF_THE_SCRIPT =
            Pattern.compile("(?:hubmark|dev) (?:test|install)\\b([^`\n]*)");
    private static final Pattern OPTION = Pattern.compile("(?<= )(--[a-z][a-z-]*)");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]+)[^)\\s]*\\)");
    private static final Pattern LITERAL = Pattern.compile("\"([a-z_]+)\"");
    private static final Pattern EVENT = Pattern.compile("\"event\",\\s*\"([a-z_]+)\"");
    private static final Pattern KEY = Pattern.compile("addKeyValue\\(\\s*\"([a-z_]+)\"");
    private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([a-z_]+)` \\| (?:info|warn|error).*\\|([^|]*)\\|$");

    @Test
    void everyCommandThatIsShownExistsWithItsOptions() throws IOException {
        Map<String, CommandLine> commands = commands();
        String script = Files.readString(ROOT.resolve("dev"));
        Set<String> unknown = new TreeSet<>();
        for (Path page : pages()) {
            String text = Files.readString(page);
            COMMAND.matcher(text).results().forEach(shown -> {
                CommandLine command = commands.get(shown.group(1));
                if (command == null || !takesAll(command, found(OPTION, shown.group(2)))) {
                    unknown.add(page + ": " + shown.group());
                }
            });
            OF_THE_SCRIPT.matcher(text).results().forEach(shown -> {
                for (String option : found(OPTION, shown.group(1))) {
                    if (!Pattern.compile("\n +" + option + "\\b.*\\)")
                            .matcher(script)
                            .find()) {
                        unknown.add(page + ": " + shown.group());
                    }
                }
            });
        }
        assertThat(unknown).isEmpty();
    }

    private static boolean takesAll(CommandLine command, Set<String> options) {
        return options.stream()
                .allMatch(option -> Stream.concat(
                                Stream.of(command), command.getSubcommands().values().stream())
                        .anyMatch(one -> one.getCommandSpec().findOption(option) != null));
    }

    @Test
    void theReadmeNamesEveryCommand() throws IOException {
        assertThat(Files.readString(ROOT.resolve("README.md")))
                .contains(commands().keySet().stream()
                        .map(command -> "| `./hubmark " + command + "` |")
                        .toList());
    }

    @Test
    void everyLinkLeadsToAFile() throws IOException {
        for (Path page : pages()) {
            assertThat(found(LINK, Files.readString(page)))
                    .as("links of %s", page)
                    .filteredOn(target -> !target.contains("://"))
                    .allSatisfy(
                            target -> assertThat(page.resolveSibling(target)).exists());
        }
    }

    /** What is logged under a name is in the table of operating.md with its keys, and nothing else is. */
    @Test
    void everyEventOfTheLogIsInTheTable() throws IOException {
        Map<String, Set<String>> logged = new TreeMap<>();
        Set<String> literals = new TreeSet<>();
        for (String module : List.of("queue-store", "smtp-receiver", "hub", "server")) {
            for (Path source : files(ROOT.resolve(module).resolve("src/main/java"), ".java")) {
                String text = Files.readString(source);
                literals.addAll(found(LITERAL, text));
                for (String statement : text.split(";", -1)) {
                    Set<String> keys = found(KEY, statement);
                    keys.remove("event");
                    found(EVENT, statement).forEach(event -> add(logged, event, keys));
                }
            }
        }
        Map<String, Set<String>> listed = new TreeMap<>();
        ROW.matcher(Files.readString(ROOT.resolve("docs/operating.md")))
                .results()
                .forEach(row -> add(listed, row.group(1), found(NAME, row.group(2))));
        assertThat(logged).hasSizeGreaterThan(20);
        assertThat(listed.keySet()).isSubsetOf(literals).containsAll(logged.keySet());
        logged.forEach((event, keys) -> assertThat(listed.get(event)).as(event).isEqualTo(keys));
    }

    private static void add(Map<String, Set<String>> all, String key, Set<String> more) {
        all.computeIfAbsent(key, first -> new TreeSet<>()).addAll(more);
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(one -> one.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, CommandLine> commands() {
        return new TreeMap<>(Main.commandLine().getSubcommands());
    }

    /** {@return the pages at the top, and all below docs} */
    static List<Path> pages() throws IOException {
        Stream<Path> top = Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
                .map(ROOT::resolve);
        return Stream.concat(top, files(ROOT.resolve("docs"), ".md").stream()).toList();
    }

    private static List<Path> files(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(end))
                    .filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .toList();
        }
    }
}
