package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.compare.Comparison;
import org.hubmark.bench.results.compare.ComparisonText;
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
import java.util.concurrent.Callable;

/** Sets two results, or several builds, side by side and says what may be said of their difference. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Sets two results side by side: for each scenario, whether B is faster, slower"
                    + " or not distinguishable from A, with the effect and its 95%% interval.",
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
            description = "A results.json, or the folder that holds it: what is compared with.")
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
            paramLabel = "auto|rate|cycles|writes",
            defaultValue = "auto",
            description =
                    "What decides: the rate, what a message costs in cycles or in writes; auto"
                            + " takes the first of these whose interval is within 5%%."
                            + " Default: ${DEFAULT-VALUE}.")
    private String by;

    @Option(
            names = "--smallest",
            paramLabel = "PERCENT",
            defaultValue = "2%",
            converter = Converters.Percent.class,
            description = "Ignores smaller differences: two runs of one setting differ by as much."
                    + " Default: 2%%.")
    private double smallest;

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
        for (String option : List.of("--by", "--smallest")) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw UserError.usage(option + " is for two results, not for --builds");
            }
        }
    }

    private int compare(Path a, Path b) {
        Rule rule = new Rule(smallest, quantity());
        Comparison comparison = Comparison.of(read(a), read(b), rule);
        if (comparison.pairs().isEmpty()) {
            throw UserError.failed("nothing to compare: " + a + " and " + b
                    + " have no scenario in common"
                    + (comparison.unmatched().isEmpty()
                            ? ""
                            : " (" + String.join("; ", comparison.unmatched()) + ")"));
        }
        System.out.println("A: " + a);
        System.out.println("B: " + b);
        System.out.println();
        ComparisonText.print(comparison, System.out);
        return exitCode(comparison);
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
        if (by.equals("auto")) {
            return null;
        }
        for (Quantity quantity : Quantity.values()) {
            if (quantity.name().toLowerCase(Locale.ROOT).equals(by)) {
                return quantity;
            }
        }
        throw UserError.usage("--by '" + by + "' is not auto, rate, cycles or writes");
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
