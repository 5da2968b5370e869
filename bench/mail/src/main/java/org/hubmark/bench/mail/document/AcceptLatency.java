package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.machine.statistics.Percentile;
import org.jspecify.annotations.Nullable;

/**
 * Milliseconds from the intended start of a message to the answer to its end. A percentile is null
 * where there were too few messages for it: see {@link Percentile}.
 *
 * @param mean arithmetic mean
 * @param max the largest one
 */
public record AcceptLatency(
        double mean,
        double p50,
        @Nullable Double p95,
        @Nullable Double p99,
        @JsonProperty("p99_9") @Nullable Double p999,
        double max) {
    /** {@return what was recorded, in nanoseconds; null when nothing was} */
    public static @Nullable AcceptLatency of(Histogram nanos) {
        return nanos.getTotalCount() == 0
                ? null
                : new AcceptLatency(
                        nanos.getMean() / 1e6,
                        nanos.getValueAtPercentile(50) / 1e6,
                        Percentile.millis(nanos, 95),
                        Percentile.millis(nanos, 99),
                        Percentile.millis(nanos, 99.9),
                        nanos.getMaxValue() / 1e6);
    }
}
