package org.hubmark.bench.load;

import java.time.Duration;
import java.util.function.LongSupplier;

/** A server that stands still once, after so many messages, for so long, on all connections. */
final class Stall implements LongSupplier {
    private final Duration time;
    private final long after;
    private long ended;
    private long untilNanos;

    Stall(Duration time, long after) {
        this.time = time;
        this.after = after;
    }

    @Override
    public long getAsLong() {
        long now = System.nanoTime();
        if (ended++ == after) {
            untilNanos = now + time.toNanos();
        }
        return ended > after ? Math.max(0, untilNanos - now) : 0;
    }
}
