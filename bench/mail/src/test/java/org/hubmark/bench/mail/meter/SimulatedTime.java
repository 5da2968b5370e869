package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.document.Clock;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Time that passes at once, and only while somebody sleeps. As on a real machine one wakes up late, by
 * up to a millisecond; a seed says by how much, and whatever else is left to chance. A test shows the
 * time when it fails, since that prints the seed. One thread.
 */
public final class SimulatedTime implements Clock {
    private static final long LATE_NANOS_MAX = 1_000_000;

    private final long seed;
    private final SplittableRandom random;
    private final long beginNanos;
    private long nanos;
    private double interruptedSeconds = Double.MAX_VALUE;

    /** Begins at a moment that the seed says. */
    public SimulatedTime(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        // As of the clock of a JVM, only differences tell something.
        this.beginNanos = random.nextLong(Long.MAX_VALUE / 2);
        this.nanos = beginNanos;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        boolean isPast = seconds() >= interruptedSeconds;
        if (Thread.interrupted() || isPast) {
            interruptedSeconds = isPast ? Double.MAX_VALUE : interruptedSeconds;
            throw new InterruptedException();
        }
        nanos += time.toNanos() + random.nextLong(LATE_NANOS_MAX);
    }

    /** Interrupts whoever sleeps first when it began so long ago. */
    public void interruptAfter(double seconds) {
        interruptedSeconds = seconds;
    }

    /** {@return how long ago it began} */
    public double seconds() {
        return (nanos - beginNanos) / 1e9;
    }

    /** {@return what is left to chance} */
    SplittableRandom random() {
        return random;
    }

    @Override
    public String toString() {
        return "seed " + seed + ", after " + seconds() + " s";
    }
}
