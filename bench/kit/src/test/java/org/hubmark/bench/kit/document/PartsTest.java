package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.machine.Environment;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Proves what is made of the parts and samples of a row that is measured once: its figures, what follows
 * from it, and that all of it is read as it was written.
 */
class PartsTest {
    private static final Counter READS = new Counter("reads");
    private static final Counter NANOS = new Counter("read_ns");
    private static final Counter AT = new Counter("at_ns");
    private static final Times TIMES = new Times("read_ns");
    private static final Name PHASE = Name.of("phase", "Phase");
    private static final Name DISK = Name.of("disk", "Disk");
    private static final Name LOOP = Name.note("load.loop", "Loop");
    private static final Formula MILLIS = NANOS.over(READS).over(1e6);
    private static final Column MEAN =
            Column.of("mean_ms", "ms", "Mean", 3, Better.NEITHER, MILLIS);
    private static final Column WORST = Column.of(
            "worst_ms",
            "ms",
            "Worst sample",
            3,
            Better.NEITHER,
            new Formula.Lambda(
                    "largest over samples",
                    disk -> disk.samples().stream()
                            .mapToDouble(MILLIS::value)
                            .filter(Double::isFinite)
                            .max()
                            .orElse(Double.NaN)));
    private static final Column MOST =
            Column.of("max_ms", "ms", "Most", 3, Better.NEITHER, TIMES.at(Formula.Place.MAX));
    private static final Form DISKS = Form.totals(
            "own.disks",
            "Disks",
            List.of(DISK),
            List.of(MEAN, WORST, MOST),
            List.of(),
            List.of(new Form.Derived(
                    Name.note("verdict", "Verdict"),
                    (document, row) -> MEAN.value(row.repeat()) > 2 ? "slow" : "fast")));
    private static final Column ALL = of("all_reads", overDisks(READS));
    private static final Column WAITED = of("host.mean_ms", overDisks(MEAN.asInput()));
    private static final Form PHASES = new Form(
            "phases",
            "Phases",
            "",
            List.of(PHASE),
            List.of(ALL, WAITED),
            Estimate.Rule.TOTAL,
            "",
            List.of(LOOP),
            List.of(DISKS));
    private static final Name LIMIT = Name.note("limits.mean_ms", "Limit");
    private static final Kind KIND = new Kind(
            "parts",
            "parts.json",
            List.of(LIMIT),
            List.of(PHASES),
            java.util.Set.of(),
            document -> new Findings(
                    "Parts",
                    "",
                    Findings.Outcome.NOT_MET,
                    null,
                    List.of(),
                    List.of(),
                    Map.of(),
                    List.of(),
                    List.of()),
            MadeKind.of("made").sections(),
            MadeKind.of("made").charts());

    @TempDir
    Path folder;

    private static Formula overDisks(Formula of) {
        return new Formula.Lambda(
                "sum over disks of (" + of.words() + ")",
                phase -> phase.parts(DISKS).stream().mapToDouble(of::value).sum());
    }

    private static Column of(String key, Formula formula) {
        return Column.of(key, "", key, 3, Better.NEITHER, formula);
    }

    /** Two disks: the first takes 1, 2, 3 ms a read, the second ten times as much. */
    private static Repeat phase() {
        return phase(true);
    }

