package org.hubmark.bench.machine.statistics;

import java.util.List;

/**
 * Values of five windows of time by the rule of SNIA's Solid State Storage Performance Test Specification
 * (steady state): none is further than 10 % from their mean, and the straight line through them rises or
 * falls by 10 % of it at most. Shares are of the mean.
 *
 * @param mean of the values
 * @param rangeShare how far the furthest is from the mean
 * @param slopeShare by how much the line of least squares rises or falls from the first to the last
 * @param isSteady whether there are five of them, which keep the rule
 */
public record SteadyWindows(double mean, double rangeShare, double slopeShare, boolean isSteady) {
    /** Windows that the rule takes. */
    public static final int COUNT = 5;

    private static final double SHARE_MAX = 0.1;

    /** {@return what the rule makes of values, in their order} */
    public static SteadyWindows of(List<Double> values) {
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
        double range = values.stream()
                        .mapToDouble(value -> Math.abs(value - mean))
                        .max()
                        .orElse(Double.NaN)
                / mean;
        double slope = rise(values) / mean;
        return new SteadyWindows(
                mean,
                range,
                slope,
                values.size() == COUNT && range <= SHARE_MAX && slope <= SHARE_MAX);
    }

    private static double rise(List<Double> values) {
        double middle = (values.size() - 1) / 2.0;
        double products = 0;
        double squares = 0;
        for (int i = 0; i < values.size(); i++) {
            products += (i - middle) * values.get(i);
            squares += (i - middle) * (i - middle);
        }
        return Math.abs(products / squares) * (values.size() - 1);
    }
}
