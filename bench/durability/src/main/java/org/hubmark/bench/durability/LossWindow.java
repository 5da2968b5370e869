package org.hubmark.bench.durability;

import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * What one crash may take of the mail that was acknowledged before it.
 *
 * @param nanos a lost message may have been acknowledged that long before the crash
 * @param promisedNanos the class promises that it was no longer, whatever is measured; null where
 *     the class says nothing
 * @param stalledNanos the longest time for which the machine let nobody do anything
 */
record LossWindow(long nanos, @Nullable Long promisedNanos, long stalledNanos) {
    /** Nothing may be lost. */
    static final LossWindow NOTHING = new LossWindow(0, null, 0);

    /** One to wait, and at most one for what is under way when it is over. */
    private static final int PERIODS_MAX = 2;

    /**
     * {@return the window at a crash}
     *
     * <p>Where the server's writes and syncs are seen it is measured: what was written before the
     * oldest write that no completed sync has covered must be there, and that must be no longer ago
     * than two periods and the longest sync. Elsewhere it is estimated from the ledger: the period and
     * what may have been in the way of the sync that was due.
     *
     * @param watched saw the writes and syncs up to the crash; null if nobody did
     * @param crashNanos when it happened
     * @param delayNanos the longest that a sync may have been kept from beginning
     */
    static LossWindow of(
            Durability durability,
            CrashKind kind,
            @Nullable FaultControl watched,
            long crashNanos,
            long delayNanos)
            throws IOException {
        if (!kind.losesUnsynced()) {
            return NOTHING;
        }
        return switch (durability) {
            case Durability.Synced synced ->
                kind.changesMedium()
                        ? new LossWindow(
                                watched == null
                                        ? delayNanos
                                        : nanosSince(watched.unprovenSinceNanos(), crashNanos),
                                null,
                                0)
                        : NOTHING;
            case Durability.Periodic periodic ->
                watched == null
                        ? new LossWindow(periodic.period().toNanos() + delayNanos, null, 0)
                        : measured(periodic, kind, watched, crashNanos);
            case Durability.None none -> NOTHING;
        };
    }

    /**
     * {@return a window that is known, of a server that was not kept from a sync by a fault}
     *
     * @param longestSyncNanos of all syncs so far, the one that was under way at the crash too
     */
    static LossWindow known(
            Durability.Periodic periodic,
            long unsyncedSinceNanos,
            long crashNanos,
            long longestSyncNanos) {
        return new LossWindow(
                nanosSince(unsyncedSinceNanos, crashNanos),
                PERIODS_MAX * periodic.period().toNanos() + longestSyncNanos,
                0);
    }

    /** {@return the same on a machine that let nobody do anything for a time} */
    LossWindow stalledFor(long machineNanos) {
        return new LossWindow(nanos, promisedNanos, Math.max(stalledNanos, machineNanos));
    }

    /** {@return the same after a failed sync: there is none any more, as the class asks for} */
    LossWindow withoutSyncs() {
        return new LossWindow(nanos, null, stalledNanos);
    }

    private static LossWindow measured(
            Durability.Periodic periodic, CrashKind kind, FaultControl watched, long crashNanos)
            throws IOException {
        long sinceNanos = watched.unsyncedSinceNanos();
        if (kind == CrashKind.EIO) {
            return known(periodic, sinceNanos, crashNanos, 0).withoutSyncs();
        }
        if (kind.changesMedium()) {
            // Killing it takes a time in which it does nothing: that is no delay of its own.
            return new LossWindow(nanosSince(watched.unprovenSinceNanos(), crashNanos), null, 0);
        }
        long longestNanos = Math.max(
                watched.longestSyncNanos(), nanosSince(watched.syncStartedNanos(), crashNanos));
        return known(periodic, sinceNanos, crashNanos, longestNanos);
    }

    private static long nanosSince(long nanos, long thenNanos) {
        return nanos == 0 ? 0 : Math.max(0, thenNanos - nanos);
    }
}
