package org.hubmark.bench.results.report;

import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.TDistribution;

import java.util.Arrays;
import java.util.List;

/** What is made of the repeats of a scenario. docs/measurement.md states each formula. */
final class Statistics {
    private static final double CONFIDENCE = 0.95;

    private Statistics() {}

    /**
     * A confidence interval of a mean.
     *
     * @param t quantile of Student's distribution
     */
    record Interval(int count, double mean, double deviation, double t) {
        double low() {
            return mean - half();
        }

        double high() {
            return mean + half();
        }

        private double half() {
            return t * deviation / Math.sqrt(count);
        }
    }

    static double median(List<Double> values) {
        return Median.withDefaults().evaluate(array(values));
    }

    /** {@return the interval of the mean of at least two values} */
    static Interval interval(List<Double> values) {
        double[] array = array(values);
        return new Interval(
                array.length,
                Mean.of(array).getAsDouble(),
                StandardDeviation.of(array).getAsDouble(),
                TDistribution.of(array.length - 1)
                        .inverseCumulativeProbability((1 + CONFIDENCE) / 2));
    }

    /** {@return the mean without the smallest and the largest of at least three values} */
    static double trimmedMean(List<Double> values) {
        double[] array = array(values);
        Arrays.sort(array);
        return Mean.of(Arrays.copyOfRange(array, 1, array.length - 1)).getAsDouble();
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
