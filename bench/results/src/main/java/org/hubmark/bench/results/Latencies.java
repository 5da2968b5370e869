package org.hubmark.bench.results;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.machine.statistics.Percentile;
import org.jspecify.annotations.Nullable;

/** Percentiles in milliseconds of histograms in nanoseconds. */
public final class Latencies {
    private Latencies() {}

    /** {@return null when nothing was recorded} */
    public static Results.@Nullable AcceptLatency accept(Histogram nanos) {
        if (nanos.getTotalCount() == 0) {
            return null;
        }
        return new Results.AcceptLatency(
                nanos.getMean() / 1e6,
                nanos.getValueAtPercentile(50) / 1e6,
                Percentile.millis(nanos, 95),
                Percentile.millis(nanos, 99),
                Percentile.millis(nanos, 99.9),
                nanos.getMaxValue() / 1e6);
    }

    /** {@return null when nothing was recorded} */
    public static Results.@Nullable QueueResidence residence(@Nullable Histogram nanos) {
        if (nanos == null || nanos.getTotalCount() == 0) {
            return null;
        }
        return new Results.QueueResidence(
                nanos.getValueAtPercentile(50) / 1e6,
                Percentile.millis(nanos, 95),
                Percentile.millis(nanos, 99),
                nanos.getMaxValue() / 1e6);
    }

    /** {@return null when nothing was recorded} */
    public static Results.@Nullable DriverLateness driver(Histogram nanos) {
        return nanos.getTotalCount() == 0
                ? null
                : new Results.DriverLateness(
                        nanos.getValueAtPercentile(50) / 1e6,
                        Percentile.millis(nanos, 99),
                        nanos.getMaxValue() / 1e6);
    }

    /** {@return those that a figure is one of; null where it is none, or they aren't known} */
    static Results.@Nullable AcceptLatency of(
            Column figure,
            Results.@Nullable AcceptLatency accept,
            Results.@Nullable AcceptLatency uncorrected) {
        if (Figure.ACCEPT_LATENCY.contains(figure)) {
            return accept;
        }
        return Figure.UNCORRECTED_LATENCY.contains(figure) ? uncorrected : null;
    }
}
