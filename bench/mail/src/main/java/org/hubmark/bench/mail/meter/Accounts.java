package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.mail.document.Counters;
import org.jspecify.annotations.Nullable;

/**
 * Account of every message between two snapshots, from the first message of the warm-up to the end of the
 * drain. What isn't known is null.
 *
 * @param sent whose content was sent, or whose envelope was refused before
 * @param accepted answered with 250
 * @param refused answered with 4xx or 5xx
 * @param failed without an answer: the connection broke
 * @param delivered by the hub
 * @param left still in the hub's queue at the end, dead letters too
 * @param lost accepted, but neither delivered nor left
 */
public record Accounts(
        long sent,
        long accepted,
        long refused,
        long failed,
        @Nullable Long delivered,
        @Nullable Long left,
        @Nullable Long lost) {
    /**
     * {@return what became of all messages}
     *
     * @param keepsQueue whether the hub stores what it accepts
     */
    public static Accounts of(Snapshot begin, Snapshot end, boolean keepsQueue) {
        long accepted = end.load().accepted() - begin.load().accepted();
        Long delivered = keepsQueue ? hub(begin, end, "hubmark_messages_delivered_total") : null;
        Long left = keepsQueue ? hub(begin, end, "hubmark_queue_messages") : null;
        return new Accounts(
                end.load().sent() - begin.load().sent(),
                accepted,
                end.load().refused() - begin.load().refused(),
                end.load().failed() - begin.load().failed(),
                delivered,
                left,
                lost(begin, end, accepted, keepsQueue, delivered, left));
    }

    /** Takes it down. */
    void count(Repeat.Builder counted) {
        counted.count(Counters.ALL_SENT_MSGS, sent)
                .count(Counters.ALL_ACCEPTED_MSGS, accepted)
                .count(Counters.ALL_REFUSED_MSGS, refused)
                .count(Counters.ALL_FAILED_MSGS, failed)
                .count(Counters.ALL_DELIVERED_MSGS, delivered)
                .count(Counters.ALL_LEFT_MSGS, left)
                .count(Counters.ALL_LOST_MSGS, lost);
    }

    /** {@return whether there is nothing left to wait for} */
    static boolean settled(Snapshot begin, Snapshot now, Measurement.Plan plan) {
        Accounts found = of(begin, now, plan.keepsQueue());
        Long left = found.left;
        Long lost = found.lost;
        return (left == null || left <= 0 || !plan.drains()) && (lost == null || lost == 0);
    }

    /**
     * A message whose connection broke may have been accepted without our knowing, so that the
     * larger of both counts is what must be there.
     */
    private static @Nullable Long lost(
            Snapshot begin,
            Snapshot end,
            long accepted,
            boolean keepsQueue,
            @Nullable Long delivered,
            @Nullable Long left) {
        Long taken = hub(begin, end, "hubmark_messages_accepted_total");
        if (taken == null) {
            return null;
        }
        if (!keepsQueue) {
            return Math.max(0, accepted - taken);
        }
        return delivered == null || left == null
                ? null
                : Math.max(0, Math.max(accepted, taken) - delivered - left);
    }

    private static @Nullable Long hub(Snapshot begin, Snapshot end, String name) {
        Double growth = end.hubSince(begin, name);
        return growth == null ? null : Math.round(growth);
    }
}
