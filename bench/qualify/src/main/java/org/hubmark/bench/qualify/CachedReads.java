package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.result.IoCounter;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.PerfContext;
import org.rocksdb.PerfLevel;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;

import java.util.Arrays;
import java.util.List;

/**
 * Reads as a cache mode has it, and counts the blocks that are found in the cache, by RocksDB's perf
 * context. Any thread; not after the database is closed, whose options it uses.
 */
final class CachedReads {
    private final RocksDB rocks;
    private final CacheMode mode;
    private final FileOperations operations;
    private final ReadOptions filling;
    private final ReadOptions passing;
    private volatile @Nullable LsmBlockReads profile;

    /** RocksDB has one for each thread. */
    private final ThreadLocal<PerfContext> perf;

    /**
     * Begins.
     *
     * @param filling leaves in the cache what it reads
     * @param passing leaves nothing there
     */
    CachedReads(
            RocksDB rocks,
            CacheMode mode,
            ReadOptions filling,
            ReadOptions passing,
            FileOperations operations) {
        this.rocks = rocks;
        this.mode = mode;
        this.filling = filling;
        this.passing = passing;
        this.operations = operations;
        this.perf = ThreadLocal.withInitial(() -> {
            rocks.setPerfLevel(PerfLevel.ENABLE_COUNT);
            return rocks.getPerfContext();
        });
    }

    /** Tells of the blocks that are read from now on; null for no more. */
    void profile(@Nullable LsmBlockReads blocks) {
        profile = blocks;
    }

    /**
     * {@return a value, or null when there is none}
     *
     * @param isRow whether it is a row, and not a content
     */
    byte @Nullable [] get(ColumnFamilyHandle family, byte[] key, boolean isRow)
            throws RocksDBException {
        PerfContext counts = perf.get();
        LsmBlockReads blocks = profile;
        long hits = counts.getBlockCacheHitCount();
        long metadata = metadata(counts);
        long metadataHits = blocks == null ? 0 : metadataHits(counts);
        long passed = blocks == null ? 0 : counts.getBloomSstMissCount();
        long asked = blocks == null ? 0 : counts.getBloomSstHitCount();
        byte[] value = rocks.get(family, mode == CacheMode.ALL ? filling : passing, key);
        long hitsNow = counts.getBlockCacheHitCount() - hits;
        operations.add(IoCounter.CACHE_HITS, hitsNow);
        if (blocks != null && value != null) {
            // None is asked where what is to be written has it.
            int askedNow = (int) (counts.getBloomSstHitCount() - asked);
            int passedNow = (int) (counts.getBloomSstMissCount() - passed);
            if (askedNow > 0) {
                boolean fromCache = hitsNow > metadataHits(counts) - metadataHits;
                blocks.found(isRow, key, passedNow + askedNow - 1, fromCache);
            }
        }
        if (mode == CacheMode.METADATA && metadata(counts) > metadata) {
            keepMetadata(family, key);
        }
        return value;
    }

    private static long metadataHits(PerfContext counts) {
        return counts.getBlockCacheIndexHitCount() + counts.getBlockCacheFilterHitCount();
    }

    private static long metadata(PerfContext counts) {
        return counts.getIndexBlockReadCount() + counts.getFilterBlockReadCount();
    }

    /**
     * A read that is to leave no data in the cache leaves no index and filter there either, so these are
     * read once more by themselves: the index to say how much lies at the key, the filter to say that
     * the key behind it is not there.
     */
    private void keepMetadata(ColumnFamilyHandle family, byte[] key) throws RocksDBException {
        byte[] behind = Arrays.copyOf(key, key.length + 1);
        try (Slice from = new Slice(key);
                Slice to = new Slice(behind)) {
            var unused = rocks.getApproximateSizes(
                    family, List.of(new Range(from, to)), SizeApproximationFlag.INCLUDE_FILES);
        }
        var unused2 = rocks.get(family, filling, behind);
    }
}
