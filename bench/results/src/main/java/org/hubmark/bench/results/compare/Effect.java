package org.hubmark.bench.results.compare;

import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.statistics.Inference;
import org.hubmark.bench.results.statistics.Interval;
import org.jspecify.annotations.Nullable;

/**
 * How a quantity differs between two results.
 *
 * @param before median of the first
 * @param after median of the second
 * @param ratio of the geometric means, the second over the first
 * @param interval Welch's, of the ratio; null when either has less than two repeats
 */
public record Effect(
        Quantity quantity,
        double before,
        double after,
        double ratio,
        @Nullable Interval interval) {
    /** {@return null when it isn't known of both} */
    static @Nullable Effect of(Quantity quantity, Scenario first, Scenario second) {
        double[] from = quantity.values(first);
        double[] to = quantity.values(second);
        if (from.length == 0 || to.length == 0) {
            return null;
        }
        return new Effect(
                quantity,
                Inference.median(from),
                Inference.median(to),
                Inference.ratio(from, to),
                Inference.ofRatio(from, to));
    }

    /** {@return half the width of the interval, as a share; endless when there is none} */
    double uncertainty() {
        return interval == null
                ? Double.POSITIVE_INFINITY
                : Math.sqrt(interval.high() / interval.low()) - 1;
    }

    /** {@return by what share the second is slower, or costs more; below 0 when it's the other way} */
    public double slowdown() {
        return quantity == Quantity.RATE ? 1 - ratio : ratio - 1;
    }

    /**
     * {@return what may be said}
     *
     * @param smallest a smaller difference, as a share, is none
     */
    Verdict verdict(double smallest) {
        boolean apart = interval != null && (interval.low() > 1 || interval.high() < 1);
        if (!apart || Math.abs(ratio - 1) < smallest) {
            return Verdict.NOT_DISTINGUISHABLE;
        }
        return slowdown() > 0 ? Verdict.SLOWER : Verdict.FASTER;
    }
}
