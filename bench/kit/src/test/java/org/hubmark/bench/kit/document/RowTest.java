package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.machine.Environment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves figures that are made of parts and of all repeats together, the choice of the repeats in the
 * middle, what follows from a row, and that an interrupted repeat is kept and measured again: with rows
 * of known counters.
 */
class RowTest {
    private static final Counter DONE = new Counter("done");
    private static final Counter NANOS = new Counter("measured_ns");
    private static final Times TIMES = new Times("task_ns");
    private static final Name LEVEL = Name.of("level", "Level");
    private static final Name TASK = Name.of("task", "Task");
    private static final Name WEIGHT = Name.note("weight", "Weight");
    private static final Column MEAN =
            Column.of("mean_ms", "ms", "Mean", 1, Better.LESS, TIMES.at(Formula.Place.MEAN));
    private static final Column DEVIATION = Column.of(
            "sd_ms", "ms", "Deviation", 1, Better.NEITHER, TIMES.at(Formula.Place.DEVIATION));
    private static final Column COUNT =
            Column.ofAll("count", "", "Count", 0, new Formula.Lambda("number of task ns", all ->
                    (double) all.times(TIMES).getTotalCount()));
    private static final Column MOST =
            Column.ofAll("max_ms", "ms", "Most", 1, TIMES.at(Formula.Place.MAX));
    private static final Form TASKS = new Form(
            "tasks",
            "Tasks",
            "",
            List.of(TASK, WEIGHT),
            List.of(MEAN, DEVIATION, COUNT, MOST),
            Estimate.Rule.middleRepeats(null),
            "repeats",
            List.of(),
            List.of());
    private static final Column SCORE = Column.of(
            "score_ms",
            "ms",
            "Score",
            1,
            Better.LESS,
            new Formula.Lambda("Mean, weighted by Weight", RowTest::weighted));
    private static final Column RATE =
            Column.ofAll("load.rate", "1/s", "Rate", 1, DONE.over(NANOS.over(1e9)));
    private static final Column ERROR = Column.ofAll(
            "load.error", "1/s", "Error", 1, DONE.minus(new Counter("lost")).atLeast(0));
    private static final Form LEVELS = new Form(
            "levels",
            "Levels",
            "",
            List.of(LEVEL),
            List.of(
                    new Form.Group("Levels", List.of(SCORE)),
                    new Form.Group("Load", List.of(RATE)),
                    new Form.Group("", List.of(ERROR))),
            Estimate.Rule.middleRepeats(SCORE),
            "repeats",
            List.of(),
            List.of(TASKS),
            List.of(new Form.Derived(
                    Name.note("passes", "Passes"),
                    (document, row) ->
                            document.table(RowTest.LEVELS).estimate(row, SCORE).value() < 100)),
            null);
    private static final Kind KIND = MadeKind.of("made", LEVELS);

    @TempDir
    Path folder;

    private static double weighted(Values repeat) {
        return repeat.parts(TASKS).stream()
                .filter(task -> Double.isFinite(task.of(MEAN)))
                .mapToDouble(task -> task.number(WEIGHT) * task.of(MEAN))
                .sum();
    }

    private static Histogram millis(long... values) {
        Histogram nanos = new Histogram(3);
        for (long value : values) {
            nanos.recordValue(value * 1_000_000);
        }
        return nanos;
    }

    /** Of two tasks with a weight, and one that has none. */
    private static Repeat repeat(long millis, boolean complete) {
        List<Repeat> tasks = new ArrayList<>();
        tasks.add(task("READ", 0.75, millis, millis));
        tasks.add(task("SEND", 0.25, 10, 30));
        tasks.add(task("IDLE", 0.5));
        return Repeat.counted()
                .complete(complete)
                .count(DONE, millis)
                .count(NANOS, 1_000_000_000)
                .count(new Counter("lost"), 1)
                .parts(TASKS, tasks)
                .made();
    }

    private static Repeat task(String name, double weight, long... millis) {
        return Repeat.counted()
                .name(TASK, name)
                .name(WEIGHT, weight)
                .times(TIMES, millis(millis))
                .made();
    }

    private static Document document(Repeat... repeats) {
        return new Document(
                KIND,
                new Provenance(
                        new Tool("0.1", null),
                        "2026-01-01T00:00:00Z",
                        "2026-01-01T00:00:01Z",
                        "made",
                        Map.of(),
                        new Environment(
                                new Environment.Processor("cpu", 2, 2, null, null),
                                null,
                                new Environment.Software("os", "6", "25", null),
                                List.of(),
                                null)),
                true,
                Map.of(),
                List.of(new Table(
                        LEVELS, List.of(new Row(Map.of(LEVEL.key(), 5), List.of(repeats))))),
                List.of());
    }

    private static Repeat[] five() {
        return new Repeat[] {
            repeat(40, true), repeat(900, true), repeat(80, true), repeat(60, true), repeat(1, true)
        };
    }

