package org.hubmark.bench.kit.compare;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether results are slower than a baseline by a share that matters: what a build pipeline fails on.
 * Three answers, since repeats that scatter too much answer neither yes nor no.
 *
 * @param id of the scenario, or the row and figure
 * @param text what the answer rests on, in one line
 */
public record Regression(String id, Outcome outcome, String text) {
    /** The answers. */
    public enum Outcome {
        /** The 95 % interval leaves no room for a slowdown of the limit. */
        NOT_WORSE("not worse"),
        /** The interval has room for none and for the limit. */
        TOO_NOISY("too noisy to tell"),
        /** One of the two is not valid. */
        NOT_VALID("not valid"),
        /** The baseline has it, and it can't be compared. */
        NOT_COMPARED("not compared"),
        /** The interval excludes none, and the slowdown as measured is the limit or more. */
        WORSE("worse");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        /** {@return in words} */
        public String text() {
            return text;
        }
    }

    /**
     * {@return the answer of a ratio, the second over the first}
     *
     * @param verdict that the ratio was given
     * @param limit the slowdown that shall be caught, as a share
     */
    public static Outcome outcome(
            Ratio ratio, boolean moreIsBetter, Verdict verdict, double limit) {
        return outcome(ratio.value(), ratio.interval(), moreIsBetter, verdict, limit);
    }

    /**
     * {@return whether the rows of a document are worse than the first, of all figures that are ratios to
     * it in pairs and have a direction}
     *
     * @param limit the slowdown that shall be caught, as a share
     */
    public static List<Regression> inPairs(Document document, double limit) {
        List<Regression> found = new ArrayList<>();
        for (Table table : document.tables()) {
            for (Column column : table.form().columns()) {
                if (column.definition() instanceof Column.Definition.InPairs
                        && column.better() != Column.Better.NEITHER) {
                    table.rows().forEach(row -> found.addAll(inPairs(table, row, column, limit)));
                }
            }
        }
        return found;
    }

    private static List<Regression> inPairs(Table table, Row row, Column column, double limit) {
        Estimate ratio = table.estimate(row, column);
        if (!ratio.isKnown()) {
            return List.of();
        }
        boolean moreIsBetter = column.better() == Column.Better.MORE;
        Verdict verdict = Verdict.of(ratio.value(), ratio.range(), moreIsBetter, 0);
        return List.of(new Regression(
                row.id(table.form()) + ", " + column.heading(),
                outcome(ratio.value(), ratio.range(), moreIsBetter, verdict, limit),
                table.text(row, column)));
    }

    private static Outcome outcome(
            double ratio,
            @Nullable Interval interval,
            boolean moreIsBetter,
            Verdict verdict,
            double limit) {
        if (verdict == Verdict.NOT_VALID) {
            return Outcome.NOT_VALID;
        }
        if (verdict == Verdict.SLOWER && slowdown(ratio, moreIsBetter) >= limit) {
            return Outcome.WORSE;
        }
        if (interval == null) {
            return Outcome.TOO_NOISY;
        }
        double most = slowdown(moreIsBetter ? interval.low() : interval.high(), moreIsBetter);
        return most < limit ? Outcome.NOT_WORSE : Outcome.TOO_NOISY;
    }

    private static double slowdown(double ratio, boolean moreIsBetter) {
        return moreIsBetter ? 1 - ratio : ratio - 1;
    }
}
