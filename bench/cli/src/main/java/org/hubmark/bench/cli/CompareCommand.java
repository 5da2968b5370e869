package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.bench.results.FileSums;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.compare.Comparison;
import org.hubmark.bench.results.compare.ComparisonText;
import org.hubmark.bench.results.compare.Difference;
import org.hubmark.bench.results.compare.Effect;
import org.hubmark.bench.results.compare.Pair;
import org.hubmark.bench.results.compare.Quantity;
import org.hubmark.bench.results.compare.Rule;
import org.hubmark.bench.results.compare.Verdict;
import org.hubmark.core.FileErrors;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Sets two results, or several builds, side by side and says what may be said of their difference. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Sets two results side by side: for each scenario, whether B is faster, slower,"
                    + " equivalent or not distinguishable from A, with the effect and its 95%%"
                    + " interval.",
            "With --builds it measures two or more builds of Hubmark in one run instead."
        })
public final class CompareCommand implements Callable<Integer> {
    private static final int SLOWER = 1;
    private static final int INVALID = 3;

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "A",
            description = "A results.json, or the folder that holds it: what is compared with."
                    + " DIR#ID takes one scenario of it, or one cell of a matrix.")
    private @Nullable Path first;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "B",
            description = "Likewise: what is judged.")
    private @Nullable Path second;

    @Option(
            names = "--fail-if-slower",
            paramLabel = "PERCENT",
            converter = Converters.Percent.class,
            description =
                    "Exit code 1 if a scenario is slower by as much or more (5%%), or one of A"
                            + " can't be compared; with --builds, if a build has a lower rate or"
                            + " needs more CPU than the first by as much or more and the 95%%"
                            + " interval excludes a difference of zero. Default: never.")
    private @Nullable Double failIfSlower;

    @Option(
            names = "--by",
            paramLabel = "rate|cycles|writes",
            description = "What decides: the rate, or what a message costs in cycles of the"
                    + " server's process or in writes. Default: the rate; cycles where the rate"
                    + " was asked for and kept.")
    private @Nullable String by;

    @Option(
            names = "--across",
            split = ",",
            paramLabel = "CONDITION",
            description = "Conditions that may differ, since they are what is compared: layout,"
                    + " durability, checkpoint-depth-mb, settings and so on. Any other difference is"
                    + " named, and the scenarios are not compared. Default: none.")
    private List<String> across = List.of();

    @Option(
            names = "--smallest",
            paramLabel = "PERCENT",
            defaultValue = "2%",
            converter = Converters.Percent.class,
            description = "A smaller difference does not matter: two runs of one setting differ"
                    + " by as much. Default: 2%%.")
    private double smallest;

    @Option(
            names = "--show",
            paramLabel = "PERCENT",
            defaultValue = "5%",
            converter = Converters.Percent.class,
            description = "Where two results can't be told apart, says how many repeats would show"
                    + " such a difference. Default: 5%%.")
    private double shown;

    @ArgGroup(exclusive = false)
    private @Nullable BuildsOptions builds;

    @Override
    public Integer call() throws IOException {
        if (builds != null) {
            requireNoResults();
            return builds.compare(spec, failIfSlower);
        }
        if (first == null || second == null) {
            throw UserError.usage("compare needs two results, A and B, or --builds REF,REF;"
                    + " see hubmark compare --help");
        }
        return compare(first, second);
    }

    private void requireNoResults() {
        if (first != null) {
            throw UserError.usage(
                    "--builds measures by itself: it takes no results (" + first + ")");
        }
        for (String option : List.of("--by", "--across", "--smallest", "--show")) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw UserError.usage(option + " is for two results, not for --builds");
            }
        }
    }

    private int compare(Path a, Path b) {
        Rule rule = new Rule(smallest, quantity(), shown, across());
        Chosen from = Chosen.of(a);
        Chosen to = Chosen.of(b);
        Comparison comparison = from.id() == null && to.id() == null
                ? Comparison.of(from.results(), to.results(), rule)
                : Comparison.of(
                        from.results(),
                        from.scenario(to.id()),
                        to.results(),
                        to.scenario(from.id()),
                        rule);
        if (comparison.pairs().isEmpty()) {
            throw UserError.failed("nothing to compare: " + a + " and " + b
                    + " have no scenario in common that was measured alike"
                    + (comparison.unmatched().isEmpty()
                            ? ""
                            : " (" + String.join("; ", comparison.unmatched()) + ")")
                    + "; --across names what may differ");
        }
        System.out.println("A: " + a);
        System.out.println("B: " + b);
        System.out.println();
        ComparisonText.print(comparison, rule, System.out);
        boolean changedFrom = from.sayChanged();
        boolean changedTo = to.sayChanged();
        int code = exitCode(comparison);
        return code == 0 && (changedFrom || changedTo) ? INVALID : code;
    }

    private int exitCode(Comparison comparison) {
        Double limit = failIfSlower;
        boolean failed = false;
        if (limit != null) {
            for (Pair pair : comparison.pairs()) {
                Effect decisive = pair.decisive();
                if (pair.verdict() == Verdict.SLOWER
                        && decisive != null
                        && decisive.slowdown() >= limit) {
                    System.err.println(
                            "hubmark: " + pair.id() + ": " + ComparisonText.verdict(pair));
                    failed = true;
                }
            }
            for (String line : comparison.unmatched()) {
                if (!line.endsWith("only in B")) {
                    System.err.println("hubmark: not compared: " + line);
                    failed = true;
                }
            }
        }
        if (failed) {
            return SLOWER;
        }
        return comparison.pairs().stream().anyMatch(pair -> pair.verdict() == Verdict.NOT_VALID)
                ? INVALID
                : 0;
    }

    private @Nullable Quantity quantity() {
        String name = by;
        if (name == null) {
            return null;
        }
        for (Quantity quantity : Quantity.values()) {
            if (quantity.name().toLowerCase(Locale.ROOT).equals(name)) {
                return quantity;
            }
        }
        throw UserError.usage("--by '" + name + "' is not rate, cycles or writes");
    }

    private Set<String> across() {
        for (String name : across) {
            if (!Difference.names().contains(name)) {
                throw UserError.usage("--across '" + name + "' is no condition ("
                        + String.join(", ", Difference.names()) + ")");
            }
        }
        return Set.copyOf(across);
    }

    /**
     * Results, or one scenario of them: DIR or DIR#ID.
     *
     * @param name for messages
     * @param id null for all
     */
    private record Chosen(
            Path name, Results results, @Nullable String id) {
        static Chosen of(Path given) {
            String text = given.toString();
            int mark = text.lastIndexOf('#');
            if (mark < 0 || Files.exists(given)) {
                return new Chosen(given, read(given), null);
            }
            Path path = Path.of(text.substring(0, mark));
            return new Chosen(path, read(path), text.substring(mark + 1));
        }

        /**
         * {@return the scenario that is named}
         *
         * @param other what is named of the other results, for one that has several and names none
         */
        Scenario scenario(@Nullable String other) {
            List<Scenario> scenarios = results.scenarios();
            String wanted = id;
            if (wanted == null && scenarios.size() == 1) {
                return scenarios.getFirst();
            }
            return results.scenario(wanted == null ? String.valueOf(other) : wanted)
                    .orElseThrow(() -> UserError.usage(
                            name + (wanted == null ? " has several scenarios" : " has no " + wanted)
                                    + "; name one of "
                                    + scenarios.stream()
                                            .map(one -> name + "#" + one.id())
                                            .collect(Collectors.joining(", "))));
        }

        /** Says which files are not those that the run wrote. {@return whether any is} */
        boolean sayChanged() {
            Path parent = name.toAbsolutePath().getParent();
            Path folder = Files.isDirectory(name) || parent == null ? name : parent;
            List<String> changed = FileSums.changed(folder, results.rawFiles());
            Outcomes.sayChanged(folder, changed, System.err);
            return !changed.isEmpty();
        }

        private static Results read(Path path) {
            Path file = Files.isDirectory(path) ? path.resolve("results.json") : path;
            if (!Files.exists(file)) {
                throw UserError.usage(file + " is not there; name a results.json or its folder");
            }
            try {
                return Results.read(file);
            } catch (IOException e) {
                throw UserError.failed(FileErrors.reason(e));
            }
        }
    }
}
