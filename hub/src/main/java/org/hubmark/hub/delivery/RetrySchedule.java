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
    /** Checks the bounds. */
    RetrySchedule {
        if (waitMin.isZero() || waitMin.compareTo(waitMax) > 0) {
            throw new IllegalArgumentException("setting delivery.retry-min: "
                    + Durations.format(waitMin)
                    + " has to be more than zero and at most delivery.retry-max, "
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
     * @param isFirst whether the attempt was the first one, or one that an operator asked for: there is
     *     another one then, however old the message is. Not of the first where the schedule has no
     *     second one for any message.
     */
    Optional<Instant> next(Instant receivedAt, Instant now, boolean isFirst) {
        Duration age = Duration.between(receivedAt, now);
        boolean hasAnother = isFirst && expireAfter.compareTo(waitMin) > 0;
        if (age.compareTo(expireAfter) >= 0 && !hasAnother) {
            return Optional.empty();
        }
        Duration atLeast = age.compareTo(waitMin) < 0 ? waitMin : age;
        return Optional.of(now.plus(atLeast.compareTo(waitMax) > 0 ? waitMax : atLeast));
    }
}
