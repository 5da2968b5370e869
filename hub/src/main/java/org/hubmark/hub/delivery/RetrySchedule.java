package org.hubmark.hub.delivery;

import org.hubmark.core.Durations;
import org.hubmark.core.Settings;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Times at which a message that could not be delivered is tried again. As in Postfix's queue
 * manager (qmgr(8)) the wait is as long as the message is old, within bounds: it doubles from
 * attempt to attempt, and needs no count of them.
 *
 * @param waitMin the shortest wait
 * @param waitMax the longest wait
 * @param expireAfter the age at which there is no further attempt (RFC 5321 4.5.4.1: at least 4 to
 *     5 days)
 */
record RetrySchedule(Duration waitMin, Duration waitMax, Duration expireAfter) {
    /**
     * Attempts that a message has before one may be the last, where the schedule makes as many. A clock
     * that jumps ahead makes all deferred mail old at once: with seven attempts before the last, and the
     * longest wait of four hours between them, it is tried for a day, in which somebody can set the clock.
     */
    private static final int ATTEMPTS_BEFORE_LAST = 7;

    /** Checks the bounds. */
    RetrySchedule {
        if (waitMin.isZero() || waitMin.compareTo(waitMax) > 0) {
            throw new IllegalArgumentException("setting delivery.retry-min: "
                    + Durations.format(waitMin)
                    + " must be more than zero and at most delivery.retry-max, "
                    + Durations.format(waitMax));
        }
    }

    static RetrySchedule read(Settings settings) {
        return new RetrySchedule(
                settings.duration(
                        "delivery.retry-min",
                        Duration.ofMinutes(5),
                        "Shortest wait before another attempt; the wait doubles from here on."),
                settings.duration(
                        "delivery.retry-max",
                        Duration.ofHours(4),
                        "Longest wait before another attempt."),
                settings.duration(
                        "delivery.expire-after",
                        Duration.ofDays(5),
                        "Age at which a message that can't be delivered is given up (RFC 5321"
                                + " 4.5.4.1)."));
    }

    /**
     * {@return when to try again after an attempt, or nothing if the message is too old for that}
     *
     * @param attempts how many there were before this one
     * @param askedFor whether an operator wanted this one: there is another one then, however old the
     *     message is. Not where the schedule has no second one for any message.
     */
    Optional<Instant> next(Instant receivedAt, Instant now, int attempts, boolean askedFor) {
        Duration age = Duration.between(receivedAt, now);
        int before = attemptsBeforeLast();
        boolean hasAnother = askedFor ? before > 0 : attempts < before;
        if (age.compareTo(expireAfter) >= 0 && !hasAnother) {
            return Optional.empty();
        }
        return Optional.of(now.plus(wait(age)));
    }

    private Duration wait(Duration age) {
        Duration atLeast = age.compareTo(waitMin) < 0 ? waitMin : age;
        return atLeast.compareTo(waitMax) > 0 ? waitMax : atLeast;
    }

    /** {@return as many as a message has that is tried on time, but no more than the limit} */
    private int attemptsBeforeLast() {
        int attempts = 0;
        Duration age = waitMin;
        while (attempts < ATTEMPTS_BEFORE_LAST && age.compareTo(expireAfter) < 0) {
            age = age.plus(wait(age));
            attempts++;
        }
        return attempts;
    }
}
