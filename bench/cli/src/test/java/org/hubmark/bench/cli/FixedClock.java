package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.Clock;

import java.time.Duration;
import java.time.Instant;

/** A clock that stands still, and that nobody waits for. */
record FixedClock(Instant now) implements Clock {
    @Override
    public long nanos() {
        return 0;
    }

    @Override
    public void sleep(Duration time) {}
}
