package org.hubmark.bench.machine.statistics;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Percentiles of times. One above the median takes as many times as have one above it: 20 for the 95th, 100
 * for the 99th, 1000 for the 99.9th. Of fewer it would be the maximum, which says nothing of a percentile.
 */
public final class Percentile {
    private static final double MEDIAN = 50;
    private static final double ALL = 100;
    private static final double NANOS_PER_MS = 1e6;

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

    /** {@return a percentile of nanoseconds in milliseconds; null of fewer times than it takes} */
    public static @Nullable Double millis(Histogram nanos, double percent) {
        double value = of(nanos, percent);
        return Double.isNaN(value) ? null : (Double) (value / NANOS_PER_MS);
    }
}
