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
 *
 * <p>That of a hub is moved between attempts: what is due before is tried first, so that a message which was
 * just accepted, and is to be deferred, is due by the clock that is moved. To move it waits for that, for as long as
 * {@link HubOptions#waitAtMost} says at most; not while deliveries are paused or the mailbox is full, and not within an
 * attempt of the test's own agent.
 */
public final class TestClock implements InstantSource {
    private final Runnable beforeMove;
    private Duration ahead = Duration.ZERO;
    private @Nullable Instant stoppedAt;

    /**
     * Goes as the system's clock does.
     *
     * @param beforeMove called by who moves it, before
     */
    TestClock(Runnable beforeMove) {
        this.beforeMove = beforeMove;
    }

    @Override
    public synchronized Instant instant() {
        return (stoppedAt == null ? Instant.now() : stoppedAt).plus(ahead);
    }

    /** Moves the clock ahead, or back by a negative time. */
    public void advance(Duration time) {
        beforeMove.run();
        synchronized (this) {
            ahead = ahead.plus(time);
        }
    }

    /** Stops the clock at this moment; only {@link #advance} moves it from now on. */
    public synchronized void stop() {
        // The queue counts in milliseconds: what is due in a minute is due when a minute has
        // passed.
        stoppedAt = instant().truncatedTo(ChronoUnit.MILLIS);
        ahead = Duration.ZERO;
    }
}
