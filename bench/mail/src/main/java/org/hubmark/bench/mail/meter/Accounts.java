package org.hubmark.bench.mail.meter;

import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.mail.document.Figures.Counts;
import org.jspecify.annotations.Nullable;

/** Accounts for every message between two snapshots. */
public final class Accounts {
    private Accounts() {}

    /**
     * {@return what became of all messages}
     *
     * @param keepsQueue whether the hub stores what it accepts
     */
    public static Counts of(Snapshot begin, Snapshot end, boolean keepsQueue) {
        long accepted = end.load().accepted() - begin.load().accepted();
        Long delivered = keepsQueue ? hub(begin, end, "hubmark_messages_delivered_total") : null;
        Long left = keepsQueue ? hub(begin, end, "hubmark_queue_messages") : null;
        return new Counts(
                end.load().sent() - begin.load().sent(),
                accepted,
                end.load().refused() - begin.load().refused(),
                end.load().failed() - begin.load().failed(),
                delivered,
                left,
                lost(begin, end, accepted, keepsQueue, delivered, left));
    }

    /** {@return whether there is nothing left to wait for} */
    static boolean settled(Snapshot begin, Snapshot now, Measurement.Plan plan) {
        Counts counts = of(begin, now, plan.keepsQueue());
        Long left = counts.leftInQueueMsgs();
        Long lost = counts.lostMsgs();
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
        HubCounters before = begin.hub();
        HubCounters after = end.hub();
        Double growth = before == null || after == null ? null : after.since(before, name);
        return growth == null ? null : Math.round(growth);
    }
}
