package org.hubmark.bench.measure.builds;

import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * How a build fares against the first: the ratio within each round, in which both were measured one
 * soon after the other, so that what drifts on the machine touches both.
 *
 * @param median over the rounds
 * @param min of the rounds
 * @param max of the rounds
 * @param ci95 of the geometric mean of the ratios; null for a single round
 */
public record PairedRatio(
        double median, double min, double max, @Nullable Interval ci95) {
    /** Compares values of the same rounds, all above 0. */
    static PairedRatio of(double[] first, double[] other) {
        double[] ratios = new double[first.length];
        Arrays.setAll(ratios, i -> other[i] / first[i]);
        return new PairedRatio(
                Inference.median(ratios),
                Arrays.stream(ratios).min().orElseThrow(),
                Arrays.stream(ratios).max().orElseThrow(),
                Inference.ofPairedRatio(first, other));
    }

    /** {@return whether the interval leaves out that there is no difference} */
    boolean distinguishable() {
        return ci95 != null && (ci95.low() > 1 || ci95.high() < 1);
    }
}
