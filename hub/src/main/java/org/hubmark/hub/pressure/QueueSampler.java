package org.hubmark.hub.pressure;

import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreStatistics;
import org.hubmark.queue.SyncedGroups;

import java.util.List;

/** Keeps the store's statistics as they were seen last, and the greatest length of the queue. Any thread. */
public final class QueueSampler implements AutoCloseable {
    private final QueueStore store;
    private StoreStatistics last;
    private long messagesMax;
    private long bytesMax;
    private boolean closed;

    /** Looks for the first time. */
    public QueueSampler(QueueStore store) {
        this.store = store;
        this.last = store.statistics();
        this.messagesMax = last.length().messages();
        this.bytesMax = last.length().bytes();
    }

    /** {@return what there is now} */
    public synchronized StoreStatistics sample() {
        if (!closed) {
            last = store.statistics();
            messagesMax = Math.max(messagesMax, last.length().messages());
            bytesMax = Math.max(bytesMax, last.length().bytes());
        }
        return last;
    }

    /** {@return what it saw last} */
    public synchronized StoreStatistics last() {
        return last;
    }

    /** {@return what the log's syncs covered so far, by size} */
    public List<SyncedGroups> syncedGroups() {
        return store.syncedGroups();
    }

    /** {@return the most messages since the start or the last reset} */
    public synchronized long messagesMax() {
        return messagesMax;
    }

    /** {@return the most bytes since the start or the last reset} */
    public synchronized long bytesMax() {
        return bytesMax;
    }

    /** Forgets what the greatest length was before now. */
    public synchronized void resetMax() {
        messagesMax = 0;
        bytesMax = 0;
        var unused = sample();
    }

    /** The store isn't asked any more. */
    @Override
    public synchronized void close() {
        closed = true;
    }
}
