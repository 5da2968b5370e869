package org.hubmark.bench.results.statistics;

import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.StatUtils;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/** What a few repeats say of the rest; docs/measurement.md names the methods and why these. */
public final class Inference {
    /** Of every interval. */
    public static final double CONFIDENCE = 0.95;

    /** From so many values on a trimmed mean is of use: the scale-out study's five. */
    public static final int TRIMMED_MIN = 5;

    /**
     * Of six or fewer the test calls most values outliers (NIST/SEMATECH e-Handbook of Statistical
     * Methods, 1.3.5.17.1); of three it can only see two that are equal beside a third.
     */
    private static final int OUTLIER_MIN = 7;

    private static final double MIDDLE = 50;

    private Inference() {}

    /** {@return the middle of at least one value} */
    public static double median(double... values) {
        return StatUtils.percentile(values, MIDDLE);
    }

    /** {@return the same} */
    public static double median(List<Double> values) {
        return median(array(values));
    }

    static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** {@return Student's interval of the mean, or null for less than two values} */
    public static @Nullable Interval ofMean(double[] values) {
        return values.length < 2 ? null : MeanInterval.of(values).interval();
    }

    /** {@return the mean without the largest and the smallest value, or null for less than five} */
    public static @Nullable Double trimmedMean(double[] values) {
        if (values.length < TRIMMED_MIN) {
            return null;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return StatUtils.mean(Arrays.copyOfRange(sorted, 1, sorted.length - 1));
    }

    /**
     * {@return the place of the value that Grubbs' two-sided test calls an outlier at 5 %, or -1 for
     * none} It needs seven values.
     */
    public static int outlier(double[] values) {
        int count = values.length;
        double deviation = Math.sqrt(StatUtils.variance(values));
        if (count < OUTLIER_MIN || deviation == 0) {
            return -1;
        }
        double mean = StatUtils.mean(values);
        int farthest = 0;
        for (int i = 1; i < count; i++) {
            if (Math.abs(values[i] - mean) > Math.abs(values[farthest] - mean)) {
                farthest = i;
            }
        }
        double t = new TDistribution(count - 2)
                .inverseCumulativeProbability(1 - (1 - CONFIDENCE) / (2 * count));
        double critical = (count - 1) / Math.sqrt(count) * Math.sqrt(t * t / (count - 2 + t * t));
        return Math.abs(values[farthest] - mean) / deviation > critical ? farthest : -1;
    }

    /**
     * {@return Welch's interval of the ratio of the geometric means of two samples of positive
     * values, the second over the first; null for less than two values in either}
     */
    public static @Nullable Interval ofRatio(double[] first, double[] second) {
        if (first.length < 2 || second.length < 2) {
            return null;
        }
        double[] from = logarithms(first);
        double[] to = logarithms(second);
        double fromError = StatUtils.variance(from) / from.length;
        double toError = StatUtils.variance(to) / to.length;
        double difference = StatUtils.mean(to) - StatUtils.mean(from);
        double error = fromError + toError;
        if (error == 0) {
            return new Interval(Math.exp(difference), Math.exp(difference));
        }
        // Welch and Satterthwaite.
        double degrees = error
                * error
                / (fromError * fromError / (from.length - 1) + toError * toError / (to.length - 1));
        double half = quantile(degrees) * Math.sqrt(error);
        return new Interval(Math.exp(difference - half), Math.exp(difference + half));
    }

    /**
     * {@return Student's interval of the geometric mean of the ratios of two samples of positive
     * values that belong together in pairs, the second over the first; null for less than two pairs}
     */
    public static @Nullable Interval ofPairedRatio(double[] first, double[] second) {
        double[] from = logarithms(first);
        double[] differences = logarithms(second);
        for (int i = 0; i < differences.length; i++) {
            differences[i] -= from[i];
        }
        Interval interval = ofMean(differences);
        return interval == null
                ? null
                : new Interval(Math.exp(interval.low()), Math.exp(interval.high()));
    }

    /** {@return the ratio of the geometric means, the second over the first} */
    public static double ratio(double[] first, double[] second) {
        return Math.exp(StatUtils.mean(logarithms(second)) - StatUtils.mean(logarithms(first)));
    }

    /** {@return the two-sided quantile of Student's distribution} */
    static double quantile(double degrees) {
        return new TDistribution(degrees).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    }

    private static double[] logarithms(double[] values) {
        return Arrays.stream(values).map(Math::log).toArray();
    }
}
