package org.hubmark.bench.results.statistics;

import org.hipparchus.stat.StatUtils;

import java.util.List;

/**
 * Student's confidence interval of a mean, with all that it is made of.
 *
 * @param count of the values, at least two
 * @param deviation of the values
 * @param t quantile of Student's distribution
 */
public record MeanInterval(int count, double mean, double deviation, double t) {
    /** {@return that of at least two values} */
    public static MeanInterval of(double... values) {
        return new MeanInterval(
                values.length,
                StatUtils.mean(values),
                Math.sqrt(StatUtils.variance(values)),
                Inference.quantile(values.length - 1));
    }

    /** {@return the same} */
    public static MeanInterval of(List<Double> values) {
        return of(Inference.array(values));
    }

    /** {@return its ends} */
    public Interval interval() {
        double half = t * deviation / Math.sqrt(count);
        return new Interval(mean - half, mean + half);
    }
}
