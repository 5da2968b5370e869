package org.hubmark.queue;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Gives the queue volume its space back when messages have left the queue database. Rewriting costs
 * at most one byte for each byte that it frees: it is done when the database's files are more than
 * twice what is needed of them, give or take a segment of the log.
 *
 * <p>The checkpointer's thread calls {@link #check} and {@link #stop}; the rewriting has a thread of
 * its own, {@code reclaimer}, while it lasts.
 */
final class SpaceReclaimer {
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Logger LOG = LoggerFactory.getLogger(SpaceReclaimer.class);

    private final Messages messages;
    private final QueueDatabase database;
    private final FreeSpace freeSpace;
    private final long garbageMin;
    private final Consumer<Throwable> onFailure;
    private @Nullable Thread thread;
    private long lastCheckNanos = System.nanoTime() - CHECK_NANOS;

    /** What the last rewriting could not free: parts of messages that are in the log, and tables. */
    private volatile long leftBytes;

    /**
     * Watches a database.
     *
     * @param garbageMin less is not worth rewriting for, in bytes
     * @param onFailure called once when a write has failed, on the reclaimer's thread
     */
    SpaceReclaimer(
            Messages messages,
            QueueDatabase database,
            FreeSpace freeSpace,
            long garbageMin,
            Consumer<Throwable> onFailure) {
        this.messages = messages;
        this.database = database;
        this.freeSpace = freeSpace;
        this.garbageMin = garbageMin;
        this.onFailure = onFailure;
    }

    /** Begins to rewrite if that is worth it; looks now and then. */
    void check() throws IOException {
        long nowNanos = System.nanoTime();
        if (nowNanos - lastCheckNanos < CHECK_NANOS || (thread != null && thread.isAlive())) {
            return;
        }
        lastCheckNanos = nowNanos;
        long neededBytes = messages.databaseBytes();
        long garbageBytes = database.fileBytes() - neededBytes;
        leftBytes = Math.min(leftBytes, Math.max(0, garbageBytes));
        if (garbageBytes < garbageMin + Math.max(neededBytes, leftBytes)) {
            return;
        }
        // What has left is known to the files only after a flush.
        messages.beginFlush();
        database.flush();
        boolean relocate = freeSpace.hasRoomFor(neededBytes);
        thread = new Thread(() -> reclaim(relocate, neededBytes), "reclaimer");
        thread.start();
    }

    /** Ends what is under way. */
    void stop() throws InterruptedException {
        if (thread != null) {
            database.cancelCompaction();
            thread.join();
        }
    }

    private void reclaim(boolean relocate, long neededBytes) {
        try {
            long beforeBytes = database.fileBytes();
            if (database.compact(relocate)) {
                long afterBytes = database.fileBytes();
                // What has left meanwhile is still in the files, and can be freed the next time.
                long needed = Math.max(neededBytes, messages.databaseBytes());
                leftBytes = Math.max(0, afterBytes - needed);
                LOG.debug("the queue database went from {} to {} bytes", beforeBytes, afterBytes);
            }
        } catch (Throwable e) {
            LOG.error("compacting the queue database failed", e);
            onFailure.accept(e);
        }
    }
}
