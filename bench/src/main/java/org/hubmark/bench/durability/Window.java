package org.hubmark.bench.durability;

import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * What one crash may take of the mail that was acknowledged before it.
 *
 * @param nanos a lost message may have been acknowledged that long before the crash
 * @param waitNanos how long the oldest write that was not synced had waited until a sync of it began,
 *     or until the crash; null where that is not judged
 */
record Window(long nanos, @Nullable Long waitNanos) {
    /** Nothing may be lost. */
    static final Window NOTHING = new Window(0, null);

    /**
     * {@return the window at a crash}
     *
     * <p>Where the server's writes and syncs are seen it is measured: what was written before the
     * oldest write that no completed sync has covered must be there, however busy the machine is.
     * Elsewhere it is estimated from the ledger: the period and what may have been in the way of the
     * sync that was due.
     *
     * @param watched saw the writes and syncs up to the crash; null if nobody did
     * @param crashNanos when it happened
     * @param delayNanos the longest that a sync may have been kept from beginning
     */
    static Window of(
            Durability durability,
            Kind kind,
            @Nullable FaultLibrary watched,
            long crashNanos,
            long delayNanos)
            throws IOException {
        if (!kind.losesUnsynced() || kind == Kind.UNREADABLE) {
            return NOTHING;
        }
        return switch (durability) {
            case Durability.Synced synced ->
                kind.resemblesTornEnd()
                        ? new Window(
                                watched == null
                                        ? delayNanos
                                        : nanosSince(watched.unprovenSinceNanos(), crashNanos),
                                null)
                        : NOTHING;
            case Durability.Periodic periodic ->
                watched == null
                        ? new Window(periodic.period().toNanos() + delayNanos, null)
                        : measured(kind, watched, crashNanos);
            case Durability.None none -> NOTHING;
        };
    }

    /** {@return a window that is known, of a server that was not kept from a sync by a fault} */
    static Window since(long unsyncedSinceNanos, long crashNanos) {
        long nanos = nanosSince(unsyncedSinceNanos, crashNanos);
        return new Window(nanos, nanos);
    }

    private static Window measured(Kind kind, FaultLibrary watched, long crashNanos)
            throws IOException {
        long sinceNanos = watched.unsyncedSinceNanos();
        if (kind == Kind.EIO) {
            // After a failed sync there is none any more, which is what the class asks for.
            return new Window(nanosSince(sinceNanos, crashNanos), null);
        }
        if (kind.resemblesTornEnd()) {
            // Killing it takes a time in which it does nothing: that is no delay of its own.
            return new Window(nanosSince(watched.unprovenSinceNanos(), crashNanos), null);
        }
        long beganNanos = watched.syncStartedNanos();
        long waitNanos = nanosSince(sinceNanos, beganNanos == 0 ? crashNanos : beganNanos);
        return new Window(nanosSince(sinceNanos, crashNanos), waitNanos);
    }

    private static long nanosSince(long nanos, long thenNanos) {
        return nanos == 0 ? 0 : Math.max(0, thenNanos - nanos);
    }
}
