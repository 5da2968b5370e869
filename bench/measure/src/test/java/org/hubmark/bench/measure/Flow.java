package org.hubmark.bench.measure;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Workload;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Work that is nothing but the clock: so many operations a second are done, each in a millisecond, and
 * so many more are left over. Any thread.
 */
public final class Flow implements Workload {
    private static final long LATENCY_NANOS = 1_000_000;

    private final double donePerSecond;
    private final LeftOver leftOver;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean begun;
    private volatile long beginNanos;

    /** Tells how many operations are due and not begun. */
    @FunctionalInterface
    public interface LeftOver {
        /** After so many seconds. */
        double after(double seconds);
    }

    /** Prepares; the clock starts with {@link #begin}. */
    public Flow(double donePerSecond, LeftOver leftOver) {
        this.donePerSecond = donePerSecond;
        this.leftOver = leftOver;
    }

    @Override
    public void begin() {
        beginNanos = System.nanoTime();
        begun = true;
    }

    @Override
    public LoadSnapshot snapshot() {
        double seconds = begun ? (System.nanoTime() - beginNanos) / 1e9 : 0;
        long done = Math.round(donePerSecond * seconds);
        long left = Math.round(leftOver.after(seconds));
        return new LoadSnapshot(done, done, 1_000 * done, 0, 0, 0, left, 0, null);
    }

    @Override
    public Map<String, Latency> takeLatencies() {
        Histogram taken = new Histogram(3);
        taken.recordValue(LATENCY_NANOS);
        return Map.of("flow", new Latency(taken, taken.copy()));
    }

    @Override
    public boolean awaitFinished(Duration timeout) throws InterruptedException {
        return ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void stop(Duration timeout) {
        close();
    }

    @Override
    public void close() {
        ended.countDown();
    }
}
