package org.hubmark.hub.delivery;

import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Settings;

import java.time.Duration;
import java.time.Instant;

/**
 * Limits of the dead letters that a queue keeps. A limit of zero is none.
 *
 * @param ageMax since a message died
 * @param expireAfter how long mail is tried: no dead letter with the null reverse-path is kept longer, and
 *     one that waits for its notification is kept so much longer
 * @param bytesMax octets of their content
 */
public record DeadLetterSettings(Duration ageMax, Duration expireAfter, long bytesMax) {
    private static final Duration FOREVER = Duration.ofDays(36_525);

    static DeadLetterSettings read(Settings settings, RetrySchedule retry) {
        return new DeadLetterSettings(
                settings.duration(
                        "delivery.dead-letter-max-age",
                        Duration.ofDays(30),
                        "Time after its death at which a dead letter is removed; 0s for never. One"
                                + " with the null reverse-path is removed at delivery.expire-after."),
                retry.expireAfter(),
                settings.bytes(
                        "delivery.dead-letter-max-bytes",
                        10L << 30,
                        "Content of dead letters that is kept; beyond it the oldest dead letters"
                                + " are removed. 0B for any amount."));
    }

    /** {@return whether there is more content than is kept} */
    boolean isOver(long bytes) {
        return bytesMax > 0 && bytes > bytesMax;
    }

    /** {@return the least time for which a dead letter is kept} */
    Duration ageMin() {
        boolean expiresFirst = !expireAfter.isZero() && expireAfter.compareTo(ageMax) < 0;
        Duration least = ageMax.isZero() || expiresFirst ? expireAfter : ageMax;
        return least.isZero() ? FOREVER : least;
    }

    /** {@return when a dead letter is too old} */
    Instant endsAt(QueuedMessage message) {
        if (message.envelope().reversePath().isEmpty()) {
            return message.dueAt().plus(ageMin());
        }
        if (ageMax.isZero()) {
            return Instant.MAX;
        }
        Instant endsAt = message.dueAt().plus(ageMax);
        return message.state() == QueuedMessage.State.RETURNED ? endsAt.plus(expireAfter) : endsAt;
    }
}
