package org.hubmark.testkit;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * The clock of a hub or queue under test. It goes as the system's does until the test moves or stops
 * it; what is due is delivered within 50 ms of being moved. Timeouts of the protocol don't follow
 * it. Any thread.
 */
public final class TestClock implements InstantSource {
    private Duration ahead = Duration.ZERO;
    private @Nullable Instant stoppedAt;

    TestClock() {}

    @Override
    public synchronized Instant instant() {
        return (stoppedAt == null ? Instant.now() : stoppedAt).plus(ahead);
    }

    /** Moves the clock ahead, or back by a negative time. */
    public synchronized void advance(Duration time) {
        ahead = ahead.plus(time);
    }

    /** Stops the clock at this moment; only {@link #advance} moves it from now on. */
    public synchronized void stop() {
        stopAt(instant());
    }

    /** Stops the clock at a moment of the test's, as exactly as milliseconds go. */
    public synchronized void stopAt(Instant moment) {
        // The queue counts in milliseconds: what is due in a minute is due when a minute has
        // passed.
        stoppedAt = moment.truncatedTo(ChronoUnit.MILLIS);
        ahead = Duration.ZERO;
    }
}
