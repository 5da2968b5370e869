package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Pair;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.machine.Environment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Proves that rows which count on are written after each step, go on after an interruption, and are
 * judged and compared by yes and no.
 */
class TotalsTest {
    private static final Name WHAT = Name.of("what", "What");
    private static final Name FAILURES = Name.note("failures", "Failures");
    private static final Name NEXT = Name.note("next", "");
    private static final Counter TRIALS = new Counter("trials");
    private static final Counter FAILED = new Counter("failed");
    private static final Times TOOK = new Times("took_ns");
    private static final Column HELD = new Column(
            "held",
            "",
            "Held",
            0,
            Better.MORE,
            new Column.Definition.AtMost(Column.of(FAILED, "", "Failed"), 0));
    private static final Form ROWS = Form.totals(
            "rows",
            "Trials",
            List.of(WHAT),
            List.of(
                    Column.of(TRIALS, "", "Trials"),
                    Column.of(
                            "took_ms.max",
                            "ms",
                            "Longest",
                            1,
                            Better.NEITHER,
                            TOOK.at(Formula.Place.MAX)),
                    HELD),
            List.of(FAILURES),
            List.of(new Form.Derived(
                    FAILURES, (document, row) -> row.repeats().getFirst().texts(FAILURES))));
    private static final Form OTHERS = Form.of("others", "Others", List.of(WHAT), List.of());
    private static final Kind KIND = new Kind(
            "trials",
            "trials.json",
            List.of(NEXT),
            List.of(ROWS, OTHERS),
            Set.of(),
            TotalsTest::findings,
            document -> List.of(),
            document -> new Charts(List.of()));

    @TempDir
    Path folder;

    private static Findings findings(Document document) {
        List<CaseResult> cases = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (Row row : document.table(ROWS).rows()) {
            Repeat total = row.repeats().getFirst();
            boolean held = total.count(FAILED) == 0;
            cases.add(new CaseResult(
                    row.name(WHAT),
                    held ? CaseResult.Status.PASSED : CaseResult.Status.FAILURE,
                    total.name(FAILURES)));
            if (!held) {
                reasons.add(total.name(FAILURES));
            }
        }
        return new Findings(
                "Trials",
                "",
                reasons.isEmpty() ? Findings.Outcome.GOOD : Findings.Outcome.FAILED,
                reasons.isEmpty() ? "held" : "broken",
                reasons,
                List.of(),
                Map.of(),
                cases,
                List.of());
    }

    /** Tries so often, some of them in vain, and may be interrupted. */
    private record Trials(int trials, int failing, boolean interrupted) implements Study {
        @Override
        public Kind kind() {
            return KIND;
        }

        @Override
        public Document run(Context context) throws IOException, InterruptedException {
            Map<Name, Object> names = Map.of(WHAT, "made");
            Repeat left = context.total(ROWS, names);
            Object next = context.fact(NEXT);
            assertThat(left == null).isEqualTo(next == null);
            for (int i = left == null ? 1 : (int) left.count(TRIALS) + 1; i <= trials; i++) {
                Histogram took = new Histogram(3);
                took.recordValue(i * 1_000_000L);
                context.fact(NEXT, i + 1);
                context.total(
                        ROWS,
                        names,
                        Repeat.counted()
                                .name(FAILURES, failing == 0 ? List.of() : List.of("one", "two"))
                                .count(TRIALS, i)
                                .count(FAILED, failing)
                                .times(TOOK, took)
                                .made());
            }
            if (interrupted) {
                throw new InterruptedException();
            }
            return context.document();
        }
    }

    private Document run(Trials study, String name) throws Exception {
        return StudyRun.of(
                study,
                new Context.Request(
                        Files.createDirectories(folder.resolve(name)),
                        new Tool("0.1", null),
                        "hubmark trials",
                        Map.of(),
                        new Environment(
                                new Environment.Processor("cpu", 2, 2, null, null),
                                null,
                                new Environment.Software("os", "6", "25", null),
                                List.of(),
                                null),
                        new SimulatedClock(Instant.parse("2026-01-01T00:00:00Z")),
                        Progress.SILENT,
                        List::of));
    }

    @Test
    void aRowIsItsOneRepeat() throws Exception {
        Document found = run(new Trials(1500, 2, false), "a");
        assertThat(found.exitCode()).isOne();
        Document read = DocumentFile.read(folder.resolve("a"), KIND);
        assertThat(read.tables()).isEqualTo(found.tables());
        assertThat(DocumentFile.check(folder.resolve("a"), read).isClean()).isTrue();
        assertThat(Files.readString(folder.resolve("a/trials.json")).replaceAll("\\s+", " "))
                .contains(
                        "\"rows\" : [ { \"what\" : \"made\", \"failures\" : [ \"one\", \"two\" ], \"trials\" : 1500, \"took_ms\" : {"
                                + " \"max\" : 1500.")
                .contains(", \"counters\" : { \"trials\" : 1500,")
                .doesNotContain("trials_min")
                .contains("\"held\" : false");
        assertThat(Files.readString(folder.resolve("a/report.md")))
                .contains("| Trials | 1500 |")
                .contains("| Held | no |")
                .contains("| Failures | one, two |")
                .doesNotContain("Others");
        assertThat(DocumentReport.verdicts(found))
                .extracting(CaseResult::status)
                .containsExactly(CaseResult.Status.FAILURE);
    }

    @Test
    void anInterruptedOneCountsOn() throws Exception {
        assertThat(run(new Trials(3, 0, true), "a").exitCode()).isEqualTo(130);
        Document found = run(new Trials(5, 0, false), "a");
        assertThat(found.exitCode()).isZero();
        Repeat total = found.table(ROWS).rows().getFirst().repeats().getFirst();
        assertThat(total.count(TRIALS)).isEqualTo(5);
        assertThat(found.fact(NEXT)).isEqualTo("6");
    }

    @Test
    void whatHeldAndDoesNotIsWorse() throws Exception {
        Document held = run(new Trials(3, 0, false), "a");
        Document broken = run(new Trials(3, 1, false), "b");
        DocumentComparison worse = DocumentComparison.of(held, broken, Rule.USUAL);
        assertThat(verdicts(worse)).containsExactly(Verdict.WORSE);
        assertThat(worse.regressions(0.05))
                .extracting(Regression::outcome)
                .containsExactly(Regression.Outcome.WORSE);
        assertThat(worse.remarks()).containsExactly("B, broken: [one, two]");
        assertThat(worse.json("a", "b", null)).contains("\"verdict\" : \"worse\"");
        assertThat(verdicts(DocumentComparison.of(broken, held, Rule.USUAL)))
                .containsExactly(Verdict.BETTER);
        assertThat(DocumentComparison.of(held, held, Rule.USUAL).regressions(0.05))
                .extracting(Regression::outcome)
                .containsExactly(Regression.Outcome.NOT_WORSE);
    }

    private static List<Verdict> verdicts(DocumentComparison comparison) {
        return comparison.pairs().stream()
                .map(Pair::verdict)
                .filter(Objects::nonNull)
                .toList();
    }
}
