package org.hubmark.queue;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * Whether the volumes have room for more mail. Committer's thread.
 *
 * <p>Mail is refused while there is still room left, since what was accepted has to be moved,
 * deferred and compacted, and a write that fails for want of space ends the store.
 */
final class FreeSpace {
    /** A volume's free bytes now, and how many of them are spoken for. */
    interface Gauge {
        long bytes() throws IOException;
    }

    private final Gauge logFree;
    private final Gauge queueFree;
    private final Gauge queueOwed;
    private final long freeMin;

    /**
     * Watches two volumes.
     *
     * @param logFree free bytes of the log volume
     * @param queueFree free bytes of the queue volume
     * @param queueOwed bytes that are still to be written to the queue volume
     * @param freeMin what is to stay free on each, in bytes
     */
    FreeSpace(Gauge logFree, Gauge queueFree, Gauge queueOwed, long freeMin) {
        this.logFree = logFree;
        this.queueFree = queueFree;
        this.queueOwed = queueOwed;
        this.freeMin = freeMin;
    }

    /** {@return which volume is too full to accept mail, or null} */
    @Nullable
    String fullVolume() throws IOException {
        if (logFree.bytes() < freeMin) {
            return "log volume";
        }
        // Subtracted, not added: the reserve may be set as high as a long goes.
        return queueFree.bytes() - queueOwed.bytes() < freeMin ? "queue volume" : null;
    }
}
