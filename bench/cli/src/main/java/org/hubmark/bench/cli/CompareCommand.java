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
import org.hubmark.bench.results.compare.Regressions;
import org.hubmark.bench.results.compare.Rule;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

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

/** Compares two results, or several builds. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compares two results: whether B is faster than A, slower, equivalent or not"
                    + " distinguishable, for each scenario, with the effect and its interval."
                    + " For two results of users, it says which mail system holds more users, and"
                    + " judges the levels that both played.",
            "Measures and compares two or more builds of Hubmark in one run if --builds is given."
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
                    "Result to compare with: a results.json or users.json, or the folder that holds it."
                            + " DIR#ID takes one scenario of a results.json, or one cell of a"
                            + " matrix.")
    private @Nullable Path first;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "B",
            description = "Result to judge, named in the same way.")
    private @Nullable Path second;

    @Mixin
    private CommonOptions.Slower slower;

    @Option(
            names = "--across",
            split = ",",
            paramLabel = "CONDITION",
            description = "Conditions that may differ between A and B: layout, durability,"
                    + " checkpoint-depth-mb, settings, device, kernel and so on. Scenarios with any"
                    + " other difference are named and not compared. Default: none.")
    private List<String> across = List.of();

    @Option(
            names = "--smallest",
            paramLabel = "PERCENT",
            defaultValue = "2%",
            converter = BenchConverters.Percent.class,
            description = "Smallest difference that matters; two runs of one setting may differ by"
                    + " 2%%. Default: 2%%.")
    private double smallest;

    @Option(
            names = "--show",
            paramLabel = "PERCENT",
            defaultValue = "5%",
            converter = BenchConverters.Percent.class,
            description = "Difference for which the number of repeats that would show it is printed"
                    + " if the results are not distinguishable. Default: 5%%.")
    private double shown;

    @Mixin
    private CommonOptions.Json json;

    @Mixin
    private CommonOptions.Quiet quiet;

    @Mixin
    private CommonOptions.Output output;

    @Mixin
    private JUnitOption junit;

    @Mixin
    private BuildsOptions builds;

    @Override
    public Integer call() throws IOException {
        junit.check();
        if (builds.asked(spec)) {
            requireNoResults();
            return builds.compare(spec, json, quiet, output, junit, slower.failFrom);
        }
        if (first == null || second == null) {
            throw UserError.usage("compare needs two results, A and B, or --builds REF,REF;"
                    + " see hubmark compare --help");
        }
        Kind kind = Studies.kind(first);
        if (kind != null && kind.equals(Studies.kind(second))) {
            GivenOptions.refuse(
                    spec, List.of("--by", "--show"), "is not for results of " + kind.name());
            return new CompareDocuments(
                            spec,
                            junit,
                            json.on,
                            quiet.on,
                            slower.failFrom,
                            Set.copyOf(across),
                            smallest,
                            output)
                    .compare(first, second, kind);
        }
        GivenOptions.refuse(
                spec, List.of("--output"), "is not for results of run, load and matrix");
        Kind other = Studies.kind(second);
        Kind one = kind == null ? other : kind;
        if (one != null) {
            if (kind == null || other == null) {
                // Says what is wrong with one that is no result at all.
                ResultsArgument.of(kind == null ? first : second);
            }
            throw UserError.failed("nothing to compare: " + (kind == null ? second : first)
                    + " is a result of " + one.name() + ", and "
                    + (kind == null ? first : second) + " is not");
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
        Rule rule = new Rule(smallest, slower.by, shown, across());
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
        if (json.on) {
            System.out.println(
                    ComparisonJson.of(a.toString(), b.toString(), comparison, rule, slower.failFrom)
                            .json());
        } else if (!quiet.on) {
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
        Double failFrom = slower.failFrom;
        List<Regression> found =
                failFrom == null ? List.of() : Regressions.of(comparison, failFrom);
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
            case FASTER, SLOWER, BETTER, WORSE, EQUIVALENT -> JUnitFile.Status.PASSED;
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
                throw UserError.usage("--across '" + name + "' is not a condition ("
                        + String.join(", ", Difference.names()) + ")");
            }
        }
        return Set.copyOf(across);
    }
}
