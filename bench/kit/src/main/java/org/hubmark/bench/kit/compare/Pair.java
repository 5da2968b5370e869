package org.hubmark.bench.kit.compare;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A figure of a row in two documents.
 *
 * @param row by its names
 * @param a in the first
 * @param b in the second
 * @param ratio of the second to the first; null of yes and no, and where it isn't known of both
 * @param verdict null where it is not judged
 * @param faults why it has none
 */
public record Pair(
        String row,
        Column column,
        Side a,
        Side b,
        @Nullable Ratio ratio,
        Weight weight,
        @Nullable Verdict verdict,
        List<String> faults) {
    /**
     * The figure in one of them: the geometric mean of its repeats where there is a ratio, which is one of
     * such means; else as its table has it.
     *
     * @param value NaN where it isn't known
     */
    public record Side(double value, String text) {
        static Side mean(double[] repeats, Column column) {
            double mean = Inference.geometricMean(repeats);
            return new Side(mean, Digits.text(mean, repeats, column.decimals()));
        }
    }

    /** What a verdict on it is worth. */
    public enum Weight {
        /** It decides on its row. */
        DECIDES,
        /** As much as those on the other figures of its row. */
        EACH,
        /** It fails where it is worse, and says nothing where it can't be told. */
        BESIDE,
        /** There is none, but people want to see the figure. */
        SHOWN,
        /** There is none. */
        NONE;

        boolean isJudged() {
            return this != SHOWN && this != NONE;
        }
    }

    /** {@return whether it has a ratio that gets a verdict} */
    boolean isToBeJudged() {
        return weight.isJudged() && faults.isEmpty() && ratio != null;
    }

    /** {@return the same, judged by a ratio at the level that its family asks for} */
    Pair judged(Ratio atLevel, double smallest) {
        return new Pair(
                row,
                column,
                a,
                b,
                atLevel,
                weight,
                Verdict.of(atLevel, moreIsBetter(), smallest),
                faults);
    }

    private boolean moreIsBetter() {
        return column.better() == Column.Better.MORE;
    }

    /** {@return what it is of, and what} */
    public String title() {
        return row + ", " + column.heading();
    }

    /** {@return the verdict with what it rests on; empty where there is none} */
    public String text() {
        return verdict == null
                ? ""
                : verdict == Verdict.NOT_VALID
                        ? String.join("; ", faults)
                        : ratio == null
                                ? verdictText() + ", " + a.text() + " and " + b.text()
                                : verdictText() + ", B " + change() + " (" + interval() + ")";
    }

    /** {@return the verdict in words; a dash where there is none} */
    String verdictText() {
        Interval interval = ratio == null ? null : ratio.interval();
        return verdict == null
                ? Cells.UNKNOWN
                : verdict != Verdict.EQUIVALENT || interval == null
                        ? verdict.text()
                        : String.format(
                                Locale.ROOT,
                                "%s within %.1f %%",
                                verdict.text(),
                                100 * Math.max(interval.high() - 1, 1 - interval.low()));
    }

    /**
     * {@return whether the second is worse; empty where nothing was judged, or where that says nothing}
     *
     * @param limit the slowdown that shall be caught, as a share
     */
    Optional<Regression> regression(double limit) {
        if (verdict == null) {
            return Optional.empty();
        }
        Regression.Outcome outcome = outcome(verdict, limit);
        if (weight == Weight.BESIDE && outcome != Regression.Outcome.WORSE) {
            return Optional.empty();
        }
        return Optional.of(new Regression(title(), outcome, text()));
    }

    private Regression.Outcome outcome(Verdict given, double limit) {
        if (ratio != null) {
            // One beside is asked for the limit alone.
            Verdict judged = weight == Weight.BESIDE && given != Verdict.NOT_VALID
                    ? Verdict.of(ratio, moreIsBetter(), limit)
                    : given;
            return Regression.outcome(ratio, moreIsBetter(), judged, limit);
        }
        return switch (given) {
            case NOT_VALID -> Regression.Outcome.NOT_VALID;
            case WORSE -> Regression.Outcome.WORSE;
            case NO_VERDICT -> Regression.Outcome.TOO_NOISY;
            case FASTER, SLOWER, BETTER, EQUIVALENT, NOT_DISTINGUISHABLE ->
                Regression.Outcome.NOT_WORSE;
        };
    }

    /** {@return by how much the second differs} */
    String change() {
        return ratio == null
                ? Cells.UNKNOWN
                : String.format(Locale.ROOT, "%+.1f %%", (ratio.value() - 1) * 100);
    }

    /** {@return the interval of that, with its level} */
    String interval() {
        return ratio == null ? Cells.UNKNOWN : ratio.intervalText();
    }
}
