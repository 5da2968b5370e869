package org.hubmark.bench.cli;

import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.page.JUnitFile;
import org.hubmark.bench.results.MailDocument;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.compare.MailComparison;
import org.hubmark.bench.results.report.Answer;
import org.hubmark.bench.results.report.TerminalTable;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How run, load and matrix show their results, to people and to scripts. */
final class ScriptOptions {
    /** Stands in the results among the settings. */
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = "--name",
            paramLabel = "TEXT",
            description =
                    "Title of the table and the report, to tell results apart." + " Default: none.")
    private @Nullable String name;

    @Mixin
    private CommonOptions.Json json;

    @Mixin
    private CommonOptions.Quiet quiet;

    @Mixin
    private CommonOptions.Full full;

    @Option(
            names = "--baseline",
            paramLabel = "FILE",
            description = "Earlier results.json, or its folder: prints at the end how these results"
                    + " differ from it, as 'compare' does. Default: none.")
    private @Nullable Path baseline;

    @Mixin
    private CommonOptions.Slower slower;

    @Mixin
    private JUnitOption junit;

    private @Nullable Results before;

    /** Reads the baseline and checks the rest, before anything is measured. */
    void check() {
        junit.check();
        if (slower.failFrom != null && baseline == null) {
            throw UserError.usage("--fail-if-slower needs --baseline FILE to compare with");
        }
        before = baseline == null ? null : ResultsArgument.read(baseline);
    }

    /** {@return whether standard output is for the JSON alone} */
    boolean json() {
        return json.on;
    }

    /** {@return whether only errors are printed} */
    boolean quiet() {
        return quiet.on;
    }

    /** Prints the tables, unless only JSON or errors are printed. */
    void print(Results results) {
        if (json.on || quiet.on) {
            return;
        }
        if (full.on) {
            TerminalTable.print(results, System.out);
        } else {
            Answer.print(results, System.out);
        }
        System.out.println();
    }

    /** Says where the rest is. */
    void printWhere(Path folder) {
        if (!json.on && !quiet.on) {
            System.out.println("results in " + folder
                    + (full.on ? "" : "; report.html there, or --full, has all rows"));
        }
    }

    /**
     * Prints and writes what was asked for.
     *
     * @param code the exit code so far
     * @return the exit code
     */
    int tell(CommandSpec command, Document found, int code) {
        if (json.on) {
            System.out.println(DocumentFile.json(found));
            System.out.flush();
        }
        Results results = MailDocument.results(found);
        List<JUnitFile.Case> cases = new ArrayList<>();
        results.scenarios().forEach(scenario -> cases.add(JUnitOption.validity(scenario)));
        int judged = compare(results, json.on ? System.err : System.out, cases);
        junit.write(command, cases);
        return code == 0 ? judged : code;
    }

    private int compare(Results results, PrintStream out, List<JUnitFile.Case> cases) {
        Results earlier = before;
        if (earlier == null) {
            return 0;
        }
        DocumentComparison comparison = MailComparison.of(earlier, results, Rule.USUAL, slower.by);
        out.println();
        out.println("A: " + baseline);
        out.println("B: these results");
        out.println();
        comparison.print(out);
        Double failFrom = slower.failFrom;
        if (failFrom == null) {
            return 0;
        }
        List<Regression> found = comparison.regressions(failFrom);
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
