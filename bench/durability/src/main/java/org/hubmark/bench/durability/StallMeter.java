package org.hubmark.bench.durability;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * Watches for how long this machine lets a thread wait that has something to do: a thread of its own
 * sleeps a millisecond at a time and notes what it took more. What a server could not do in that time
 * is not its fault. Any thread asks.
 */
final class StallMeter implements AutoCloseable {
    private static final long SLEEP_NANOS = 1_000_000;

    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("stall-meter").unstarted(this::run);

    /** Begins to watch. */
    StallMeter() {
        thread.start();
    }

    /** {@return the longest stall so far} */
    long longestNanos() {
        return longestNanos.get();
    }

    /** Forgets the stalls so far. */
    void reset() {
        longestNanos.reset();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            long lastNanos = System.nanoTime();
            while (true) {
                TimeUnit.NANOSECONDS.sleep(SLEEP_NANOS);
                long nanos = System.nanoTime();
                longestNanos.accumulate(nanos - lastNanos - SLEEP_NANOS);
                lastNanos = nanos;
            }
        } catch (InterruptedException e) {
            // The watch is over.
            Thread.currentThread().interrupt();
        }
    }
}
