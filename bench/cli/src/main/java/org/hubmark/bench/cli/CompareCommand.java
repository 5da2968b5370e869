package org.hubmark.bench.cli;

import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.page.JUnitFile;
import org.hubmark.bench.results.compare.Comparison;
import org.hubmark.bench.results.compare.ComparisonJson;
import org.hubmark.bench.results.compare.ComparisonText;
import org.hubmark.bench.results.compare.Difference;
import org.hubmark.bench.results.compare.Pair;
import org.hubmark.bench.results.compare.Quantity;
import org.hubmark.bench.results.compare.Regressions;
import org.hubmark.bench.results.compare.Rule;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

/** Sets two results, or several builds, side by side and says what may be said of their difference. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Sets two results side by side: for each scenario, whether B is faster, slower,"
                    + " equivalent or not distinguishable from A, with the effect and its 95%%"
                    + " interval. Of two results of users it says which of the mail systems holds more,"
                    + " with all levels beside each other.",
            "With --builds it measures two or more builds of Hubmark in one run instead."
        })
public final class CompareCommand implements Callable<Integer> {
    private static final List<String> OF_SCENARIOS =
            List.of("--by", "--across", "--smallest", "--show");

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "A",
            description =
                    "A results.json or users.json, or the folder that holds it: what is compared"
                            + " with. DIR#ID takes one scenario of a results.json, or one cell of a"
                            + " matrix.")
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
            converter = BenchConverters.Percent.class,
            description =
                    "Exit code 1 if a scenario is slower by as much or more (5%%), or one of A"
                            + " can't be compared; with --builds, if a build has a lower rate or"
                            + " needs more CPU than the first by as much or more and the 95%%"
                            + " interval excludes a difference of zero; of results of users, if B"
                            + " holds fewer by as much or more. Exit code 3 if the interval"
                            + " allows for as much and for nothing. Default: never.")
    private @Nullable Double failIfSlower;

    @Option(
            names = "--by",
            paramLabel = "rate|cycles|writes",
            converter = BenchConverters.DecidedBy.class,
            description = "What decides: the rate, or what a message costs in cycles of the"
                    + " server's process or in writes. Default: the rate; cycles where the rate"
                    + " was asked for and kept.")
    private @Nullable Quantity by;

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
            converter = BenchConverters.Percent.class,
            description = "A smaller difference does not matter: two runs of one setting differ"
                    + " by as much. Default: 2%%.")
    private double smallest;

    @Option(
            names = "--show",
            paramLabel = "PERCENT",
            defaultValue = "5%",
            converter = BenchConverters.Percent.class,
            description = "Where two results can't be told apart, says how many repeats would show"
                    + " such a difference. Default: 5%%.")
    private double shown;

    @Option(
            names = "--json",
            description = "Prints JSON on standard output, and nothing else there; with --builds"
                    + " the content of builds.json. Default: tables.")
    private boolean json;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "With --builds, gets builds.json and builds.md; of two results of users,"
                    + " comparison.json, report.html and report.md. Default: nothing is written.")
    private @Nullable Path output;

    @Mixin
    private JUnitOption junit;

    @ArgGroup(exclusive = false)
    private @Nullable BuildsOptions builds;

    @Override
    public Integer call() throws IOException {
        junit.check();
        if (builds != null) {
            requireNoResults();
            return builds.compare(spec, json, output, junit, failIfSlower);
        }
        if (first == null || second == null) {
            throw UserError.usage("compare needs two results, A and B, or --builds REF,REF;"
                    + " see hubmark compare --help");
        }
        Kind kind = Studies.kind(first);
        if (kind != null && kind.equals(Studies.kind(second))) {
            GivenOptions.refuse(
                    spec,
                    List.of("--by", "--show", "--output"),
                    "is not for results of " + kind.name());
            return new CompareDocuments(
                            spec, junit, json, failIfSlower, Set.copyOf(across), smallest)
                    .compare(first, second, kind);
        }
        UsersArgument from = UsersArgument.of(first);
        UsersArgument to = UsersArgument.of(second);
        if (from != null && to != null) {
            GivenOptions.refuse(
                    spec,
                    OF_SCENARIOS,
                    "is for results of run, load and matrix, not for those of users");
            return new CompareUsers(spec, junit, json, failIfSlower, output).compare(from, to);
        }
        GivenOptions.refuse(
                spec, List.of("--output"), "is for --builds and for two results of users");
        if (from != null || to != null) {
            ResultsArgument.of(from == null ? first : second);
            throw UserError.failed("nothing to compare: " + (from == null ? second : first)
                    + " is a result of users, and " + (from == null ? first : second) + " is none");
        }
        return compare(first, second);
    }

    private void requireNoResults() {
        if (first != null) {
            throw UserError.usage(
                    "--builds measures by itself: it takes no results (" + first + ")");
        }
        GivenOptions.refuse(spec, OF_SCENARIOS, "is for two results, not for --builds");
    }

    private int compare(Path a, Path b) {
        Rule rule = new Rule(smallest, by, shown, across());
        ResultsArgument from = ResultsArgument.of(a);
        ResultsArgument to = ResultsArgument.of(b);
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
        if (json) {
            System.out.println(
                    ComparisonJson.of(a.toString(), b.toString(), comparison, rule, failIfSlower)
                            .json());
        } else {
            System.out.println("A: " + a);
            System.out.println("B: " + b);
            System.out.println();
            ComparisonText.print(comparison, rule, System.out);
        }
        System.out.flush();
        boolean changedFrom = from.sayChanged();
        boolean changedTo = to.sayChanged();
        int code = exitCode(comparison);
        return code == 0 && (changedFrom || changedTo) ? Outcomes.INVALID : code;
    }

    private int exitCode(Comparison comparison) {
        List<Regression> found =
                failIfSlower == null ? List.of() : Regressions.of(comparison, failIfSlower);
        List<JUnitFile.Case> cases = found.isEmpty()
                ? comparison.pairs().stream().map(CompareCommand::verdict).toList()
                : found.stream().map(JUnitOption::regression).toList();
        junit.write(spec, cases);
        int code = ScriptOptions.exitCode(found, System.err);
        boolean invalid =
                comparison.pairs().stream().anyMatch(pair -> pair.verdict() == Verdict.NOT_VALID);
        return code == 0 && invalid ? Outcomes.INVALID : code;
    }

    /** What is only looked at fails nothing. */
    private static JUnitFile.Case verdict(Pair pair) {
        JUnitFile.Status status = switch (pair.verdict()) {
            case FASTER, SLOWER, EQUIVALENT -> JUnitFile.Status.PASSED;
            case NOT_DISTINGUISHABLE, NO_VERDICT -> JUnitFile.Status.SKIPPED;
            case NOT_VALID -> JUnitFile.Status.ERROR;
        };
        String text = pair.verdict() == Verdict.NOT_VALID
                ? pair.verdict().text() + ", " + pair.notValid()
                : ComparisonText.verdict(pair);
        return new JUnitFile.Case(pair.id(), status, text);
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
}
