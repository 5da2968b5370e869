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
    /** However little stays of them, there is a file of each. */
    private static final long TABLES_BYTES_MIN = 1 << 20;

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
        long garbageBytes = fileBytes() - neededBytes;
        leftBytes = Math.min(leftBytes, Math.max(0, garbageBytes));
        if (garbageBytes < garbageMin + Math.max(neededBytes, leftBytes)) {
            return;
        }
        // What has left is known to the files only after a flush.
        messages.beginFlush();
        database.flush();
        // Of the tables as much stays as of the content.
        long blobBytes = database.blobBytes();
        double needed = blobBytes == 0 ? 1 : Math.min(1, (double) neededBytes / blobBytes);
        long tableBytes = TABLES_BYTES_MIN + (long) (needed * database.tableBytes());
        long spareBytes = freeSpace.spareBytes() - tableBytes;
        if (spareBytes < 0) {
            LOG.debug("no room to rewrite the queue database: {} bytes too few", -spareBytes);
            return;
        }
        double share = neededBytes == 0 ? 1 : Math.min(1, (double) spareBytes / neededBytes);
        freeSpace.reserve(tableBytes + (long) (share * neededBytes));
        thread = new Thread(() -> reclaim(share, neededBytes), "reclaimer");
        thread.start();
    }

    private long fileBytes() throws IOException {
        return database.tableBytes() + database.blobBytes();
    }

    /** Ends what is under way. */
    void stop() throws InterruptedException {
        if (thread != null) {
            database.cancelCompaction();
            thread.join();
        }
    }

    private void reclaim(double share, long neededBytes) {
        try {
            long beforeBytes = fileBytes();
            if (database.compact(share)) {
                long afterBytes = fileBytes();
                // What has left meanwhile is still in the files, and can be freed the next time.
                long needed = Math.max(neededBytes, messages.databaseBytes());
                // Where there was not room enough the rest follows, as long as that gives some.
                boolean goesOn = share < 1 && afterBytes < beforeBytes;
                leftBytes = goesOn ? 0 : Math.max(0, afterBytes - needed);
                LOG.debug("the queue database went from {} to {} bytes", beforeBytes, afterBytes);
            }
        } catch (Throwable e) {
            LOG.error("compacting the queue database failed", e);
            onFailure.accept(e);
        } finally {
            freeSpace.reserve(0);
        }
    }
}
