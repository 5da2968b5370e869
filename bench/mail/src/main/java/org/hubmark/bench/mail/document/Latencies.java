package org.hubmark.bench.mail.document;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.mail.document.Results.AcceptLatency;
import org.jspecify.annotations.Nullable;

/**
 * Latencies of the messages that were answered. In the file they stand flat in what has them.
 *
 * @param acceptLatencyMs from the intended start; null when nothing was accepted
 * @param acceptLatencyUncorrectedMs from the actual send, which hides waiting; null when nothing was
 *     accepted or it isn't known
 */
public record Latencies(
        @Nullable AcceptLatency acceptLatencyMs,
        @Nullable AcceptLatency acceptLatencyUncorrectedMs) {
    /** Nothing was accepted. */
    public static final Latencies UNKNOWN = new Latencies(null, null);

    /**
     * {@return what was recorded}
     *
     * @param intended nanoseconds from the intended start
     * @param actual nanoseconds from the actual send
     */
    public static Latencies of(Histogram intended, Histogram actual) {
        return new Latencies(AcceptLatency.of(intended), AcceptLatency.of(actual));
    }

    /** {@return one of them; null when it isn't known, or the figure is no latency} */
    @Nullable
    Double get(Column figure) {
        AcceptLatency latency = null;
        if (Figure.ACCEPT_LATENCY.contains(figure)) {
            latency = acceptLatencyMs;
        } else if (Figure.UNCORRECTED_LATENCY.contains(figure)) {
            latency = acceptLatencyUncorrectedMs;
        }
        return latency == null ? null : latency.get(figure);
    }
}
