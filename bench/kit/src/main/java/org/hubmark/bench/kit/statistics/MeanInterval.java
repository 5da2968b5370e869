package org.hubmark.bench.kit.statistics;

import org.hipparchus.stat.StatUtils;

import java.util.Arrays;

/**
 * Student's confidence interval of a mean, with all that it is made of. Of values that are all above
 * 0 it is taken of their logarithms: it then is one of the geometric mean, and no end of it is below
 * 0.
 *
 * @param count of the values, at least two
 * @param logarithmic whether mean and deviation are those of the logarithms
 * @param deviation of the values
 * @param t quantile of Student's distribution
 */
record MeanInterval(int count, boolean logarithmic, double mean, double deviation, double t) {
    /** {@return that of at least two values} */
    public static MeanInterval of(double... values) {
        boolean logarithmic = Arrays.stream(values).allMatch(value -> value > 0);
        double[] scaled = logarithmic ? Inference.logarithms(values) : values;
        return new MeanInterval(
                values.length,
                logarithmic,
                StatUtils.mean(scaled),
                Math.sqrt(StatUtils.variance(scaled)),
                Inference.quantile(values.length - 1));
    }

    /** {@return its ends} */
    public Interval interval() {
        double half = t * deviation / Math.sqrt(count);
        return logarithmic
                ? new Interval(Math.exp(mean - half), Math.exp(mean + half))
                : new Interval(mean - half, mean + half);
    }
}
