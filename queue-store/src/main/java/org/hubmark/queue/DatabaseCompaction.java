package org.hubmark.queue;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Rewrites the queue database without what was deleted. RocksDB does so by itself while it is being
 * written to; when a backlog has left nothing more is written, and its files would stay.
 *
 * <p>One thread runs it, any thread cancels it.
 */
final class DatabaseCompaction {
    /** No content is moved; blob files that hold nothing but garbage go all the same. */
    static final double NONE = 0.0;

    private final RocksDB rocks;
    private final QueueDatabase.Families families;
    private @Nullable CompactRangeOptions running;
    private boolean cancelled;

    DatabaseCompaction(RocksDB rocks, QueueDatabase.Families families) {
        this.rocks = rocks;
        this.families = families;
    }

    /**
     * Compacts every column family.
     *
     * @param share of the blob files, the oldest first, out of which content that is needed is moved:
     *     from 0, which takes no space for content, to 1
     * @return false if it was cancelled
     */
    boolean run(double share) throws RocksDBException {
        try (CompactRangeOptions options = new CompactRangeOptions()
                // Merges that the running store needs go on meanwhile.
                .setExclusiveManualCompaction(false)
                .setAllowWriteStall(false)
                .setBottommostLevelCompaction(
                        CompactRangeOptions.BottommostLevelCompaction.kForceOptimized)) {
            if (!begin(options)) {
                return false;
            }
            try {
                cutoff(share);
                for (ColumnFamilyHandle family : families.all()) {
                    rocks.compactRange(family, null, null, options);
                }
                cutoff(NONE);
                return true;
            } catch (RocksDBException e) {
                if (isCancelled(e)) {
                    return false;
                }
                throw e;
            } finally {
                end();
            }
        }
    }

    /** Ends it soon, and lets none begin. */
    synchronized void cancel() {
        cancelled = true;
        if (running != null) {
            running.setCanceled(true);
        }
    }

    private void cutoff(double share) throws RocksDBException {
        rocks.setOptions(
                families.content(),
                MutableColumnFamilyOptions.builder()
                        .setBlobGarbageCollectionAgeCutoff(share)
                        .build());
    }

    private synchronized boolean begin(CompactRangeOptions options) {
        if (!cancelled) {
            running = options;
        }
        return !cancelled;
    }

    private synchronized void end() {
        running = null;
    }

    private synchronized boolean isCancelled(RocksDBException e) {
        Status status = e.getStatus();
        return cancelled
                && status != null
                && (status.getCode() == Status.Code.Incomplete
                        || status.getCode() == Status.Code.ShutdownInProgress);
    }
}
