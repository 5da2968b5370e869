package org.hubmark.queue;

import org.hubmark.core.Uninterrupted;
import org.hubmark.queue.log.VolumeFullException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * Gives the queue volume its space back when messages have left the queue database. Rewriting costs
 * at most one byte for each byte that it frees: it is done when the files are more than twice what is
 * needed of them, give or take a segment of the log.
 *
 * <p>The checkpointer's thread calls {@link #check} and {@link #stop}; the rewriting has a thread of
 * its own, {@code reclaimer}, while it lasts.
 */
final class SpaceReclaimer {
    /** However little stays of them, there is a file of each. */
    private static final long TABLES_BYTES_MIN = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(SpaceReclaimer.class);

    private final StoreParts parts;
    private final ContentCompaction contents;
    private final long intervalNanos;

    /** Less is not worth rewriting for, in bytes. */
    private final long garbageMin;

    private final Consumer<Throwable> onFailure;
    private @Nullable Thread thread;
    private long lastCheckNanos;

    /** What the last rewriting could not free: extents of messages that are in the log, and tables. */
    private volatile long leftBytes;

    /**
     * Watches a database.
     *
     * @param onFailure called once when a write has failed, on the reclaimer's thread
     */
    SpaceReclaimer(StoreParts parts, Consumer<Throwable> onFailure) {
        this.parts = parts;
        this.contents = new ContentCompaction(parts);
        this.intervalNanos = parts.settings().log().reclaimInterval().toNanos();
        this.lastCheckNanos = System.nanoTime() - intervalNanos;
        this.garbageMin = parts.settings().log().segmentBytes();
        this.onFailure = onFailure;
    }

    /**
     * Begins to rewrite if that is worth it; looks now and then.
     *
     * @param contentWriter of the calling thread; where rewriting begins it goes on in another file
     */
    void check(ContentWriter contentWriter) throws IOException {
        long nowNanos = System.nanoTime();
        if (nowNanos - lastCheckNanos < intervalNanos || (thread != null && thread.isAlive())) {
            return;
        }
        lastCheckNanos = nowNanos;
        long neededBytes = parts.messages().databaseBytes();
        long garbageBytes = fileBytes() - neededBytes;
        leftBytes = Math.min(leftBytes, Math.max(0, garbageBytes));
        if (garbageBytes < garbageMin + Math.max(neededBytes, leftBytes)) {
            return;
        }
        // What has left is known to the files only after a flush.
        try {
            parts.messages().flush();
        } catch (VolumeFullException e) {
            // The checkpointer's next look says so.
            return;
        }
        // Of the tables as much stays as of the content.
        long contentBytes = parts.database().content().bytes();
        double share = contentBytes == 0 ? 1 : Math.min(1, (double) neededBytes / contentBytes);
        long tableBytes = TABLES_BYTES_MIN + (long) (share * parts.database().tableBytes());
        // Nothing is being moved now, so what is spare is known.
        long roomBytes = Math.clamp(parts.freeSpace().spareBytes(), 0, tableBytes + neededBytes);
        parts.freeSpace().reserve(roomBytes);
        long below = contentWriter.endFile();
        thread = new Thread(() -> reclaim(below, roomBytes, tableBytes, neededBytes), "reclaimer");
        thread.start();
    }

    private long fileBytes() throws IOException {
        return parts.database().tableBytes() + parts.database().content().bytes();
    }

    /** Ends what is under way and waits for that: afterwards the database may be closed. */
    void stop() {
        if (thread != null) {
            contents.cancel();
            parts.database().cancelCompaction();
            Uninterrupted.join(thread);
        }
    }

    private void reclaim(long below, long roomBytes, long tableBytes, long neededBytes) {
        try {
            long beforeBytes = fileBytes();
            ContentCompaction.Plan plan = contents.plan(below, Math.max(0, roomBytes - tableBytes));
            boolean isWhole = contents.run(plan)
                    && plan.isWhole()
                    && roomBytes >= tableBytes
                    && parts.database().compact();
            long afterBytes = fileBytes();
            // What has left meanwhile is still in the files, and can be freed the next time.
            long needed = Math.max(neededBytes, parts.messages().databaseBytes());
            // Where there was not room enough the rest follows, as long as that gives some.
            boolean goesOn = !isWhole && afterBytes < beforeBytes;
            leftBytes = goesOn ? 0 : Math.max(0, afterBytes - needed);
            LOG.debug("the queue database went from {} to {} bytes", beforeBytes, afterBytes);
        } catch (Throwable e) {
            if (e instanceof IOException io && parts.database().content().isFull(io)) {
                LOG.debug("no room to rewrite the queue database", e);
                return;
            }
            LOG.error("compacting the queue database failed", e);
            onFailure.accept(e);
        } finally {
            parts.freeSpace().reserve(0);
        }
    }
}
