package org.hubmark.hub.pressure;

import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreStatistics;
import org.hubmark.queue.SyncedGroups;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Looks at the store's statistics at a fixed pace and keeps the greatest length of the queue. A
 * thread of its own, {@code sampler}; any thread reads.
 */
public final class QueueSampler implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(100);

    private final QueueStore store;
    private final WatchThread thread;
    private StoreStatistics last;
    private long messagesMax;
    private long bytesMax;

    /**
     * Takes the first sample and starts the thread that takes the others.
     *
     * @param onError is told of what says that the process is broken; then no more samples are taken
     */
    public QueueSampler(QueueStore store, Consumer<Throwable> onError) {
        this.store = store;
        this.last = store.statistics();
        this.messagesMax = last.length().messages();
        this.bytesMax = last.length().bytes();
        this.thread = new WatchThread("sampler", PERIOD, this::sample, onError);
        this.thread.start();
    }

    /** Looks now. */
    public synchronized void sample() {
        if (thread.isClosing()) {
            return;
        }
        last = store.statistics();
        messagesMax = Math.max(messagesMax, last.length().messages());
        bytesMax = Math.max(bytesMax, last.length().bytes());
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
        sample();
    }

    /** Ends; the store isn't asked any more. */
    @Override
    public void close() {
        thread.close();
    }
}