    private static Repeat phase(boolean isComplete) {
        List<Repeat> disks = new ArrayList<>();
        for (int disk = 1; disk <= 2; disk++) {
            long millis = disk == 1 ? 1_000_000 : 10_000_000;
            Histogram nanos = new Histogram(3);
            List<Repeat> samples = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                nanos.recordValue(millis * i);
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
                    .times(TIMES, nanos)
                    .samples(samples)
                    .made());
        }
        return Repeat.counted()
                .complete(isComplete)
                .name(LOOP, "open")
                .parts(DISKS, disks)
                .made();
    }

    /** Counts phases until one does not come to its end. */
    private record MadeStudy(List<String> phases, String unfinished) implements Study {
        @Override
        public Kind kind() {
            return KIND;
        }

        @Override
        public Document run(Context context) throws IOException, InterruptedException {
            context.fact(LIMIT, 2.5);
            for (String phase : phases) {
                boolean ends = phase.equals(unfinished);
                try {
                    var unused = context.repeat(
                            PHASES, Map.of(PHASE, phase), 1, () -> ends ? phase(false) : phase());
                } catch (InterruptedException e) {
                    throw new IOException("disk full", e);
                }
            }
            return context.document();
        }
    }

    private Context.Request request(Map<String, Object> settings) {
        return new Context.Request(
                folder,
                new Tool("0.1", null),
                "hubmark parts",
                Map.copyOf(settings),
                new Environment(
                        new Environment.Processor("cpu", 2, 2, null, null),
                        null,
                        new Environment.Software("os", "6", "25", null),
                        List.of(),
                        null),
                new SimulatedClock(Instant.EPOCH),
                (phase, time) -> {},
                note -> {},
                (elapsed, seen) -> {},
                List::of);
    }

    @Test
    void figuresAreMadeOfPartsAndSamples() {
        Repeat phase = phase();
        Repeat second = phase.parts(DISKS).getLast();
        assertThat(ALL.value(phase)).isEqualTo(6);
        assertThat(WAITED.value(phase)).isEqualTo(22);
        assertThat(WORST.value(phase.parts(DISKS).getFirst())).isEqualTo(3);
        // Of what isn't known nothing is made: its last sample has no reads.
        assertThat(WORST.value(second)).isEqualTo(20);
        assertThat(MOST.value(second)).isCloseTo(30, within(0.1));
        assertThat(WAITED.words()).isEqualTo("sum over disks of (Mean)");
    }

    @Test
    void whatIsMeasuredOnceStandsInItsRow() throws Exception {
        Document written = StudyRun.of(new MadeStudy(List.of("a", "b"), ""), request(Map.of()));
        assertThat(written.exitCode()).isEqualTo(3);
        Document read = DocumentFile.read(folder, KIND);
        assertThat(read.tables()).isEqualTo(written.tables());
        assertThat(read.fact(LIMIT, Double.class)).isEqualTo(2.5);
        assertThat(DocumentFile.check(folder, read).isClean()).isTrue();
        assertThat(Files.readString(folder.resolve("parts.json")))
                .contains("\"limits\" : {", "\"load\" : {", "\"own\" : {", "\"verdict\" : null")
                .contains("\"verdict\" : \"slow\"", "\"host\" : {")
                .doesNotContain("_min\"", "repeats");
        assertThat(read.rawFiles())
                .extracting(RawFile::file)
                .containsExactlyInAnyOrder("series.csv", "times.hlog");
        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("| Worst sample (ms) |", "| Verdict |");
    }

    @Test
    void aChangedSampleIsFound() throws Exception {
        var unused = StudyRun.of(new MadeStudy(List.of("a"), ""), request(Map.of()));
        Path series = folder.resolve("series.csv");
        Files.writeString(series, Files.readString(series).replace(",1,20000000", ",1,90000000"));
        DocumentFile.Check check = DocumentFile.check(folder, DocumentFile.read(folder, KIND));
        assertThat(check.changed()).containsExactly("series.csv");
        assertThat(check.mismatches())
                .singleElement()
                .satisfies(line -> assertThat(line).contains("worst_ms"));
    }

    @Test
    void aPhaseThatDoesNotEndIsKeptAndCountedAgain() throws Exception {
        assertThatThrownBy(() -> StudyRun.of(
                        new MadeStudy(List.of("a", "b"), "b"), request(Map.of("keep", true))))
                .isInstanceOf(IOException.class);
        Document left = DocumentFile.read(folder, KIND);
        assertThat(left.complete()).isFalse();
        assertThat(left.table(PHASES).rows())
                .extracting(row -> row.repeat().complete())
                .containsExactly(true, false);
        assertThat(folder.resolve("report.md")).isNotEmptyFile();
        // What changes nothing of what is measured may differ.
        Document found =
                StudyRun.of(new MadeStudy(List.of("a", "b"), ""), request(Map.of("keep", false)));
        assertThat(found.complete()).isTrue();
        assertThat(found.table(PHASES).rows())
                .extracting(row -> row.repeat().complete())
                .containsExactly(true, true);
    }

    @Test
    void theResultsOfOtherSettingsAreNotReplaced() throws Exception {
        var unused = StudyRun.of(new MadeStudy(List.of("a"), ""), request(Map.of("size", 1)));
        assertThatThrownBy(() ->
                        StudyRun.of(new MadeStudy(List.of("a"), ""), request(Map.of("size", 2))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "has results of parts with other settings (size was 1 and is 2): name another"
                                + " --output");
    }
}
