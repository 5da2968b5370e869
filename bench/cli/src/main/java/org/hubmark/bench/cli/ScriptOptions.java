package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.page.JUnitFile;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.compare.Comparison;
import org.hubmark.bench.results.compare.ComparisonText;
import org.hubmark.bench.results.compare.Quantity;
import org.hubmark.bench.results.compare.Regressions;
import org.hubmark.bench.results.compare.Rule;
import org.hubmark.bench.results.report.Answer;
import org.hubmark.bench.results.report.TerminalTable;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What scripts and build pipelines want of the commands that measure. */
final class ScriptOptions {
    /** Stands in the results among the settings. */
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = "--name",
            paramLabel = "TEXT",
            description = "Stands at the head of the table and the report, to tell results apart."
                    + " Default: none.")
    private @Nullable String name;

    @Option(
            names = "--json",
            description = "Prints the content of results.json on standard output, and nothing else"
                    + " there. Default: the table.")
    private boolean json;

    @Option(
            names = "--full",
            description = "Prints all rows, with the published columns beside, as the report has"
                    + " them. Default: what one wants to know first.")
    private boolean full;

    @Option(
            names = "--baseline",
            paramLabel = "FILE",
            description = "An earlier results.json, or its folder: says at the end how these"
                    + " results differ from it, as 'compare' does. Default: none.")
    private @Nullable Path baseline;

    @Option(
            names = "--by",
            paramLabel = "rate|cycles|writes",
            converter = Converters.DecidedBy.class,
            description =
                    "With --baseline: what decides, as in 'compare'. Default: the rate; cycles"
                            + " where the rate was asked for and kept.")
    private @Nullable Quantity by;

    @Option(
            names = "--fail-if-slower",
            paramLabel = "PERCENT",
            converter = Converters.Percent.class,
            description = "With --baseline: exit code 1 if a scenario is slower by as much or more"
                    + " (5%%) or can't be compared, 3 if the repeats scatter too much to tell."
                    + " Default: never.")
    private @Nullable Double failIfSlower;

    @Mixin
    private JUnitOption junit;

    private @Nullable Results before;

    /** Reads the baseline and checks the rest, before anything is measured. */
    void check() {
        junit.check();
        if (failIfSlower != null && baseline == null) {
            throw UserError.usage("--fail-if-slower needs --baseline FILE, slower than which");
        }
        before = baseline == null ? null : ResultsArgument.read(baseline);
    }

    /** {@return whether standard output is for the JSON alone} */
    boolean json() {
        return json;
    }

    /** Prints the tables, unless standard output is for the JSON alone. */
    void print(Results results) {
        if (json) {
            return;
        }
        if (full) {
            TerminalTable.print(results, System.out);
        } else {
            Answer.print(results, System.out);
        }
        System.out.println();
    }

    /** Says where the rest is. */
    void printWhere(Path folder) {
        if (!json) {
            System.out.println("results in " + folder
                    + (full ? "" : "; report.html there, or --full, has all rows"));
        }
    }

    /**
     * Prints and writes what was asked for.
     *
     * @param code the exit code so far
     * @return the exit code
     */
    int tell(CommandSpec command, Results results, int code) {
        if (json) {
            System.out.println(results.json());
            System.out.flush();
        }
        List<JUnitFile.Case> cases = new ArrayList<>();
        results.scenarios().forEach(scenario -> cases.add(JUnitOption.validity(scenario)));
        int judged = compare(results, json ? System.err : System.out, cases);
        junit.write(command, cases);
        return code == 0 ? judged : code;
    }

    private int compare(Results results, PrintStream out, List<JUnitFile.Case> cases) {
        Results earlier = before;
        if (earlier == null) {
            return 0;
        }
        Rule rule = Rule.usual(by);
        Comparison comparison = Comparison.of(earlier, results, rule);
        out.println();
        out.println("A: " + baseline);
        out.println("B: these results");
        out.println();
        ComparisonText.print(comparison, rule, out);
        if (failIfSlower == null) {
            return 0;
        }
        List<Regression> found = Regressions.of(comparison, failIfSlower);
        found.forEach(one -> cases.add(JUnitOption.regression(one)));
        return exitCode(found, System.err);
    }

    /** {@return the exit code, after saying what is not as it should be} */
    static int exitCode(List<Regression> found, PrintStream err) {
        boolean worse = false;
        boolean unknown = false;
        for (Regression one : found) {
            switch (one.outcome()) {
                case NOT_WORSE -> {
                    continue;
                }
                case TOO_NOISY, NOT_VALID -> unknown = true;
                case WORSE, NOT_COMPARED -> worse = true;
            }
            err.println("hubmark: " + one.id() + ": " + one.outcome().text() + ", " + one.text());
        }
        if (worse) {
            return Outcomes.SLOWER;
        }
        return unknown ? Outcomes.INVALID : 0;
    }
}
