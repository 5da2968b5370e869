package org.hubmark.bench.kit.statistics;

import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.StatUtils;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Inference from a few repeats; docs/measurement.md names the methods and the reasons for them. */
public final class Inference {
    /** Confidence of every interval. */
    public static final double CONFIDENCE = 0.95;

    /** From so many values on a trimmed mean is of use: the scale-out study's five. */
    public static final int TRIMMED_MIN = 5;

    private static final int TREND_MIN = 3;

    /** Of the normal distribution, two-sided. */
    private static final double NORMAL_QUANTILE = 1.96;

    /** Repeats of one setting differ by as much. */
    private static final double TREND_CHANGE_MIN = 0.05;

    private static final double MIDDLE = 50;

    private Inference() {}

    /** {@return the middle of at least one value} */
    public static double median(double... values) {
        return StatUtils.percentile(values, MIDDLE);
    }

    /** {@return the geometric mean of at least one value, all above 0} */
    public static double geometricMean(double... values) {
        return Math.exp(StatUtils.mean(logarithms(values)));
    }

    /**
     * {@return Student's interval of the mean; null for less than two values, or where it is not
     * {@linkplain Interval#usable usable}} Where all values are above 0 it is that of their geometric mean,
     * which never reaches 0: a rate or a cost can't.
     */
    public static @Nullable Interval ofMean(double[] values) {
        Interval interval = student(values);
        return interval == null ? null : interval.usable();
    }

    /** {@return the same, however wide; null for less than two values} */
    static @Nullable Interval student(double[] values) {
        if (values.length < 2) {
            return null;
        }
        boolean isPositive = Arrays.stream(values).allMatch(value -> value > 0);
        double[] scaled = isPositive ? logarithms(values) : values;
        double mean = StatUtils.mean(scaled);
        double half = quantile(values.length - 1)
                * Math.sqrt(StatUtils.variance(scaled))
                / Math.sqrt(values.length);
        return isPositive
                ? new Interval(Math.exp(mean - half), Math.exp(mean + half))
                : new Interval(mean - half, mean + half);
    }

    /**
     * {@return the interval of the mean of those values that are left when some were left out; null for
     * less than two, or where it is not {@linkplain Interval#usable usable}} Where exactly the largest and the smallest are missing it is Tukey and McLaughlin's,
     * whose error is that of all values with the extremes drawn in; else, since another figure chose them,
     * Student's of those that are left. Of a mean above 0 no end is below 0: the error is taken of its
     * logarithm.
     */
    public static @Nullable Interval ofMiddle(double[] all, double[] middle) {
        int left = middle.length;
        if (left < 2) {
            return null;
        }
        double[] drawnIn = all.clone();
        Arrays.sort(drawnIn);
        double[] sorted = middle.clone();
        Arrays.sort(sorted);
        int each = (all.length - left) / 2;
        boolean isOwn = Arrays.equals(sorted, Arrays.copyOfRange(drawnIn, each, all.length - each));
        Arrays.fill(drawnIn, 0, each, drawnIn[each]);
        Arrays.fill(drawnIn, all.length - each, all.length, drawnIn[all.length - each - 1]);
        double error = isOwn
                ? Math.sqrt(StatUtils.variance(drawnIn) * all.length) / left
                : Math.sqrt(StatUtils.variance(middle) / left);
        double mean = StatUtils.mean(middle);
        double reach = quantile(left - 1) * error;
        Interval interval = sorted[0] > 0
                ? new Interval(mean * Math.exp(-reach / mean), mean * Math.exp(reach / mean))
                : new Interval(mean - reach, mean + reach);
        return interval.usable();
    }

    /** {@return the arithmetic mean of at least one value} */
    public static double mean(double... values) {
        return StatUtils.mean(values);
    }

    /**
     * {@return by what share positive values rise (or fall, below 0) in the order in which they were
     * measured, from the first to the last; null where that is chance or too little to matter} By
     * Mann and Kendall's two-sided test at 5 %; four values and less can't reach that, so there each
     * has to lie beyond the last.
     */
    public static @Nullable Double trend(double[] values) {
        int count = values.length;
        if (count < TREND_MIN || Arrays.stream(values).anyMatch(value -> value <= 0)) {
            return null;
        }
        double[] slopes = new double[count * (count - 1) / 2];
        int pairs = 0;
        int rising = 0;
        for (int i = 0; i < count; i++) {
            for (int j = i + 1; j < count; j++) {
                slopes[pairs++] = Math.log(values[j] / values[i]) / (j - i);
                rising += Double.compare(values[j], values[i]);
            }
        }
        double deviation = Math.sqrt(count * (count - 1) * (2 * count + 5) / 18.0);
        boolean ordered =
                Math.abs(rising) == pairs || (Math.abs(rising) - 1) / deviation > NORMAL_QUANTILE;
        // Theil and Sen's line: the median of the slopes between all pairs.
        double change = Math.expm1(median(slopes) * (count - 1));
        return ordered && Math.abs(change) > TREND_CHANGE_MIN ? (Double) change : null;
    }

    /** {@return the two-sided quantile of Student's distribution} */
    static double quantile(double degrees) {
        return new TDistribution(degrees).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    }

    static double[] logarithms(double[] values) {
        return Arrays.stream(values).map(Math::log).toArray();
    }
}
