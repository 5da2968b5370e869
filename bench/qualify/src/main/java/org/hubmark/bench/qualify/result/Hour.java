package org.hubmark.bench.qualify.result;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How long database reads took in one hour of a phase, over all instances, beside the rule by which ACT
 * judges flash: of all reads at most 5 % take more than 1 ms, 1 % more than 8 ms, 0.1 % more than 64
 * ms. No disk that turns keeps it, and it is not part of the verdict of the phase.
 *
 * @param hour from 1; the last may be shorter
 * @param verdict by that rule; null when nothing was read
 */
public record Hour(
        int hour,
        @Nullable Verdict verdict,
        long dbReads,
        @Nullable Double avgDbReadLatencyMs,
        @Nullable Double p95DbReadLatencyMs,
        @Nullable Double p99DbReadLatencyMs,
        @Nullable Double maxDbReadLatencyMs,
        @JsonProperty("over_1ms_percent") @Nullable Double over1MsPercent,
        @JsonProperty("over_8ms_percent") @Nullable Double over8MsPercent,
        @JsonProperty("over_64ms_percent") @Nullable Double over64MsPercent) {
    /** The percentages that may take longer than 1, 8 and 64 ms. */
    static final double OVER_1_MS_PERCENT_MAX = 5;

    static final double OVER_8_MS_PERCENT_MAX = 1;
    static final double OVER_64_MS_PERCENT_MAX = 0.1;

    private static final double NANOS_PER_MILLI = 1e6;

    /** {@return what the reads of an hour say} */
    static Hour of(int hour, Histogram readNanos) {
        if (readNanos.getTotalCount() == 0) {
            return new Hour(hour, null, 0, null, null, null, null, null, null, null);
        }
        double over1 = percentAbove(readNanos, 1);
        double over8 = percentAbove(readNanos, 8);
        double over64 = percentAbove(readNanos, 64);
        boolean keeps = over1 <= OVER_1_MS_PERCENT_MAX
                && over8 <= OVER_8_MS_PERCENT_MAX
                && over64 <= OVER_64_MS_PERCENT_MAX;
        return new Hour(
                hour,
                keeps ? Verdict.PASS : Verdict.FAIL,
                readNanos.getTotalCount(),
                readNanos.getMean() / NANOS_PER_MILLI,
                readNanos.getValueAtPercentile(95) / NANOS_PER_MILLI,
                readNanos.getValueAtPercentile(99) / NANOS_PER_MILLI,
                readNanos.getMaxValue() / NANOS_PER_MILLI,
                over1,
                over8,
                over64);
    }

    private static double percentAbove(Histogram nanos, long millis) {
        long above = nanos.getTotalCount() - nanos.getCountBetweenValues(0, millis * 1_000_000);
        return 100.0 * above / nanos.getTotalCount();
    }
}
