package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.statistics.Interval;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves figures that are made of parts and of all repeats together, the choice of the repeats in the
 * middle, and what an interrupted repeat counts for: with rows of known counters.
 */
class RowTest {
    private static final Counter DONE = new Counter("done");
    private static final Counter CPU = new Counter("cpu_ns");
    private static final Counter NANOS = new Counter("measured_ns");
    private static final Times TIMES = new Times("task_ns");
    private static final Name LEVEL = Name.of("level", "Level");
    private static final Name TASK = Name.of("task", "Task");
    private static final Name WEIGHT = Name.note("weight", "Weight");
    private static final Name RUN = Name.note("run", "Run");
    private static final Column MEAN =
            Column.of("mean_ms", "ms", "Mean", 1, Better.LESS, TIMES.at(Formula.Place.MEAN));
    private static final Column DEVIATION = Column.of(
            "sd_ms", "ms", "Deviation", 1, Better.NEITHER, TIMES.at(Formula.Place.DEVIATION));
    private static final Column COUNT =
            Column.ofAll("count", "", "Count", 0, new Formula.Lambda("number of task ns", all ->
                    (double) all.times(TIMES).getTotalCount()));
    private static final Column MOST =
            Column.ofAll("max_ms", "ms", "Most", 1, TIMES.at(Formula.Place.MAX));
    private static final Column COST =
            Column.of("cpu_us", "us", "CPU", 1, Better.NEITHER, CPU.over(1000));
    private static final Form TASKS = new Form(
            "tasks",
            "Tasks",
            "",
            List.of(TASK, WEIGHT),
            List.of(MEAN, DEVIATION, COUNT, MOST, COST),
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
            Column.ofAll("rate", "1/s", "Rate", 1, DONE.over(NANOS.over(1e9)));
    private static final Column ERROR = Column.ofAll(
            "error", "1/s", "Error", 1, DONE.minus(new Counter("lost")).atLeast(0));
    private static final Column SHARE = new Column(
            "share",
            "",
            "Share",
            2,
            Better.NEITHER,
            new Column.Definition.Own(SCORE, "Score / Score of one", RowTest::overFirst));
    private static final Column WITHIN = new Column(
            "within", "", "Within", 0, Better.NEITHER, new Column.Definition.AtMost(SHARE, 1));
    private static final Form LEVELS = new Form(
            "levels",
            "Levels",
            "",
            List.of(LEVEL),
            List.of(new Form.Group("Levels", List.of(SCORE, SHARE, WITHIN, RATE, ERROR))),
            Estimate.Rule.middleRepeats(SCORE),
            "repeats",
            List.of(RUN),
            List.of(TASKS),
            List.of(),
            null);
    private static final Kind KIND = Made.kind("made", LEVELS);

    @TempDir
    Path folder;

    private static double weighted(Values repeat) {
        return repeat.parts(TASKS).stream()
                .filter(task -> Double.isFinite(task.of(MEAN)))
                .mapToDouble(task -> task.number(WEIGHT) * task.of(MEAN))
                .sum();
    }

    private static Estimate overFirst(Table levels, Row row) {
        double first = levels.estimate(levels.rows().getFirst(), SCORE).value();
        return new Estimate(levels.estimate(row, SCORE).value() / first, null);
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
                .name(RUN, (int) millis)
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
                .count(CPU, millis.length == 0 ? null : (Integer) 4_000)
                .times(TIMES, millis(millis))
                .made();
    }

    private static Document document(Repeat... repeats) {
        return document(row(5, repeats));
    }

    private static Document document(Row... rows) {
        return Made.document(KIND, 0, Made.MACHINE, Map.of(), List.of(rows));
    }

    private static Row row(int level, Repeat... repeats) {
        return new Row(Map.of(LEVEL.key(), level), List.of(repeats));
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
        assertThat(tasks.estimate(read, COST).value()).isEqualTo(4);
        assertThat(tasks.estimate(tasks.rows().getLast(), MEAN).isKnown()).isFalse();
        assertThat(tasks.estimate(tasks.rows().getLast(), COST).isKnown()).isFalse();
    }

    @Test
    void aFigureOfARowMayBeMadeOfOtherRows() {
        Table table =
                document(row(1, repeat(60, true)), row(2, repeat(140, true))).table(LEVELS);
        Row second = table.rows().getLast();
        assertThat(table.estimate(second, SHARE).value()).isCloseTo(110.0 / 50, within(0.01));
        assertThat(table.estimate(second, WITHIN).value()).isZero();
        assertThat(table.estimate(table.rows().getFirst(), WITHIN).value()).isOne();
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
    void timesThatWereChangedAreFound() throws IOException {
        var unused = DocumentFile.write(document(repeat(40, true)), folder);
        Path other = Files.createDirectory(folder.resolve("other"));
        var unused2 = DocumentFile.write(document(repeat(60, true)), other);
        Files.copy(other.resolve("times.hlog"), folder.resolve("times.hlog"), REPLACE_EXISTING);
        DocumentFile.Check check = DocumentFile.check(folder, DocumentFile.read(folder, KIND));
        assertThat(check.changed()).containsExactly("times.hlog");
        assertThat(check.mismatches()).isNotEmpty();
    }

    @Test
    void anInterruptedRepeatCountsForNothingBesideOthers() {
        Table both = document(repeat(40, true), repeat(900, false)).table(LEVELS);
        assertThat(both.estimate(both.rows().getFirst(), RATE).value()).isEqualTo(40);
        Table alone = document(repeat(900, false)).table(LEVELS);
        assertThat(alone.estimate(alone.rows().getFirst(), RATE).value()).isEqualTo(900);
    }
}
