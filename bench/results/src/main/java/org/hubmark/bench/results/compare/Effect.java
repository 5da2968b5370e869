package org.hubmark.bench.results.compare;

import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * How a quantity differs between two results.
 *
 * @param before geometric mean of the first, with the digits that its repeats allow
 * @param after that of the second, likewise
 * @param ratio the second over the first
 */
public record Effect(Quantity quantity, String before, String after, Ratio ratio) {
    private static final int DECIMALS_MAX = 4;

    /** {@return null when it isn't known of both} */
    static @Nullable Effect of(Quantity quantity, Scenario first, Scenario second) {
        double[] from = quantity.values(first);
        double[] to = quantity.values(second);
        return from.length == 0 || to.length == 0
                ? null
                : new Effect(quantity, mean(from), mean(to), Ratio.of(from, to));
    }

    private static String mean(double[] values) {
        return Digits.text(Inference.geometricMean(values), values, DECIMALS_MAX);
    }

    /** {@return the 95 % interval of the ratio; null when either has less than two repeats} */
    public @Nullable Interval interval() {
        return ratio.interval();
    }

    /** {@return whether the second is faster with more of it} */
    boolean moreIsBetter() {
        return quantity == Quantity.RATE;
    }

    /**
     * {@return what may be said}
     *
     * @param smallest a smaller difference, as a share, does not matter
     */
    Verdict verdict(double smallest) {
        return Verdict.of(ratio, moreIsBetter(), smallest);
    }
}
