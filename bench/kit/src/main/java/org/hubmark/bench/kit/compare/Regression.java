package org.hubmark.bench.kit.compare;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.statistics.Holm;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

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
        /** The interval leaves no room for a slowdown of the limit. */
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
        if (verdict == Verdict.NOT_VALID) {
            return Outcome.NOT_VALID;
        }
        if (verdict == Verdict.SLOWER && slowdown(ratio.value(), moreIsBetter) >= limit) {
            return Outcome.WORSE;
        }
        Interval interval = ratio.interval();
        if (interval == null) {
            return Outcome.TOO_NOISY;
        }
        double most = slowdown(moreIsBetter ? interval.low() : interval.high(), moreIsBetter);
        return most < limit ? Outcome.NOT_WORSE : Outcome.TOO_NOISY;
    }

    /** A figure of a row that is a ratio to the first in pairs. */
    private record InPairs(String id, Column column, Ratio ratio) {
        private Regression regression(Ratio judged, double limit) {
            boolean moreIsBetter = column.better() == Column.Better.MORE;
            Verdict verdict = Verdict.of(judged, moreIsBetter, 0);
            return new Regression(
                    id + ", " + column.heading(),
                    outcome(judged, moreIsBetter, verdict, limit),
                    String.format(Locale.ROOT, "%+.1f %%, ", 100 * (judged.value() - 1))
                            + judged.intervalText());
        }
    }

    /**
     * {@return whether the rows of a document are worse than the first, of all figures that are ratios to
     * it in pairs and have a direction, judged together}
     *
     * @param limit the slowdown that shall be caught, as a share
     */
    public static List<Regression> inPairs(Document document, double limit) {
        List<InPairs> family = new ArrayList<>();
        for (Table table : document.tables()) {
            for (Column column : table.form().columns()) {
                for (Row row : table.rows()) {
                    Ratio ratio = column.better() == Column.Better.NEITHER
                            ? null
                            : table.inPairs(row, column);
                    if (ratio != null) {
                        family.add(new InPairs(row.id(table.form()), column, ratio));
                    }
                }
            }
        }
        List<Ratio> judged = Holm.judged(family.stream().map(InPairs::ratio).toList());
        return IntStream.range(0, judged.size())
                .mapToObj(i -> family.get(i).regression(judged.get(i), limit))
                .toList();
    }

    private static double slowdown(double ratio, boolean moreIsBetter) {
        return moreIsBetter ? 1 - ratio : ratio - 1;
    }
}
