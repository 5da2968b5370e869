package org.hubmark.bench.users.result;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Latencies in milliseconds, as the file has them. */
final class Latency {
    private static final double NANOS_PER_MILLI = 1e6;

    private Latency() {}

    /** {@return the value above so many percent of all, or null when there is none} */
    static @Nullable Double percentile(Histogram nanos, double percent) {
        return known(nanos, (double) nanos.getValueAtPercentile(percent));
    }

    static @Nullable Double mean(Histogram nanos) {
        return known(nanos, nanos.getMean());
    }

    static @Nullable Double deviation(Histogram nanos) {
        return known(nanos, nanos.getStdDeviation());
    }

    static @Nullable Double max(Histogram nanos) {
        return known(nanos, (double) nanos.getMaxValue());
    }

    private static @Nullable Double known(Histogram nanos, double value) {
        return nanos.getTotalCount() == 0 ? null : (Double) (value / NANOS_PER_MILLI);
    }
}
