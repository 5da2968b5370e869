package org.hubmark.bench.users.result;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Milliseconds from the intended start of sending to being seen in a recipient's mailbox by IMAP. */
public record ArrivalLatency(
        @Nullable Double p50,
        @Nullable Double p95,
        @Nullable Double max) {
    static ArrivalLatency of(Histogram nanos) {
        return new ArrivalLatency(
                Latency.percentile(nanos, 50), Latency.percentile(nanos, 95), Latency.max(nanos));
    }
}
