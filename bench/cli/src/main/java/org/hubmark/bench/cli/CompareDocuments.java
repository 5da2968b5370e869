package org.hubmark.bench.cli;

import org.hubmark.bench.kit.compare.ComparisonReport;
import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Order;
import org.hubmark.bench.kit.compare.OwnComparison;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.page.JUnitFile;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What compare does with two documents of one kind. */
record CompareDocuments(
        CommandSpec spec,
        JUnitOption junit,
        boolean json,
        boolean quiet,
        @Nullable Double failIfSlower,
        Set<String> across,
        double smallest,
        CommonOptions.Output output) {
    /** {@return the exit code, after printing and writing what was asked for} */
    int compare(Path a, Path b, Kind kind) throws IOException {
        Document from = Studies.read(a, kind);
        Document to = Studies.read(b, kind);
        DocumentComparison comparison =
                DocumentComparison.of(from, to, across, smallest, Studies.own(from, to));
        OwnComparison own = comparison.own();
        if (comparison.pairs().isEmpty() && own == null) {
            throw UserError.failed("nothing to compare: " + a + " and " + b
                    + " have no row in common that was measured alike"
                    + (comparison.unmatched().isEmpty()
                            ? ""
                            : " (" + String.join("; ", comparison.unmatched()) + ")")
                    + "; --across names what may differ");
        }
        Path folder = output.folder;
        if (folder != null) {
            if (Studies.kind(folder) != null || Files.exists(folder.resolve("results.json"))) {
                throw UserError.usage("--output " + folder
                        + " has results whose report would be lost; name another folder");
            }
            ComparisonReport.write(
                    comparison, a.toString(), b.toString(), output.make().path());
        }
        if (json) {
            System.out.println(comparison.json(a.toString(), b.toString()));
        } else if (!quiet) {
            System.out.println("A: " + a);
            System.out.println("B: " + b);
            System.out.println();
            comparison.print(System.out);
        }
        System.out.flush();
        boolean changedFrom = Studies.sayChanged(a, from);
        boolean changedTo = Studies.sayChanged(b, to);
        List<Regression> found =
                failIfSlower == null ? List.of() : comparison.regressions(failIfSlower);
        boolean invalid = isInvalid(from) || isInvalid(to);
        List<JUnitFile.Case> cases = new ArrayList<>();
        if (found.isEmpty() && own != null) {
            cases.add(new JUnitFile.Case(
                    kind.name(),
                    invalid ? JUnitFile.Status.ERROR : JUnitFile.Status.PASSED,
                    own.answer()));
        }
        cases.addAll(
                found.isEmpty()
                        ? comparison.pairs().stream()
                                .filter(pair -> pair.verdict() != null)
                                .map(pair -> verdict(pair, comparison.order()))
                                .toList()
                        : found.stream().map(JUnitOption::regression).toList());
        junit.write(spec, cases);
        int code = ScriptOptions.exitCode(found, System.err);
        return code == 0 && (invalid || changedFrom || changedTo) ? Outcomes.INVALID : code;
    }

    private static boolean isInvalid(Document document) {
        return document.findings().outcome() == Findings.Outcome.NOT_VALID;
    }

    /** What is only looked at fails nothing. */
    private static JUnitFile.Case verdict(DocumentComparison.Pair pair, Order order) {
        Verdict verdict = Objects.requireNonNull(pair.verdict());
        JUnitFile.Status status = switch (verdict) {
            case FASTER, SLOWER, BETTER, WORSE, EQUIVALENT -> JUnitFile.Status.PASSED;
            case NOT_DISTINGUISHABLE, NO_VERDICT -> JUnitFile.Status.SKIPPED;
            case NOT_VALID -> JUnitFile.Status.ERROR;
        };
        return new JUnitFile.Case(
                pair.row() + ", " + pair.column().heading(), status, verdict.text(order));
    }
}
