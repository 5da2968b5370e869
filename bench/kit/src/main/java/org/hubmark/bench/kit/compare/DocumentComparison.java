package org.hubmark.bench.kit.compare;

import com.fasterxml.jackson.annotation.JsonAnyGetter;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.TerminalText;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Holm;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;
import org.hubmark.bench.machine.Environment;
import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Two documents of one kind, row by row, the second against the first. A figure that has a direction is
 * judged; the others stand beside each other.
 *
 * @param pairs the figures that are known of both
 * @param unmatched what could not be compared, and why
 * @param remarks what must be known of the whole
 * @param own what the study says of them; null where it says nothing, or they can't be compared at all
 * @param order in which they were measured
 */
public record DocumentComparison(
        List<Pair> pairs,
        List<String> unmatched,
        List<String> remarks,
        @Nullable OwnComparison own,
        Order order) {
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
     * @param a value in the first: the geometric mean of its repeats, of which the ratio is one; of yes and
     *     no 1 and 0
     * @param b value in the second
     * @param before in the first, for a table
     * @param after in the second
     * @param ratio of the second to the first; null of yes and no
     * @param verdict null where the figure has no direction
     */
    public record Pair(
            String row,
            Column column,
            double a,
            double b,
            String before,
            String after,
            @Nullable Ratio ratio,
            @Nullable Verdict verdict) {
        private static Pair of(String row, Column column, double[] from, double[] to) {
            return new Pair(
                    row,
                    column,
                    Inference.geometricMean(from),
                    Inference.geometricMean(to),
                    mean(from, column),
                    mean(to, column),
                    Ratio.of(from, to),
                    null);
        }

        private static String mean(double[] values, Column column) {
            return Digits.text(Inference.geometricMean(values), values, column.decimals());
        }

        private boolean isJudged() {
            return ratio != null && column.better() != Column.Better.NEITHER;
        }

        private Pair judged(Ratio judged, boolean isValid, double smallest) {
            Verdict given =
                    isValid ? Verdict.of(judged, moreIsBetter(), smallest) : Verdict.NOT_VALID;
            return new Pair(row, column, a, b, before, after, judged, given);
        }

        private boolean moreIsBetter() {
            return column.better() == Column.Better.MORE;
        }

        private String text() {
            return row + ", " + column.heading();
        }

        private Regression regression(Verdict given, Order order, double limit) {
            if (ratio == null) {
                Regression.Outcome outcome = given == Verdict.NOT_VALID
                        ? Regression.Outcome.NOT_VALID
                        : given == Verdict.WORSE
                                ? Regression.Outcome.WORSE
                                : Regression.Outcome.NOT_WORSE;
                return new Regression(
                        text(), outcome, given.text(order) + ", " + before + " and " + after);
            }
            return new Regression(
                    text(),
                    Regression.outcome(ratio, moreIsBetter(), given, limit),
                    given.text(order) + ", B " + change() + " (" + interval() + ")");
        }

        private String change() {
            return ratio == null ? Cells.UNKNOWN : percent(ratio.value());
        }

        private String interval() {
            return ratio == null ? Cells.UNKNOWN : ratio.intervalText();
        }
    }

    /** Those of the kind, and the settings of a hub, whose keys have a dot and those of options none. */
    private static Set<String> conditions(Document first, Document second) {
        Set<String> all = new TreeSet<>(first.kind().conditions());
        Stream.of(first, second)
                .flatMap(one -> one.provenance().settings().keySet().stream())
                .filter(key -> key.contains("."))
                .forEach(all::add);
        return all;
    }

    /**
     * Compares.
     *
     * @param across conditions that may differ
     * @param smallest a smaller difference, as a share, does not matter
     * @param own what the study says of both; null where it says nothing
     */
    public static DocumentComparison of(
            Document first,
            Document second,
            Set<String> across,
            double smallest,
            @Nullable OwnComparison own) {
        List<Pair> pairs = new ArrayList<>();
        List<String> unmatched = new ArrayList<>();
        List<String> remarks = new ArrayList<>(machines(first, second));
        for (MachineDifference difference : MachineDifference.between(
                first.provenance().environment(), second.provenance().environment())) {
            boolean isObstacle = difference.isCondition() && !across.contains(difference.name());
            (isObstacle ? unmatched : remarks).add(difference.text());
        }
        for (String condition : conditions(first, second)) {
            Object from = first.provenance().settings().get(condition);
            Object to = second.provenance().settings().get(condition);
            if (!Objects.equals(String.valueOf(from), String.valueOf(to))) {
                String text = condition + " differs: " + from + " and " + to;
                (across.contains(condition) ? remarks : unmatched).add(text);
            }
        }
        if (own != null) {
            unmatched.addAll(own.obstacles());
            remarks.addAll(own.remarks());
        }
        boolean isAlike = unmatched.isEmpty();
        if (isAlike) {
            boolean isValid = first.findings().outcome() != Findings.Outcome.NOT_VALID
                    && second.findings().outcome() != Findings.Outcome.NOT_VALID;
            for (Form form : first.kind().forms()) {
                compare("", first.table(form), second.table(form), isValid, pairs, unmatched);
            }
            judge(pairs, isValid, smallest);
        }
        remark("A", first.findings(), remarks);
        remark("B", second.findings(), remarks);
        return new DocumentComparison(
                pairs, unmatched, remarks, isAlike ? own : null, Order.of(first, second));
    }

    /** All figures of a comparison are one family: none of them may tell a difference by chance. */
    private static void judge(List<Pair> pairs, boolean isValid, double smallest) {
        Iterator<Ratio> ratios = Holm.judged(pairs.stream()
                        .filter(Pair::isJudged)
                        .map(pair -> Objects.requireNonNull(pair.ratio))
                        .toList())
                .iterator();
        pairs.replaceAll(
                pair -> pair.isJudged() ? pair.judged(ratios.next(), isValid, smallest) : pair);
    }

    private static void remark(String name, Findings findings, List<String> remarks) {
        findings.reasons()
                .forEach(reason -> remarks.add(name + ", " + findings.verdict() + ": " + reason));
    }

    private static void compare(
            String above,
            Table first,
            Table second,
            boolean isValid,
            List<Pair> pairs,
            List<String> unmatched) {
        for (Row row : first.rows()) {
            Optional<Row> other = second.row(row.id(first.form()));
            String id = above + row.id(first.form());
            if (other.isEmpty()) {
                unmatched.add(id + ": only in A");
                continue;
            }
            for (Form part : first.form().parts()) {
                // What only one of them is made of is no row that is missing.
                compare(
                        id + ", ",
                        row.part(part),
                        other.get().part(part),
                        isValid,
                        pairs,
                        new ArrayList<>());
            }
            for (Column column : first.form().columns()) {
                double[] from = row.values(column);
                double[] to = other.get().values(column);
                Estimate before = first.estimate(row, column);
                Estimate after = second.estimate(other.get(), column);
                Verdict answer = answer(column, before, after, isValid);
                if (isPositive(from, to)) {
                    pairs.add(Pair.of(id, column, from, to));
                } else if (answer != null) {
                    pairs.add(new Pair(
                            id,
                            column,
                            before.value(),
                            after.value(),
                            first.text(row, column),
                            second.text(other.get(), column),
                            null,
                            answer));
                } else if (column.better() != Column.Better.NEITHER && before.isKnown()) {
                    unmatched.add(id + ", " + column.heading()
                            + ": not above 0, or not known in all repeats");
                }
            }
        }
        for (Row row : second.rows()) {
            String id = row.id(second.form());
            if (first.row(id).isEmpty()) {
                unmatched.add(above + id + ": " + ONLY_IN_SECOND);
            }
        }
    }

    /** {@return what is to be said of yes (1) and no (0); null where nothing is} */
    private static @Nullable Verdict answer(
            Column column, Estimate from, Estimate to, boolean isValid) {
        if (!column.isYesOrNo()
                || column.better() == Column.Better.NEITHER
                || !from.isKnown()
                || !to.isKnown()) {
            return null;
        }
        if (!isValid) {
            return Verdict.NOT_VALID;
        }
        if (from.value() == to.value()) {
            return Verdict.EQUIVALENT;
        }
        return to.value() > from.value() == (column.better() == Column.Better.MORE)
                ? Verdict.BETTER
                : Verdict.WORSE;
    }

    private static boolean isPositive(double[] from, double[] to) {
        return from.length > 0
                && to.length > 0
                && Arrays.stream(from).allMatch(value -> value > 0)
                && Arrays.stream(to).allMatch(value -> value > 0);
    }

    private static List<String> machines(Document first, Document second) {
        Environment from = first.provenance().environment();
        Environment to = second.provenance().environment();
        return Objects.equals(from.processor().cpuModel(), to.processor().cpuModel())
                        && from.processor().logicalCores() == to.processor().logicalCores()
                ? List.of()
                : List.of("the machines differ: " + machine(from) + " and " + machine(to));
    }

    private static String machine(Environment environment) {
        return environment.processor().logicalCores() + " cores of "
                + (environment.processor().cpuModel() == null
                        ? "an unknown CPU"
                        : environment.processor().cpuModel());
    }

    /**
     * {@return an answer for each figure that is judged, and for each row of the first that can't be
     * compared; what the study says is first}
     *
     * @param limit the slowdown that shall be caught, as a share
     */
    public List<Regression> regressions(double limit) {
        List<Regression> found = new ArrayList<>();
        if (own != null) {
            found.add(own.regression().apply(limit));
        }
        for (Pair pair : pairs) {
            Verdict verdict = pair.verdict;
            if (verdict != null) {
                found.add(pair.regression(verdict, order, limit));
            }
        }
        for (String line : unmatched) {
            if (own == null && !line.endsWith(ONLY_IN_SECOND)) {
                found.add(new Regression(line, Regression.Outcome.NOT_COMPARED, "not in both"));
            }
        }
        return List.copyOf(found);
    }

    /** {@return the figures that have a verdict} */
    Block.Grid judged() {
        return grid(
                "B against A: geometric means of the repeats, the interval of their ratio, and in"
                        + " parentheses its level, by which the chance of any false difference here is 5 %"
                        + " at most",
                pairs.stream().filter(pair -> pair.verdict != null).toList());
    }

    /** {@return all figures that are known of both} */
    Block.Grid all() {
        return grid(
                "B against A: geometric means of the repeats; a figure without a verdict is not judged",
                pairs);
    }

    private Block.Grid grid(String caption, List<Pair> pairs) {
        return new Block.Grid(
                        caption,
                        List.of("row", "figure", "A", "B", "B to A", "interval (level)", "B is"),
                        pairs.stream()
                                .map(pair -> List.of(
                                        pair.row,
                                        pair.column.heading(),
                                        pair.before,
                                        pair.after,
                                        pair.change(),
                                        pair.interval(),
                                        words(pair.verdict)))
                                .toList())
                .with(Set.of(1));
    }

    private String words(@Nullable Verdict verdict) {
        return verdict == null ? Cells.UNKNOWN : verdict.text(order);
    }

    /** Prints it. */
    public void print(PrintStream out) {
        if (own != null) {
            out.println(own.answer());
            out.println();
        }
        TerminalText.print(judged(), out);
        out.println();
        unmatched.forEach(line -> out.println("not compared: " + line));
        remarks.forEach(line -> out.println("note: " + line));
        out.flush();
    }

    /** {@return it as JSON} */
    public String json(String a, String b) {
        return JsonFile.text(new Content(
                JsonFile.SCHEMA,
                a,
                b,
                order,
                own == null ? Map.of() : own.facts(),
                pairs.stream()
                        .map(pair -> new Figure(
                                pair.row,
                                pair.column.key(),
                                pair.a,
                                pair.b,
                                pair.ratio == null ? null : (Double) pair.ratio.value(),
                                pair.ratio == null ? null : pair.ratio.interval(),
                                pair.ratio == null || pair.ratio.interval() == null
                                        ? null
                                        : (Double) pair.ratio.level(),
                                pair.verdict == null ? null : pair.verdict.text()))
                        .toList(),
                unmatched,
                remarks));
    }

    private record Content(
            int schema,
            String a,
            String b,
            Order order,
            @JsonAnyGetter Map<String, @Nullable Object> own,
            List<Figure> figures,
            List<String> unmatched,
            List<String> remarks) {}

    private record Figure(
            String row,
            String figure,
            double a,
            double b,
            @Nullable Double ratio,
            @Nullable Interval ratioInterval,
            @Nullable Double ratioIntervalLevel,
            @Nullable String verdict) {}

    private static String percent(double ratio) {
        return String.format(Locale.ROOT, "%+.1f %%", (ratio - 1) * 100);
    }
}
