package org.hubmark.bench.kit.check;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * How long this process did not run though it was to wake up: stopped by a signal, paused with its
 * machine, or without a CPU. In a closed loop nothing else shows it: the rate is lower, and no message
 * late. A thread of its own wakes up all the time, since others may wait for a server just then.
 */
public final class Standstill implements AutoCloseable {
    /** A pause of the collector is shorter, and so is a turn of others on the core. */
    private static final Duration LEAST = Duration.ofMillis(250);

    private static final Duration BEAT = Duration.ofMillis(20);

    private @Nullable Thread thread;
    private long nanos;

    /** Begins to look. */
    public void begin() {
        thread = Thread.ofPlatform().daemon().name("standstill").start(this::beat);
    }

    private void beat() {
        try {
            while (true) {
                long dueNanos = System.nanoTime() + BEAT.toNanos();
                Thread.sleep(BEAT);
                add(dueNanos, System.nanoTime());
            }
        } catch (InterruptedException e) {
            // It is over.
            return;
        }
    }

    /**
     * Notes when the caller woke up, which counts where nobody looks: in simulated time, that passes for
     * one thread alone.
     *
     * @param dueNanos when it was to, at the latest
     */
    public void woke(long dueNanos, long nowNanos) {
        if (thread == null) {
            add(dueNanos, nowNanos);
        }
    }

    private synchronized void add(long dueNanos, long nowNanos) {
        long late = nowNanos - dueNanos;
        nanos += late >= LEAST.toNanos() ? late : 0;
    }

    /** {@return how long it stood still since the begin} */
    public synchronized long nanos() {
        return nanos;
    }

    /** Looks no more. */
    @Override
    public void close() {
        if (thread != null) {
            thread.interrupt();
        }
    }
}
