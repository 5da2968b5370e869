package org.hubmark.bench.measure;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Locale;

/**
 * Time in which this process did not run although it was to wake up: stopped by a signal, paused
 * with its machine, or without a CPU. In a closed loop nothing else shows it: the rate is lower,
 * and no message late. A thread of its own wakes up all the time, since others may wait for a
 * server just then.
 */
final class Standstill implements AutoCloseable {
    /** A pause of the collector is shorter, and so is a turn of others on the core. */
    private static final Duration LEAST = Duration.ofMillis(250);

    private static final Duration BEAT = Duration.ofMillis(20);

    /** The smallest difference that two results can show is larger. */
    private static final double PERCENT_MAX = 1;

    private final TimeSource time;
    private @Nullable Thread thread;
    private long nanos;

    Standstill(TimeSource time) {
        this.time = time;
    }

    /** Begins to look. In simulated time, which passes for one thread alone, only {@link #woke} tells. */
    void begin() {
        if (time.equals(TimeSource.SYSTEM)) {
            thread = Thread.ofPlatform().daemon().name("standstill").start(this::beat);
        }
    }

    private void beat() {
        try {
            while (true) {
                long dueNanos = time.nanoTime() + BEAT.toNanos();
                time.sleep(BEAT);
                add(dueNanos, time.nanoTime());
            }
        } catch (InterruptedException e) {
            // It is over.
            return;
        }
    }

    /**
     * Notes when the caller woke up.
     *
     * @param dueNanos when it was to, at the latest
     */
    void woke(long dueNanos, long nowNanos) {
        if (thread == null) {
            add(dueNanos, nowNanos);
        }
    }

    private synchronized void add(long dueNanos, long nowNanos) {
        long late = nowNanos - dueNanos;
        nanos += late >= LEAST.toNanos() ? late : 0;
    }

    /** {@return why a repeat of that time is not valid; null where it stood still for too short} */
    @Nullable
    synchronized String reason(double measuredSeconds) {
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

    /** Looks no more. */
    @Override
    public void close() {
        if (thread != null) {
            thread.interrupt();
        }
    }
}
