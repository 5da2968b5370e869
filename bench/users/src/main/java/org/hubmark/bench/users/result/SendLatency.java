package org.hubmark.bench.users.result;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Milliseconds of all tasks that send, taken together, as LoadGen's Sendmail. */
public record SendLatency(@Nullable Double mean, @Nullable Double p95) {
    static SendLatency of(Histogram nanos) {
        return new SendLatency(Latency.mean(nanos), Latency.percentile(nanos, 95));
    }
}
