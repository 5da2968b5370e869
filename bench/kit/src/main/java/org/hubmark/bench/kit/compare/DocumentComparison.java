package org.hubmark.bench.kit.compare;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.GridText;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;
import org.hubmark.bench.machine.Environment;
import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Two documents of one kind: each figure that has a direction, row by row, the second against the first.
 *
 * @param pairs what was compared
 * @param unmatched what could not be compared, and why
 * @param remarks what must be known of the whole
 */
public record DocumentComparison(List<Pair> pairs, List<String> unmatched, List<String> remarks) {
    /** How a line ends of what only the second has. */
    private static final String ONLY_IN_SECOND = "only in B";

    /** Copies. */
    public DocumentComparison {
        pairs = List.copyOf(pairs);
        unmatched = List.copyOf(unmatched);
        remarks = List.copyOf(remarks);
    }

    /**
     * A figure of a row in both.
     *
     * @param before in the first, as its table has it
     * @param after in the second
     * @param ratio of the second to the first; null of yes and no
     */
    public record Pair(
            String row,
            Column column,
            String before,
            String after,
            @Nullable Ratio ratio,
            Verdict verdict) {
        private boolean moreIsBetter() {
            return column.better() == Column.Better.MORE;
        }

        private String text() {
            return row + ", " + column.heading();
        }

        private Regression regression(double limit) {
            if (ratio == null) {
                Regression.Outcome outcome = verdict == Verdict.NOT_VALID
                        ? Regression.Outcome.NOT_VALID
                        : verdict == Verdict.WORSE
                                ? Regression.Outcome.WORSE
                                : Regression.Outcome.NOT_WORSE;
                return new Regression(text(), outcome, before + " and " + after);
            }
            return new Regression(
                    text(),
                    Regression.outcome(ratio, moreIsBetter(), verdict, limit),
                    verdict.text() + ", B " + change() + " (" + interval() + ")");
        }

        private String change() {
            return ratio == null ? "-" : percent(ratio.value());
        }

        private String interval() {
            Interval interval = ratio == null ? null : ratio.interval();
            return interval == null
                    ? "-"
                    : percent(interval.low()) + " to " + percent(interval.high());
        }
    }

    /**
     * Compares.
     *
     * @param across conditions that may differ
     * @param smallest a smaller difference, as a share, does not matter
     */
    public static DocumentComparison of(
            Document first, Document second, Set<String> across, double smallest) {
        List<Pair> pairs = new ArrayList<>();
        List<String> unmatched = new ArrayList<>();
        List<String> remarks = new ArrayList<>(machines(first, second));
        for (String condition : new TreeSet<>(first.kind().conditions())) {
            Object from = first.provenance().settings().get(condition);
            Object to = second.provenance().settings().get(condition);
            if (!Objects.equals(String.valueOf(from), String.valueOf(to))) {
                String text = condition + " differs: " + from + " and " + to;
                (across.contains(condition) ? remarks : unmatched).add(text);
            }
        }
        if (unmatched.isEmpty()) {
            boolean isValid = first.findings().outcome() != Findings.Outcome.NOT_VALID
                    && second.findings().outcome() != Findings.Outcome.NOT_VALID;
            for (Form form : first.kind().forms()) {
                compare(first.table(form), second.table(form), isValid, smallest, pairs, unmatched);
            }
        }
        remark("A", first.findings(), remarks);
        remark("B", second.findings(), remarks);
        return new DocumentComparison(pairs, unmatched, remarks);
    }

    private static void remark(String name, Findings findings, List<String> remarks) {
        findings.reasons()
                .forEach(reason -> remarks.add(name + ", " + findings.verdict() + ": " + reason));
    }

    private static void compare(
            Table first,
            Table second,
            boolean isValid,
            double smallest,
            List<Pair> pairs,
            List<String> unmatched) {
        for (Row row : first.rows()) {
            String id = row.id(first.form());
            Optional<Row> other = second.row(id);
            if (other.isEmpty()) {
                unmatched.add(id + ": only in A");
                continue;
            }
            for (Column column : first.form().columns()) {
                if (column.better() == Column.Better.NEITHER) {
                    continue;
                }
                Pair pair = column.isYesOrNo()
                        ? answers(first, row, second, other.get(), column, isValid)
                        : figures(first, row, second, other.get(), column, isValid, smallest);
                if (pair != null) {
                    pairs.add(pair);
                }
            }
        }
        for (Row row : second.rows()) {
            String id = row.id(second.form());
            if (first.row(id).isEmpty()) {
                unmatched.add(id + ": " + ONLY_IN_SECOND);
            }
        }
    }

