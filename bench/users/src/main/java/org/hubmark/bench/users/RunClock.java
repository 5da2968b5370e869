package org.hubmark.bench.users;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The times of a run, by nanoTime, and how far its users are. Any thread.
 */
final class RunClock {
    private final long beginNanos;
    private final long measuredFromNanos;
    private final long measuredToNanos;
    private final long lastStartNanos;
    private final CountDownLatch busy;
    private volatile boolean stock;

    /**
     * Begins a run.
     *
     * @param backlog how long after the end tasks may begin that were due before
     */
    RunClock(int users, Duration warmup, Duration duration, Duration backlog) {
        this.beginNanos = System.nanoTime();
        this.measuredFromNanos = beginNanos + warmup.toNanos();
        this.measuredToNanos = measuredFromNanos + duration.toNanos();
        this.lastStartNanos = measuredToNanos + backlog.toNanos();
        this.busy = new CountDownLatch(users);
    }

    long beginNanos() {
        return beginNanos;
    }

    long measuredFromNanos() {
        return measuredFromNanos;
    }

    long measuredToNanos() {
        return measuredToNanos;
    }

    /** {@return whether a task of that intended start counts} */
    boolean measures(long dueNanos) {
        return dueNanos - measuredFromNanos >= 0 && dueNanos - measuredToNanos < 0;
    }

    /** {@return whether a task that was due before the end may still begin} */
    boolean lets(long nowNanos) {
        return nowNanos - lastStartNanos < 0;
    }

    /** A user begins no more tasks. */
    void tasksDone() {
        busy.countDown();
    }

    /** Waits until no user begins tasks any more, or a time is over. */
    void awaitTasks(Duration timeout) throws InterruptedException {
        var unused = busy.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Has all users take stock. */
    void takeStock() {
        stock = true;
    }

    /** {@return whether the time to take stock has come} */
    boolean isStockTime() {
        return stock;
    }

    /** Sleeps until a moment. */
    static void sleepUntil(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            Thread.sleep(Duration.ofNanos(left));
        }
    }
}
