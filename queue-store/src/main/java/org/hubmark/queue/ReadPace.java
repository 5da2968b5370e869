package org.hubmark.queue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Keeps a reader to so many bytes a second, so that a check leaves the disk to the hub. One thread. */
final class ReadPace {
    /** As fast as it goes. */
    static final long UNBOUNDED = Long.MAX_VALUE;

    private final long bytesPerSecond;
    private final long startNanos = System.nanoTime();
    private long bytes;

    ReadPace(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Notes that the given amount was read; returns when it is time to go on. */
    void read(long count) {
        if (bytesPerSecond == UNBOUNDED) {
            return;
        }
        bytes += count;
        long dueNanos =
                startNanos + (long) ((double) bytes / bytesPerSecond * TimeUnit.SECONDS.toNanos(1));
        for (long left = dueNanos - System.nanoTime();
                left > 0 && !Thread.currentThread().isInterrupted();
                left = dueNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
