package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Pair;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.page.Charts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Proves what is made of the parts and samples of a row that is measured once, that it is read as it was written, goes
 * on after an interruption, and is judged and compared by yes and no.
 */
class TotalsTest {
    private static final Counter READS = new Counter("reads");
    private static final Counter NANOS = new Counter("read_ns");
    private static final Counter AT = new Counter("at_ns");
    private static final Counter FAILED = new Counter("failed");
    private static final Times TOOK = new Times("took_ns");
    private static final Name PHASE = Name.of("phase", "Phase");
    private static final Name DISK = Name.of("disk", "Disk");
    private static final Name LOOP = Name.note("load.loop", "Loop");
    private static final Name FAILURES = Name.note("failures", "Failures");
    private static final Name LIMIT = Name.note("limits.mean_ms", "Limit");
    private static final Name NEXT = Name.note("next", "");
    private static final Formula MILLIS = NANOS.over(READS).over(1e6);
    private static final Column MEAN = column("mean_ms", "Mean", MILLIS);
    private static final Column WORST = column(
            "worst_ms",
            "Worst sample",
            new Formula.Lambda(
                    "largest over samples",
                    disk -> disk.samples().stream()
                            .mapToDouble(MILLIS::value)
                            .filter(Double::isFinite)
                            .max()
                            .orElse(Double.NaN)));
    private static final Form DISKS = Form.totals(
            "own.disks",
            "Disks",
            List.of(DISK),
            List.of(MEAN, WORST),
            List.of(),
            List.of(new Form.Derived(
                    Name.note("verdict", "Verdict"),
                    (document, row) -> MEAN.value(row.repeat()) > 2 ? "slow" : "fast")));
    private static final Column ALL = column("all_reads", "All", overDisks(READS));
    private static final Column WAITED =
            column("host.mean_ms", "Waited", overDisks(MEAN.asInput()));
    private static final Column HELD = new Column(
            "held",
            "",
            "Held",
            0,
            Better.MORE,
            new Column.Definition.AtMost(Column.of(FAILED, "", "Failed"), 0));
    private static final Form PHASES = new Form(
            "phases",
            "Phases",
            "",
            List.of(PHASE),
            List.of(new Form.Group(
                    "Phases",
                    List.of(
                            Column.of(READS, "", "Reads"),
                            ALL,
                            WAITED,
                            column("took_ms.max", "Longest", TOOK.at(Formula.Place.MAX)),
                            HELD))),
            Estimate.Rule.TOTAL,
            "",
            List.of(LOOP, FAILURES),
            List.of(DISKS),
            List.of(new Form.Derived(
                    FAILURES, (document, row) -> row.repeats().getFirst().texts(FAILURES))),
            null);
    private static final Kind KIND = new Kind(
            "parts",
            "parts.json",
            List.of(LIMIT, NEXT),
            List.of(PHASES, Form.of("others", "Others", List.of(DISK), List.of())),
            Set.of(),
            TotalsTest::findings,
            document -> List.of(),
            document -> new Charts(List.of()));

    @TempDir
    Path folder;

    private static Column column(String key, String label, Formula formula) {
        return Column.of(key, "ms", label, 3, Better.NEITHER, formula);
    }

    private static Formula overDisks(Formula of) {
        return new Formula.Lambda(
                "sum over disks of (" + of.words() + ")",
                phase -> phase.parts(DISKS).stream().mapToDouble(of::value).sum());
    }

    private static Findings findings(Document document) {
        Row row = document.table(PHASES).rows().getFirst();
        Repeat total = row.repeats().getFirst();
        boolean held = total.count(FAILED) == 0;
        String failures = total.name(FAILURES);
        return new Findings(
                "Parts",
                "",
                held ? Findings.Outcome.GOOD : Findings.Outcome.FAILED,
                held ? null : "broken",
                held ? List.of() : List.of(failures),
                List.of(),
                Map.of(),
                List.of(new CaseResult(
                        row.name(PHASE),
                        held ? CaseResult.Status.PASSED : CaseResult.Status.FAILURE,
                        failures)),
                List.of());
    }

