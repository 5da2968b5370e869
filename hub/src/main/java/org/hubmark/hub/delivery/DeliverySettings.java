package org.hubmark.hub.delivery;

import org.hubmark.core.OwnName;
import org.hubmark.core.Settings;

import java.time.Duration;

/**
 * Settings of the dispatcher.
 *
 * @param activeMax messages that are leased at once
 * @param workers deliveries under way at once
 * @param destinationWorkers of them, how many may be for one destination
 * @param destinationPatience how long a destination may keep its oldest message waiting in a full
 *     window
 * @param retry when to try again
 * @param deadLetters how many dead letters are kept
 * @param notifications whether senders are told of failures
 * @param delayWarning the age at which senders are told of a delay; zero for never
 * @param hostName what we call ourselves to a next hop; empty for our address on each connection
 * @param nextHop how next hops are talked to
 */
public record DeliverySettings(
        int activeMax,
        int workers,
        int destinationWorkers,
        Duration destinationPatience,
        RetrySchedule retry,
        DeadLetterSettings deadLetters,
        boolean notifications,
        Duration delayWarning,
        String hostName,
        NextHopSettings nextHop) {

    /** Reads them; fails with the key of one that is not possible. */
    public static DeliverySettings read(Settings settings) {
        RetrySchedule retry = RetrySchedule.read(settings);
        return new DeliverySettings(
                settings.count(
                        "delivery.active-max",
                        10_000,
                        1,
                        1_000_000,
                        "Messages that are leased for delivery at once, about 1 KB of memory each and 0.3"
                                + " KB for each further recipient; fewer if they take an eighth"
                                + " of the heap."),
                settings.count(
                        "delivery.workers",
                        2_000,
                        1,
                        20_000,
                        "Deliveries under way at once, where an agent may block; each has a thread, a"
                                + " virtual one beyond 16, and a connection to a next hop. Half of them are kept for"
                                + " destinations that have none."),
                settings.count(
                        "delivery.destination-workers",
                        8,
                        1,
                        1_000,
                        "Deliveries under way at once for one destination (the domain of the first"
                                + " forward-path)."),
                settings.duration(
                        "delivery.destination-patience",
                        Duration.ofSeconds(30),
                        "Longest wait of leased messages for a destination while"
                                + " delivery.active-max or its memory is reached; then they are put"
                                + " off to make room for others."),
                retry,
                DeadLetterSettings.read(settings, retry),
                settings.flag(
                        "delivery.notifications",
                        true,
                        "Return mail that can't be delivered to its sender (RFC 3464); otherwise it"
                                + " becomes a dead letter."),
                settings.duration(
                        "delivery.delay-warning",
                        Duration.ZERO,
                        "Age at which the sender is told, once, that a message is still being tried; 0s"
                                + " for never."),
                OwnName.read(settings),
                NextHopSettings.read(settings));
    }

    /** {@return what we call ourselves where there is no connection, as in a notification} */
    String ownName() {
        return hostName.isEmpty() ? OwnName.literalOfMachine() : hostName;
    }
}
