package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.api.SoftAssertions;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Proves that the text speaks of what there is: commands, their options, and files. Reads the pages at
 * the top and all pages below docs, and asks the command line.
 */
class DocsTest {
    private static final Path ROOT = Path.of(System.getProperty("hubmark.root"));
    /** What the script does itself, without the command line behind it. */
    private static final Set<String> OF_THE_SCRIPT = Set.of("test", "package");

    private static final Pattern COMMAND = Pattern.compile("hubmark ([a-z][a-z-]*)([^`\n]*)");
    private static final Pattern OPTION = Pattern.compile("(?<= )--[a-z][a-z-]*");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

    @Test
    void everyCommandThatIsShownExistsWithItsOptions() throws IOException {
        Map<String, CommandLine> commands = commands();
        SoftAssertions softly = new SoftAssertions();
        for (Path page : pages()) {
            Matcher shown = COMMAND.matcher(Files.readString(page));
            while (shown.find()) {
                if (!OF_THE_SCRIPT.contains(shown.group(1)) && isCode(page, shown.start())) {
                    CommandLine command = commands.get(shown.group(1));
                    softly.assertThat(command).as("%s: %s", page, shown.group()).isNotNull();
                    if (command != null) {
                        checkOptions(softly, page, command, shown.group(2));
                    }
                }
            }
        }
        softly.assertAll();
    }

    @Test
    void theReadmeNamesEveryCommand() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        for (String command : commands().keySet()) {
            assertThat(readme).contains("| `./hubmark " + command + "` |");
        }
    }

    @Test
    void whatIsSaidOfTheScriptsCommandsIsWhatItTakes() throws IOException {
        String script = Files.readString(ROOT.resolve("dev"));
        SoftAssertions softly = new SoftAssertions();
        for (Path page : pages()) {
            Matcher shown = Pattern.compile("(?:hubmark|dev) (test|install)\\b([^`\n]*)")
                    .matcher(Files.readString(page));
            while (shown.find()) {
                Matcher used = OPTION.matcher(shown.group(2));
                while (used.find()) {
                    softly.assertThat(script)
                            .as("%s: %s", page, shown.group())
                            .containsPattern("\n +" + used.group() + "\\b.*\\)");
                }
            }
        }
        softly.assertAll();
    }

    @Test
    void everyLinkLeadsToAFile() throws IOException {
        SoftAssertions softly = new SoftAssertions();
        for (Path page : pages()) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                String target = link.group(1).replaceFirst("#.*", "");
                if (!target.isEmpty() && !target.contains("://")) {
                    softly.assertThat(page.resolveSibling(target))
                            .as("in %s", page)
                            .exists();
                }
            }
        }
        softly.assertAll();
    }

    /** What is logged under a name is in the table of operating.md, and nothing else is. */
    @Test
    void everyEventOfTheLogIsInTheTable() throws IOException {
        Pattern literal = Pattern.compile("\"([a-z_]+)\"");
        Pattern event = Pattern.compile("\"event\",\\s*\"([a-z_]+)\"");
        Set<String> literals = new TreeSet<>();
        Set<String> events = new TreeSet<>();
        for (String module : List.of("queue-store", "smtp-receiver", "hub", "server")) {
            for (Path source : files(ROOT.resolve(module).resolve("src/main/java"), ".java")) {
                String text = Files.readString(source);
                literal.matcher(text).results().map(found -> found.group(1)).forEach(literals::add);
                event.matcher(text).results().map(found -> found.group(1)).forEach(events::add);
            }
        }
        Set<String> listed = Pattern.compile("(?m)^\\| `([a-z_]+)` \\| (?:info|warn|error)")
                .matcher(Files.readString(ROOT.resolve("docs/operating.md")))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(events).isNotEmpty().isSubsetOf(listed);
        assertThat(listed).isSubsetOf(literals);
    }

    /** The keys of an event are those that its row names. */
    @Test
    void everyKeyOfAnEventIsInItsRow() throws IOException {
        Pattern key = Pattern.compile("addKeyValue\\(\\s*\"([a-z_]+)\"");
        Pattern event = Pattern.compile("addKeyValue\\(\\s*\"event\",\\s*\"([a-z_]+)\"");
        Map<String, Set<String>> logged = new TreeMap<>();
        for (String module : List.of("queue-store", "smtp-receiver", "hub", "server")) {
            for (Path source : files(ROOT.resolve(module).resolve("src/main/java"), ".java")) {
                for (String statement : Files.readString(source).split(";", -1)) {
                    Matcher named = event.matcher(statement);
                    if (named.find()) {
                        Set<String> keys =
                                logged.computeIfAbsent(named.group(1), unused -> new TreeSet<>());
                        key.matcher(statement)
                                .results()
                                .map(found -> found.group(1))
                                .filter(found -> !found.equals("event"))
                                .forEach(keys::add);
                    }
                }
            }
        }
        Map<String, Set<String>> listed = new TreeMap<>();
        Matcher row = Pattern.compile(
                        "(?m)^\\| `([a-z_]+)` \\| (?:info|warn|error).*\\|([^|]*)\\|$")
                .matcher(Files.readString(ROOT.resolve("docs/operating.md")));
        while (row.find()) {
            Set<String> keys = listed.computeIfAbsent(row.group(1), unused -> new TreeSet<>());
            Pattern.compile("`([a-z_]+)`")
                    .matcher(row.group(2))
                    .results()
                    .forEach(found -> keys.add(found.group(1)));
        }
        assertThat(logged).hasSizeGreaterThan(20);
        assertThat(listed).containsAllEntriesOf(logged);
    }

    /** Within backquotes or in an indented or fenced block: prose may say "hubmark finds". */
    private static boolean isCode(Path page, int position) throws IOException {
        String before = Files.readString(page).substring(0, position);
        return before.endsWith("`") || before.endsWith("./");
    }

    private static void checkOptions(
            SoftAssertions softly, Path page, CommandLine command, String arguments) {
        Matcher option = OPTION.matcher(arguments);
        while (option.find()) {
            boolean known = Stream.concat(
                            Stream.of(command), command.getSubcommands().values().stream())
                    .anyMatch(one -> one.getCommandSpec().findOption(option.group()) != null);
            softly.assertThat(known)
                    .as("%s: %s of %s", page, option.group(), command.getCommandName())
                    .isTrue();
        }
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
