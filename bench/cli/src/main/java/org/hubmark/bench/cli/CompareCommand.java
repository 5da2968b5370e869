package org.hubmark.bench.cli;

import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.MachineDifference;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.document.CaseResult;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.mail.compare.MailComparison;
import org.hubmark.bench.mail.compare.Quantity;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.report.MailReport;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Compares two results. */
@Command(
        name = "compare",
        description = "Compares two results: whether B is faster than A, slower, equivalent or not"
                + " distinguishable, for each scenario or level of users, with the effect and its"
                + " interval.")
public final class CompareCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "A",
            description = "Result to compare with: its file, such as results.json, or its folder.")
    private Path first;

    @Parameters(
            index = "1",
            paramLabel = "B",
            description = "Result to judge, named in the same way.")
    private Path second;

    @Option(
            names = "--by",
            description = "Quantity that decides. Default: the rate, or cycles at a fixed rate.")
    private @Nullable Quantity by;

    @Option(
            names = "--fail-if-slower",
            paramLabel = "PERCENT",
            converter = BenchConverters.Percent.class,
            description = "Slowdown that exits with 1, as 5%%; 3 if the repeats can't tell.")
    private @Nullable Double failFrom;

    @Option(
            names = "--across",
            split = ",",
            paramLabel = "CONDITION",
            description = "Conditions that may differ between A and B, such as layout or device.")
    private List<String> across = List.of();

    @Mixin
    private CommonOptions.Json json;

    @Mixin
    private CommonOptions.Output output;

    @Mixin
    private JUnitOption junit;

    @Override
    public Integer call() throws IOException {
        junit.write(spec.qualifiedName(), List.of());
        Kind kind = Studies.kind(first);
        Kind other = Studies.kind(second);
        if (!kind.equals(other)) {
            throw UserError.failed("nothing to compare: " + first + " is a result of " + kind.name()
                    + ", and " + second + " of " + other.name());
        }
        boolean isMail = kind.equals(MailReport.KIND);
        if (isMail) {
            checkConditions();
        } else {
            OptionNames.refuse(spec, List.of("--by"), "is not for results of " + kind.name());
        }
        Rule rule = new Rule(Set.copyOf(across), Rule.USUAL.smallest());
        Document from = Studies.read(first, kind);
        Document to = Studies.read(second, kind);
        DocumentComparison comparison = isMail
                ? MailComparison.of(new Results(from), new Results(to), rule, by)
                : DocumentComparison.of(from, to, rule);
        boolean changedFrom = Studies.sayChanged(first, from);
        boolean changedTo = Studies.sayChanged(second, to);
        // Mail is judged scenario by scenario.
        boolean isValid = isMail || (isValid(from) && isValid(to));
        return tell(comparison, first, second, isValid, changedFrom || changedTo);
    }

    private static boolean isValid(Document document) {
        return document.findings().outcome() != Findings.Outcome.NOT_VALID;
    }

    private void checkConditions() {
        List<String> names = Stream.concat(
                        MailComparison.names().stream(), MachineDifference.NAMES.stream())
                .toList();
        for (String name : across) {
            if (!names.contains(name)) {
                throw UserError.usage("--across '" + name + "' is not a condition ("
                        + String.join(", ", names) + ")");
            }
        }
    }

    /**
     * Prints and writes what was asked for.
     *
     * @param isValid false where either is not valid as a whole
     * @param isChanged whether a file of either is not what was written
     * @return the exit code
     */
    private int tell(
            DocumentComparison comparison, Path a, Path b, boolean isValid, boolean isChanged)
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
            comparison.write(
                    a.toString(),
                    b.toString(),
                    failFrom,
                    Outcomes.folder(folder).path());
        }
        if (json.on) {
            System.out.println(comparison.json(a.toString(), b.toString(), failFrom));
        } else {
            System.out.println("A: " + a);
            System.out.println("B: " + b);
            System.out.println();
            comparison.print(System.out);
        }
        System.out.flush();
        List<CaseResult> cases = failFrom == null
                ? List.of()
                : comparison.regressions(failFrom).stream()
                        .map(CompareCommand::judged)
                        .toList();
        junit.write(spec.qualifiedName(), cases);
        EnumSet<CaseResult.Status> found = EnumSet.noneOf(CaseResult.Status.class);
        for (CaseResult one : cases) {
            found.add(one.status());
            if (one.status() != CaseResult.Status.PASSED) {
                System.err.println("hubmark: " + one.name() + ": " + one.text());
            }
        }
        if (found.contains(CaseResult.Status.FAILURE)) {
            return Outcomes.SLOWER;
        }
        found.remove(CaseResult.Status.PASSED);
        boolean isWhole = isValid
                && comparison.pairs().stream()
                        .noneMatch(pair -> pair.verdict() == Verdict.NOT_VALID);
        return found.isEmpty() && isWhole && !isChanged ? 0 : Outcomes.INVALID;
    }

    private static CaseResult judged(Regression found) {
        CaseResult.Status status = switch (found.outcome()) {
            case NOT_WORSE -> CaseResult.Status.PASSED;
            case TOO_NOISY -> CaseResult.Status.SKIPPED;
            case NOT_VALID -> CaseResult.Status.ERROR;
            case WORSE, NOT_COMPARED -> CaseResult.Status.FAILURE;
        };
        return new CaseResult(found.id(), status, found.outcome().text() + ", " + found.text());
    }
}
