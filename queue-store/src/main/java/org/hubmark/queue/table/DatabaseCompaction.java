package org.hubmark.queue.table;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Rewrites the tables of the queue database without what was deleted. RocksDB does so by itself while
 * it is being written to; when a backlog has left nothing more is written, and its files would stay.
 *
 * <p>One thread runs it, any thread cancels it.
 */
final class DatabaseCompaction {
    private final NativeDatabase.Families families;
    private @Nullable CompactRangeOptions running;
    private boolean cancelled;

    DatabaseCompaction(NativeDatabase.Families families) {
        this.families = families;
    }

    /** Compacts every column family; false if it was cancelled. */
    boolean run(RocksDB rocks) throws RocksDBException {
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
                for (ColumnFamilyHandle family : families.all()) {
                    rocks.compactRange(family, null, null, options);
                }
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