    private static @Nullable Pair figures(
            Table first,
            Row before,
            Table second,
            Row after,
            Column column,
            boolean isValid,
            double smallest) {
        double[] from = before.values(column);
        double[] to = after.values(column);
        if (!isPositive(from, to)) {
            return null;
        }
        Ratio ratio = Ratio.of(from, to);
        return new Pair(
                before.id(first.form()),
                column,
                first.text(before, column),
                second.text(after, column),
                ratio,
                isValid
                        ? Verdict.of(ratio, column.better() == Column.Better.MORE, smallest)
                        : Verdict.NOT_VALID);
    }

    /** Yes is 1 and no is 0. */
    private static @Nullable Pair answers(
            Table first, Row before, Table second, Row after, Column column, boolean isValid) {
        Estimate from = first.estimate(before, column);
        Estimate to = second.estimate(after, column);
        if (!from.isKnown() || !to.isKnown()) {
            return null;
        }
        boolean isBetter = to.value() > from.value() == (column.better() == Column.Better.MORE);
        return new Pair(
                before.id(first.form()),
                column,
                first.text(before, column),
                second.text(after, column),
                null,
                !isValid
                        ? Verdict.NOT_VALID
                        : from.value() == to.value()
                                ? Verdict.EQUIVALENT
                                : isBetter ? Verdict.BETTER : Verdict.WORSE);
    }

    private static boolean isPositive(double[] from, double[] to) {
        return Arrays.stream(from).allMatch(value -> value > 0)
                && Arrays.stream(to).allMatch(value -> value > 0);
    }

    private static List<String> machines(Document first, Document second) {
        Environment from = first.provenance().environment();
        Environment to = second.provenance().environment();
        return Objects.equals(from.cpuModel(), to.cpuModel())
                        && from.logicalCores() == to.logicalCores()
                ? List.of()
                : List.of("the machines differ: " + machine(from) + " and " + machine(to));
    }

    private static String machine(Environment environment) {
        return environment.logicalCores() + " cores of "
                + (environment.cpuModel() == null ? "an unknown CPU" : environment.cpuModel());
    }

    /**
     * {@return an answer for each figure, and for each row of the first that can't be compared}
     *
     * @param limit the slowdown that shall be caught, as a share
     */
    public List<Regression> regressions(double limit) {
        List<Regression> found = new ArrayList<>();
        for (Pair pair : pairs) {
            found.add(pair.regression(limit));
        }
        for (String line : unmatched) {
            if (!line.endsWith(ONLY_IN_SECOND)) {
                found.add(new Regression(line, Regression.Outcome.NOT_COMPARED, "not in both"));
            }
        }
        return List.copyOf(found);
    }

    /** Prints it. */
    public void print(PrintStream out) {
        List<List<String>> rows = pairs.stream()
                .map(pair -> List.of(
                        pair.row,
                        pair.column.heading(),
                        pair.before,
                        pair.after,
                        pair.change(),
                        pair.interval(),
                        pair.verdict.text()))
                .toList();
        GridText.print(
                new Block.Grid(
                        "B against A",
                        List.of("row", "figure", "A", "B", "B to A", "95 % interval", "B is"),
                        rows),
                out);
        unmatched.forEach(line -> out.println("not compared: " + line));
        remarks.forEach(line -> out.println("note: " + line));
        out.flush();
    }

    /** {@return it as JSON} */
    public String json(String a, String b) {
        return JsonFile.text(new Content(
                a,
                b,
                pairs.stream()
                        .map(pair -> new Figure(
                                pair.row,
                                pair.column.key(),
                                pair.ratio == null ? null : (Double) pair.ratio.value(),
                                pair.ratio == null ? null : pair.ratio.interval(),
                                pair.verdict.text()))
                        .toList(),
                unmatched,
                remarks));
    }

    private record Content(
            String a,
            String b,
            List<Figure> figures,
            List<String> unmatched,
            List<String> remarks) {}

    private record Figure(
            String row,
            String figure,
            @Nullable Double ratio,
            @Nullable Interval ratioCi95,
            String verdict) {}

    private static String percent(double ratio) {
        return String.format(Locale.ROOT, "%+.1f %%", (ratio - 1) * 100);
    }
}
