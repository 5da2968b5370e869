package org.hubmark.queue;

import java.io.IOException;

/**
 * Check of the free space on the queue volume. Committer's and checkpointer's threads.
 *
 * <p>Mail is refused while there is still room left, since what was accepted has to be moved,
 * deferred and compacted, and a write that fails for want of space ends the store.
 */
final class FreeSpace {
    /** A number of bytes, now. */
    interface Gauge {
        long bytes() throws IOException;
    }

    private final Gauge queueFree;
    private final Gauge queueOwed;
    private final long freeMin;
    private volatile long reservedBytes;
    private volatile long freePercent = Long.MAX_VALUE;

    /**
     * Watches the queue volume; the log volume's room is known by its segments.
     *
     * @param queueFree free bytes of the queue volume
     * @param queueOwed bytes that are still to be written to the queue volume
     * @param freeMin what is to stay free, in bytes
     */
    FreeSpace(Gauge queueFree, Gauge queueOwed, long freeMin) {
        this.queueFree = queueFree;
        this.queueOwed = queueOwed;
        this.freeMin = freeMin;
    }

    /**
     * {@return whether more mail could be kept if all that the log holds had to be moved}
     *
     * @param full whether a write has found no room, whatever the file system says
     */
    boolean hasRoomForMail(boolean full) throws IOException {
        // Subtracted, not added: the reserve may be set as high as a long goes.
        long freeBytes = queueFree.bytes() - reservedBytes - queueOwed.bytes();
        double percent = Math.min(Integer.MAX_VALUE, 100.0 * freeBytes / Math.max(1, freeMin));
        freePercent = (long) (full ? Math.min(0, percent) : percent);
        return !full && freeBytes >= freeMin;
    }

    /** {@return see {@link QueueStore#queueFreePercent}} Any thread. */
    long freePercent() {
        return freePercent;
    }

    /** {@return whether so many bytes may be moved; they may use half of the reserve} */
    boolean hasRoomFor(long bytes) throws IOException {
        return spareBytes() >= bytes;
    }

    /** {@return how many bytes may be moved or rewritten} Less than none, if there is no room. */
    long spareBytes() throws IOException {
        return queueFree.bytes() - reservedBytes - freeMin / 2;
    }

    /** Keeps so many bytes for what is being rewritten, in place of those kept before. Any thread. */
    void reserve(long bytes) {
        reservedBytes = bytes;
    }
}
