package org.hubmark.bench.users;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The times of a run, by nanoTime, and how far its users are. Any thread.
 *
 * @param lastStartNanos until when tasks may begin that were due before the end
 * @param busy users who still begin tasks
 * @param stock whether the time to take stock has come
 */
record RunClock(
        long beginNanos,
        long measuredFromNanos,
        long measuredToNanos,
        long lastStartNanos,
        CountDownLatch busy,
        AtomicBoolean stock) {
    /** {@return that of a run that begins now} */
    static RunClock begin(int users, UsersRequest.Timing timing) {
        long begin = System.nanoTime();
        long from = begin + timing.warmup().toNanos();
        long to = from + timing.duration().toNanos();
        return new RunClock(
                begin,
                from,
                to,
                to + timing.settle().toNanos(),
                new CountDownLatch(users),
                new AtomicBoolean());
    }

    /** {@return whether a task of that intended start counts} */
    boolean measures(long dueNanos) {
        return dueNanos - measuredFromNanos >= 0 && dueNanos - measuredToNanos < 0;
    }

    /** Sleeps until a moment. */
    static void sleepUntil(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            Thread.sleep(Duration.ofNanos(left));
        }
    }
}