    /** Two disks: the first takes 1, 2, 3 ms a read, the second ten times as much. */
    private static Repeat phase(boolean isComplete, int reads, int failed) {
        List<Repeat> disks = new ArrayList<>();
        for (int disk = 1; disk <= 2; disk++) {
            long millis = disk == 1 ? 1_000_000 : 10_000_000;
            List<Repeat> samples = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                samples.add(Repeat.counted()
                        .count(AT, i * 1_000_000_000L)
                        .count(READS, i == 3 && disk == 2 ? null : (Integer) 1)
                        .count(NANOS, millis * i)
                        .made());
            }
            disks.add(Repeat.counted()
                    .name(DISK, "disk" + disk)
                    .count(READS, 3)
                    .count(NANOS, 6 * millis)
                    .samples(samples)
                    .made());
        }
        Histogram took = new Histogram(3);
        took.recordValue(reads * 1_000_000L);
        return Repeat.counted()
                .complete(isComplete)
                .name(LOOP, "open")
                .name(FAILURES, failed == 0 ? List.of() : List.of("one", "two"))
                .count(READS, reads)
                .count(FAILED, failed)
                .times(TOOK, took)
                .parts(DISKS, disks)
                .made();
    }

    /** Counts phases, of which one may not come to its end and each fails so often. */
    private Document run(
            List<String> phases,
            String unfinished,
            int failed,
            Map<String, @Nullable Object> settings)
            throws Exception {
        Study study = Made.study(KIND, context -> {
            context.fact(LIMIT, 2.5);
            for (String phase : phases) {
                try {
                    var unused = context.repeat(
                            PHASES,
                            Map.of(PHASE, phase),
                            1,
                            () -> phase(!phase.equals(unfinished), 1500, failed));
                } catch (InterruptedException e) {
                    throw new IOException("disk full", e);
                }
            }
        });
        return Made.run(study, folder, settings, Made.MACHINE);
    }

    @Test
    void figuresAreMadeOfPartsAndSamples() {
        Repeat phase = phase(true, 1, 0);
        assertThat(ALL.value(phase)).isEqualTo(6);
        assertThat(WAITED.value(phase)).isEqualTo(22);
        assertThat(WORST.value(phase.parts(DISKS).getFirst())).isEqualTo(3);
        // Of what isn't known nothing is made: its last sample has no reads.
        assertThat(WORST.value(phase.parts(DISKS).getLast())).isEqualTo(20);
        assertThat(WAITED.words()).isEqualTo("sum over disks of (Mean)");
    }

    @Test
    void whatIsMeasuredOnceStandsInItsRow() throws Exception {
        Document written = run(List.of("a", "b"), "", 2, Map.of());
        assertThat(written.exitCode()).isOne();
        Document read = DocumentFile.read(folder, KIND);
        assertThat(read.tables()).isEqualTo(written.tables());
        assertThat(read.fact(LIMIT, Double.class)).isEqualTo(2.5);
        assertThat(DocumentFile.check(folder, read).isClean()).isTrue();
        assertThat(read.rawFiles())
                .extracting(RawFile::file)
                .containsExactlyInAnyOrder("series.csv", "times.hlog");
        assertThat(Files.readString(folder.resolve("parts.json")).replaceAll("\\s+", " "))
                .contains(
                        "\"phases\" : [ { \"phase\" : \"a\", \"failures\" : [ \"one\", \"two\" ],")
                .contains("\"limits\" : {", "\"load\" : {", "\"own\" : {", "\"host\" : {")
                .contains(
                        "\"took_ms\" : { \"max\" : 1500.", "\"reads\" : 1500,", "\"held\" : false")
                .contains("\"verdict\" : \"broken\"", "\"verdict\" : \"slow\"")
                .doesNotContain("_min\"", "repeats");
        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("| Worst sample (ms) |", "| Verdict |")
                .contains("| Reads | 1500 | 1500 |", "| Held | no | no |")
                .contains("| Failures | one, two |")
                .doesNotContain("Others");
        assertThat(DocumentReport.verdicts(written))
                .extracting(CaseResult::status)
                .containsExactly(CaseResult.Status.FAILURE);
    }

    @Test
    void aChangedSampleIsFound() throws Exception {
        var unused = run(List.of("a"), "", 0, Map.of());
        assertThat(folder.resolve("parts.json")).content().contains("\"verdict\" : null");
        Path series = folder.resolve("series.csv");
        Files.writeString(series, Files.readString(series).replace(",1,20000000", ",1,90000000"));
        DocumentFile.Check check = DocumentFile.check(folder, DocumentFile.read(folder, KIND));
        assertThat(check.changed()).containsExactly("series.csv");
        assertThat(check.mismatches()).singleElement(STRING).contains("worst_ms");
    }

    @Test
    void aPhaseThatDoesNotEndIsKeptAndCountedAgain() throws Exception {
        assertThatThrownBy(() -> run(List.of("a", "b"), "b", 0, Map.of("keep", true)))
                .isInstanceOf(IOException.class);
        Document left = DocumentFile.read(folder, KIND);
        assertThat(left.complete()).isFalse();
        assertThat(left.table(PHASES).rows())
                .extracting(row -> row.repeat().complete())
                .containsExactly(true, false);
        assertThat(folder.resolve("report.md")).isNotEmptyFile();
        // What changes nothing of what is measured may differ.
        Document found = run(List.of("a", "b"), "", 0, Map.of("keep", false));
        assertThat(found.complete()).isTrue();
        assertThat(found.table(PHASES).rows())
                .extracting(row -> row.repeat().complete())
                .containsExactly(true, true);
    }

    /** It is written after each step. */
    @Test
    void anInterruptedOneCountsOn() throws Exception {
        assertThat(Made.run(counting(3, true), folder).exitCode()).isEqualTo(130);
        Document found = Made.run(counting(5, false), folder);
        assertThat(found.exitCode()).isZero();
        assertThat(found.table(PHASES).rows().getFirst().repeat().count(READS)).isEqualTo(5);
        assertThat(found.fact(NEXT)).isEqualTo("6");
    }

    /** Counts on to so many reads. */
    private static Study counting(int reads, boolean interrupted) {
        return Made.study(KIND, context -> {
            Map<Name, Object> names = Map.of(PHASE, "made");
            Repeat left = context.total(PHASES, names);
            assertThat(left == null).isEqualTo(context.fact(NEXT) == null);
            for (int i = left == null ? 1 : (int) left.count(READS) + 1; i <= reads; i++) {
                context.fact(NEXT, i + 1);
                context.total(PHASES, names, phase(true, i, 0));
            }
            if (interrupted) {
                throw new InterruptedException();
            }
        });
    }

    @Test
    void whatHeldAndDoesNotIsWorse() throws Exception {
        Document held = run(List.of("a"), "", 0, Map.of());
        Document broken = run(List.of("a"), "", 1, Map.of());
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
