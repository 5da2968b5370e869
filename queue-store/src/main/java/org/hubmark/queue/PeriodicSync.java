package org.hubmark.queue;

import org.hubmark.core.Durability;
import org.hubmark.queue.log.LogWriter;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Sees to it that what was written to the log without a sync of its own is synced in time: in the
 * class {@code periodic} everything, in the class {@code synced} what settles messages. Whatever the
 * committer waits for, it waits no longer than {@link #dueInNanos} at a time and calls {@link
 * #syncIfDue} in between: so what was written is synced within a period, one write and one sync.
 * Committer's thread.
 */
final class PeriodicSync {
    /**
     * Settling is synced with the mail that follows, or when it has waited so long: an idle hub makes
     * one sync a second at most, and delivers no more than that again after a power loss.
     */
    private static final long SETTLING_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    private final LogWriter writer;
    private final long periodNanos;
    private boolean unsynced;
    private long oldestNanos;

    /** Watches a writer; in the class {@code none} nothing is ever due. */
    PeriodicSync(LogWriter writer, Durability durability) {
        this.writer = writer;
        this.periodNanos = switch (durability) {
            case Durability.Synced s -> SETTLING_NANOS_MAX;
            case Durability.Periodic p -> p.period().toNanos();
            case Durability.None n -> Long.MAX_VALUE;
        };
    }

    /** A group was written. */
    void written() {
        if (!unsynced) {
            unsynced = true;
            oldestNanos = System.nanoTime();
        }
    }

    /** All that was written is synced. */
    void synced() {
        unsynced = false;
    }

    /** {@return in how many nanoseconds a sync is due, 0 for at once; at most as many as given} */
    long dueInNanos(long atMost) {
        return unsynced && periodNanos != Long.MAX_VALUE
                ? Math.clamp(periodNanos - (System.nanoTime() - oldestNanos), 0L, atMost)
                : atMost;
    }

    /** Syncs what was written when it is time. */
    void syncIfDue() throws IOException {
        if (dueInNanos(Long.MAX_VALUE) == 0) {
            sync();
        }
    }

    /** Syncs what was written, if anything was. */
    void sync() throws IOException {
        if (unsynced) {
            // Before the call: what is written while it lasts has a period of its own.
            unsynced = false;
            writer.sync();
        }
    }
}
