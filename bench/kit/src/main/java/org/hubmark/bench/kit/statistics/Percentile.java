package org.hubmark.bench.kit.statistics;

import org.HdrHistogram.Histogram;

/**
 * Percentiles of times. One above the median takes as many times as have one above it: 20 for the 95th, 100
 * for the 99th, 1000 for the 99.9th. Of fewer it would be the maximum, which says nothing of a percentile.
 */
public final class Percentile {
    private static final double MEDIAN = 50;
    private static final double ALL = 100;

    private Percentile() {}

    /** {@return how many times a percentile takes} */
    public static long samplesMin(double percent) {
        return percent > MEDIAN ? Math.round(ALL / (ALL - percent)) : 1;
    }

    /** {@return a percentile; NaN of fewer times than it takes} */
    public static double of(Histogram times, double percent) {
        return times.getTotalCount() < samplesMin(percent)
                ? Double.NaN
                : times.getValueAtPercentile(percent);
    }
}
