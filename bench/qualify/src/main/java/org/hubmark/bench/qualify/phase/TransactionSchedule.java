package org.hubmark.bench.qualify.phase;

import org.jspecify.annotations.Nullable;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * When transactions of one database begin. Open loop, the clock says so, with exponential gaps, however
 * slow the storage is; what comes late has waited. Closed loop, each thread begins its next one when its
 * last one is done. Any thread.
 */
final class TransactionSchedule {
    private final SplittableRandom random;
    private double nextDue = System.nanoTime();
    private double nanosBetween;
    private boolean ended;

    /** One that begins them at a rate, which can be changed; null for as fast as they go. */
    TransactionSchedule(@Nullable Double perSecond, SplittableRandom random) {
        this.random = random;
        this.nanosBetween = perSecond == null ? 0 : 1e9 / perSecond;
    }

    /** From the next one on there are so many a second. */
    synchronized void rate(double perSecond) {
        nanosBetween = 1e9 / perSecond;
    }

    /** Waits until the next one is due; returns false when there is none any more. */
    boolean await() {
        long due = System.nanoTime();
        synchronized (this) {
            if (nanosBetween > 0) {
                due = (long) nextDue;
                nextDue += nanosBetween * -Math.log(1 - random.nextDouble());
            }
        }
        while (true) {
            synchronized (this) {
                if (ended) {
                    return false;
                }
            }
            long left = due - System.nanoTime();
            if (left <= 0) {
                return true;
            }
            LockSupport.parkNanos(this, Math.min(left, 100_000_000));
        }
    }

    /** Nothing more begins. */
    synchronized void end() {
        ended = true;
    }
}
