package org.hubmark.bench.machine.volumes;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.machine.statistics.Percentile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;

/**
 * How long operations took, one after the other.
 *
 * @param count of operations
 * @param ratePerSecond over the time they took, of all threads together
 * @param minMs milliseconds, as all below; a percentile of too few operations is null: {@link Percentile}
 */
public record Timings(
        long count,
        double ratePerSecond,
        double minMs,
        double meanMs,
        double p50Ms,
        @Nullable Double p95Ms,
        @Nullable Double p99Ms,
        @JsonProperty("p99_9_ms") @Nullable Double p999Ms,
        double maxMs) {
    private static final double NANOS_PER_MS = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private static final long NANOS_MAX = Duration.ofMinutes(10).toNanos();
    private static final int DIGITS = 3;

    /** Something whose time is taken. */
    @FunctionalInterface
    interface Operation {
        /** Does it; the first has number 0. */
        void run(long number) throws IOException;
    }

    /** {@return one to take down nanoseconds of operations in} */
    static Histogram histogram() {
        return new Histogram(NANOS_MAX, DIGITS);
    }

    /** Does something at least once, and until a time is over or it was done so often. {@return the times} */
    static Histogram take(long nanos, long countMax, Operation operation) throws IOException {
        Histogram taken = histogram();
        long begun = System.nanoTime();
        long now = begun;
        do {
            long start = now;
            operation.run(taken.getTotalCount());
            now = System.nanoTime();
            taken.recordValue(Math.min(NANOS_MAX, now - start));
        } while (now - begun < nanos
                && taken.getTotalCount() < countMax
                && !Thread.currentThread().isInterrupted());
        return taken;
    }

    static Timings of(Histogram nanos, long elapsedNanos) {
        return new Timings(
                nanos.getTotalCount(),
                nanos.getTotalCount() * NANOS_PER_SECOND / Math.max(1, elapsedNanos),
                nanos.getMinValue() / NANOS_PER_MS,
                nanos.getMean() / NANOS_PER_MS,
                nanos.getValueAtPercentile(50) / NANOS_PER_MS,
                Percentile.millis(nanos, 95),
                Percentile.millis(nanos, 99),
                Percentile.millis(nanos, 99.9),
                nanos.getMaxValue() / NANOS_PER_MS);
    }
}
