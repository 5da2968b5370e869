package org.hubmark.bench.kit.document;

import java.time.Duration;
import java.time.Instant;

/** A clock that nobody waits for: it goes on only when somebody sleeps. */
final class SimulatedClock implements Clock {
    private Instant now;
    private final Instant begin;

    /** A clock that stands at a moment. */
    public SimulatedClock(Instant begin) {
        this.begin = begin;
        this.now = begin;
    }

    @Override
    public long nanos() {
        return Duration.between(begin, now).toNanos();
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        now = now.plus(time);
    }
}
