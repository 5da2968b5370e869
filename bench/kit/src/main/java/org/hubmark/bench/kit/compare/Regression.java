package org.hubmark.bench.kit.compare;

import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;

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

    private static double slowdown(double ratio, boolean moreIsBetter) {
        return moreIsBetter ? 1 - ratio : ratio - 1;
    }
}
