package org.hubmark.bench.durability;

import org.hubmark.bench.measure.TimeSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Watches when messages are acknowledged, in a thread of its own, from its making until it is stopped. The
 * results are there after that.
 */
final class AcknowledgementGap {
    private static final Duration POLL = Duration.ofMillis(5);
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long NOT_ENDED = -1;

    private final LongSupplier acknowledged;
    private final TimeSource time;
    private final List<Long> bySecond = new ArrayList<>();
    private final Thread watcher;
    private volatile boolean stopping;
    private volatile long longestNanos;
    private volatile long endedNanos;
    private volatile long countAtEnd = NOT_ENDED;
    private volatile long againNanos;

    /**
     * Begins.
     *
     * @param acknowledged how many messages have been so far
     */
    AcknowledgementGap(LongSupplier acknowledged, TimeSource time) {
        this.acknowledged = acknowledged;
        this.time = time;
        long count = acknowledged.getAsLong();
        long sinceNanos = time.nanoTime();
        this.watcher =
                Thread.ofPlatform().daemon().name("gap").start(() -> watch(count, sinceNanos));
    }

    private void watch(long countAtBegin, long beginNanos) {
        long count = countAtBegin;
        long atSecond = count;
        long sinceNanos = beginNanos;
        long nextNanos = sinceNanos + SECOND_NANOS;
        try {
            while (!stopping) {
                time.sleep(POLL);
                long now = time.nanoTime();
                long latest = acknowledged.getAsLong();
                longestNanos = Math.max(longestNanos, now - sinceNanos);
                if (countAtEnd != NOT_ENDED && latest > countAtEnd && againNanos == 0) {
                    againNanos = Math.max(1, now - endedNanos);
                }
                if (latest != count) {
                    count = latest;
                    sinceNanos = now;
                }
                if (now >= nextNanos) {
                    bySecond.add(latest - atSecond);
                    atSecond = latest;
                    nextNanos += SECOND_NANOS;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return the longest time in which the count stood still} */
    double longestMillis() {
        return longestNanos / 1e6;
    }

    /** The fault is over. Once. */
    void ended() {
        endedNanos = time.nanoTime();
        countAtEnd = acknowledged.getAsLong();
    }

    /** {@return the time from the end of the fault until a message was acknowledged; NaN if none was} */
    double againMillis() {
        return againNanos == 0 ? Double.NaN : againNanos / 1e6;
    }

    /** {@return messages acknowledged in each whole second} */
    List<Long> bySecond() {
        return List.copyOf(bySecond);
    }

    /** Ends it. */
    void close() throws InterruptedException {
        stopping = true;
        watcher.join();
    }
}
