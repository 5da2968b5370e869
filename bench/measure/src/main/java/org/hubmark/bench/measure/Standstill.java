package org.hubmark.bench.measure;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Locale;

/**
 * How long this process did not run though it was to wake up: stopped by a signal, paused with its
 * machine, or without a CPU. In a closed loop nothing else shows it: the rate is lower, and no message
 * late. One thread.
 */
final class Standstill {
    /** A pause of the collector is shorter, and so is a turn of others on the core. */
    private static final Duration LEAST = Duration.ofMillis(250);

    /** The smallest difference that two results can show is larger. */
    private static final double PERCENT_MAX = 1;

    private long nanos;

    /**
     * Notes when the process woke up.
     *
     * @param dueNanos when it was to, at the latest
     */
    void woke(long dueNanos, long nowNanos) {
        long late = nowNanos - dueNanos;
        nanos += late >= LEAST.toNanos() ? late : 0;
    }

    /** {@return why a repeat of that time is not valid; null where it stood still for too short} */
    @Nullable
    String reason(double measuredSeconds) {
        double seconds = nanos / 1e9;
        return 100 * seconds <= PERCENT_MAX * measuredSeconds
                ? null
                : String.format(
                        Locale.ROOT,
                        "the driver stood still for %.1f s of the measured time (at most %.0f%%): it was"
                                + " stopped, or its machine was, or it got no CPU",
                        seconds,
                        PERCENT_MAX);
    }
}
