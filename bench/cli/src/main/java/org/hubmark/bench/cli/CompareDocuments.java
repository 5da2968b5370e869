package org.hubmark.bench.cli;

import org.hubmark.bench.kit.compare.ComparisonReport;
import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Order;
import org.hubmark.bench.kit.compare.Pair;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.page.JUnitFile;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What compare does with a comparison of two results. */
record CompareDocuments(
        CommandSpec spec,
        JUnitOption junit,
        boolean json,
        boolean quiet,
        @Nullable Double failIfSlower,
        CommonOptions.Output output) {
    /**
     * Prints and writes what was asked for.
     *
     * @param isValid false where either is not valid as a whole
     * @param isChanged whether a file of either is not what was written
     * @return the exit code
     */
    int tell(DocumentComparison comparison, Path a, Path b, boolean isValid, boolean isChanged)
            throws IOException {
        if (comparison.pairs().isEmpty()) {
            throw UserError.failed("nothing to compare: " + a + " and " + b
                    + " have no row in common that was measured alike"
                    + (comparison.unmatched().isEmpty()
                            ? ""
                            : " (" + String.join("; ", comparison.unmatched()) + ")")
                    + "; --across names what may differ");
        }
        Path folder = output.folder;
        if (folder != null) {
            if (Studies.isIn(folder)) {
                throw UserError.usage("--output " + folder
                        + " has results whose report would be lost; name another folder");
            }
            ComparisonReport.write(
                    comparison,
                    a.toString(),
                    b.toString(),
                    failIfSlower,
                    output.make().path());
        }
        if (json) {
            System.out.println(comparison.json(a.toString(), b.toString(), failIfSlower));
        } else if (!quiet) {
            System.out.println("A: " + a);
            System.out.println("B: " + b);
            System.out.println();
            comparison.print(System.out);
        }
        System.out.flush();
        List<Regression> found =
                failIfSlower == null ? List.of() : comparison.regressions(failIfSlower);
        boolean invalid = !isValid
                || comparison.pairs().stream()
                        .anyMatch(pair -> pair.verdict() == Verdict.NOT_VALID);
        List<JUnitFile.Case> cases = new ArrayList<>();
        cases.addAll(
                found.isEmpty()
                        ? comparison.pairs().stream()
                                .filter(pair -> pair.verdict() != null)
                                .map(pair -> verdict(pair, comparison.order()))
                                .toList()
                        : found.stream().map(JUnitOption::regression).toList());
        junit.write(spec, cases);
        int code = exitCode(found, System.err);
        return code == 0 && (invalid || isChanged) ? Outcomes.INVALID : code;
    }

    /** {@return the exit code, after saying what is not as it should be} */
    private static int exitCode(List<Regression> found, PrintStream err) {
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

    /** What is only looked at fails nothing. */
    private static JUnitFile.Case verdict(Pair pair, Order order) {
        JUnitFile.Status status = switch (Objects.requireNonNull(pair.verdict())) {
            case FASTER, SLOWER, BETTER, WORSE, EQUIVALENT -> JUnitFile.Status.PASSED;
            case NOT_DISTINGUISHABLE, NO_VERDICT -> JUnitFile.Status.SKIPPED;
            case NOT_VALID -> JUnitFile.Status.ERROR;
        };
        return new JUnitFile.Case(pair.title(), status, pair.text(order));
    }
}
