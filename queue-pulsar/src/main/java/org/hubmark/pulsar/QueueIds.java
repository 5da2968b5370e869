package org.hubmark.pulsar;

import org.hubmark.core.QueueId;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands out queue ids that differ between hubs without asking anybody: 41 bits of milliseconds, 14
 * bits for the hub, 8 bits of a count. Any thread.
 */
final class QueueIds {
    static final int HUBS_MAX = 1 << 14;

    private static final int COUNT_BITS = 8;
    private static final int HUB_BITS = 14;

    /** Beginning of the count of milliseconds, which lasts until 2094. */
    private static final long EPOCH_MILLIS =
            Instant.parse("2025-01-01T00:00:00Z").toEpochMilli();

    private final InstantSource clock;
    private final long hub;
    /** Milliseconds and count, without the hub between them. Ahead of the clock after a burst. */
    private final AtomicLong last = new AtomicLong();

    QueueIds(InstantSource clock, int hub) {
        this.clock = clock;
        this.hub = hub;
    }

    QueueId next() {
        long now = Math.max(0, clock.millis() - EPOCH_MILLIS) << COUNT_BITS;
        long ticks = last.accumulateAndGet(now, (before, at) -> Math.max(before + 1, at));
        long millis = ticks >>> COUNT_BITS;
        long count = ticks & ((1 << COUNT_BITS) - 1);
        return new QueueId((millis << HUB_BITS | hub) << COUNT_BITS | count);
    }
}