    @Test
    void theMiddleRepeatsCountForAllFigures() {
        Table table = document(five()).table(LEVELS);
        Row row = table.rows().getFirst();
        assertThat(table.estimate(row, SCORE).value())
                .isCloseTo(0.75 * 60 + 0.25 * 20, within(0.1));
        assertThat(table.estimate(row, SCORE).values()).hasSize(5);
        assertThat(table.estimate(row, RATE).value()).isEqualTo(1081 / 5.0);
        assertThat(table.estimate(row, ERROR).value()).isEqualTo(1076);
        Table tasks = row.part(TASKS);
        Row read = tasks.rows().getFirst();
        assertThat(tasks.estimate(read, MEAN).value()).isCloseTo(60, within(0.1));
        assertThat(tasks.estimate(read, COUNT).value()).isEqualTo(10);
        assertThat(tasks.estimate(read, MOST).value()).isCloseTo(900, within(1.0));
        assertThat(tasks.estimate(tasks.rows().get(1), DEVIATION).value())
                .isCloseTo(10, within(0.1));
        assertThat(tasks.estimate(tasks.rows().getLast(), MEAN).isKnown()).isFalse();
    }

    @Test
    void ofFewerThanFiveRepeatsEachIsTheirMeanWithItsOwnInterval() {
        Table table = document(repeat(40, true), repeat(60, true)).table(LEVELS);
        Estimate score = table.estimate(table.rows().getFirst(), SCORE);
        assertThat(score.value()).isCloseTo(0.75 * 50 + 0.25 * 20, within(0.1));
        Interval interval = Objects.requireNonNull(score.range());
        assertThat(Math.sqrt(interval.low() * interval.high()))
                .isCloseTo(score.value(), within(1e-9));
    }

    @Test
    void allOfItIsInTheFileAndIsReadAgain() throws IOException {
        Document written = DocumentFile.write(document(five()), folder);
        Document read = DocumentFile.read(folder, KIND);
        assertThat(read.tables()).isEqualTo(written.tables());
        assertThat(DocumentFile.check(folder, read).isClean()).isTrue();
        JsonNode row = new ObjectMapper()
                .readTree(DocumentFile.json(read))
                .path("levels")
                .path(0);
        assertThat(row.path("passes").asBoolean()).isTrue();
        assertThat(row.path("load").path("rate").asDouble()).isEqualTo(1081 / 5.0);
        assertThat(row.path("load").has("rate_ci95")).isFalse();
        assertThat(row.has("score_ms_ci95")).isTrue();
        DocumentReport.write(read, folder);
        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("**Load**")
                .contains("| Passes | yes |")
                .doesNotContain("| Error (1/s) |")
                .contains("weighted by Weight");
    }

    @Test
    void partsAreComparedToo() {
        Repeat[] slower = {repeat(140, true), repeat(141, true)};
        Repeat[] faster = {repeat(100, true), repeat(101, true)};
        assertThat(DocumentComparison.of(document(faster), document(slower), Rule.USUAL)
                        .pairs())
                .filteredOn(pair -> pair.verdict() != null)
                .extracting(pair -> pair.row() + " " + pair.column().key())
                .containsExactly(
                        "level 5, task READ mean_ms",
                        "level 5, task SEND mean_ms",
                        "level 5 score_ms");
    }

    @Test
    void anInterruptedRepeatCountsForNothingBesideOthers() {
        Table both = document(repeat(40, true), repeat(900, false)).table(LEVELS);
        assertThat(both.estimate(both.rows().getFirst(), RATE).value()).isEqualTo(40);
        Table alone = document(repeat(900, false)).table(LEVELS);
        assertThat(alone.estimate(alone.rows().getFirst(), RATE).value()).isEqualTo(900);
    }

    @Test
    void anInterruptedRepeatIsKeptAndMeasuredAgain() throws Exception {
        Document left = StudyRun.of(study(false), request());
        assertThat(left.exitCode()).isEqualTo(130);
        assertThat(left.table(LEVELS).rows().getFirst().repeats()).hasSize(1);
        assertThat(DocumentFile.read(folder, KIND).tables()).isEqualTo(left.tables());
        Document found = StudyRun.of(study(true), request());
        assertThat(found.exitCode()).isZero();
        assertThat(found.table(LEVELS).rows().getFirst().repeats())
                .singleElement()
                .matches(Repeat::complete);
    }

    private Context.Request request() {
        return new Context.Request(
                folder,
                new Tool("0.1", null),
                "made",
                new LinkedHashMap<>(),
                document(repeat(1, true)).provenance().environment(),
                new SimulatedClock(Instant.parse("2026-01-01T00:00:00Z")),
                Progress.SILENT,
                List::of);
    }

    private static Study study(boolean complete) {
        return new Study() {
            @Override
            public Kind kind() {
                return KIND;
            }

            @Override
            public Document run(Context context) throws IOException, InterruptedException {
                var unused =
                        context.repeat(LEVELS, Map.of(LEVEL, 5), 1, () -> repeat(40, complete));
                return context.document();
            }
        };
    }
}
