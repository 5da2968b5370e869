package org.hubmark.hub.delivery;

import org.hubmark.core.Settings;

import java.time.Duration;

/**
 * Limits of the dead letters that a queue keeps. A limit of zero is none.
 *
 * @param ageMax since a message died
 * @param expireAfter how long mail is tried: no dead letter with the null reverse-path is kept longer, and
 *     one that waits for its notification is kept so much longer
 * @param countMax how many
 * @param bytesMax octets of their content
 */
public record DeadLetterSettings(
        Duration ageMax, Duration expireAfter, long countMax, long bytesMax) {
    static DeadLetterSettings read(Settings settings, RetrySchedule retry) {
        return new DeadLetterSettings(
                settings.duration(
                        "delivery.dead-letter-max-age",
                        Duration.ofDays(30),
                        "Time after its death at which a dead letter is removed; 0s for never. One"
                                + " with the null reverse-path is removed at delivery.expire-after."),
                retry.expireAfter(),
                settings.count(
                        "delivery.dead-letter-max-count",
                        100_000,
                        0,
                        Integer.MAX_VALUE,
                        "Dead letters that are kept; beyond it the oldest are removed. 0 for any"
                                + " number."),
                settings.bytes(
                        "delivery.dead-letter-max-bytes",
                        10L << 30,
                        "Content of dead letters that is kept; beyond it the oldest dead letters"
                                + " are removed. 0B for any amount."));
    }

    /** {@return whether there is more than is kept, of so many with so much content} */
    boolean isOver(long count, long bytes) {
        return (countMax > 0 && count > countMax) || (bytesMax > 0 && bytes > bytesMax);
    }

    /** {@return how much of the limits is used, in percent} */
    long percentUsed(long count, long bytes) {
        long ofCount = countMax == 0 ? 0 : 100 * count / countMax;
        long ofBytes = bytesMax == 0 ? 0 : (long) (100.0 * bytes / bytesMax);
        return Math.max(ofCount, ofBytes);
    }
}
