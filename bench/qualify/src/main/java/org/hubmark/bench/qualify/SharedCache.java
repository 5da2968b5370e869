package org.hubmark.bench.qualify;

import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * The cache of all databases, as Jetstress has one for all. Blocks that were read and what is to be
 * written share its most size; what is to be written may take so much of it that its least size is left
 * for blocks. One thread makes and closes it.
 */
final class SharedCache implements AutoCloseable {
    /** What the source asks for before anything counts. */
    static final double WARM_SHARE = 0.9;

    private static final long PART_BYTES_MIN = 16 << 20;
    private static final int PARTS_MAX = 64;

    private final CacheMode mode;
    private final long bytesMin;
    private final long bytesMax;
    private final LRUCache blocks;
    /** In which what is to be written takes its share. */
    private final LRUCache accounts;

    private final WriteBufferManager writes;

    SharedCache(CacheMode mode, long bytesMin, long bytesMax) {
        RocksDB.loadLibrary();
        this.mode = mode;
        this.bytesMin = bytesMin;
        this.bytesMax = bytesMax;
        // Without room for anything a block is let go as soon as it was used.
        this.blocks = lru(mode == CacheMode.OFF ? 0 : bytesMax);
        this.accounts = mode == CacheMode.OFF ? lru(bytesMax) : blocks;
        this.writes = new WriteBufferManager(bytesMax - bytesMin, accounts);
    }

    /**
     * RocksDB divides a cache, so that threads get in each other's way less, by default into 64 parts however
     * small they are: a block that is larger than a part would never stay.
     */
    private static LRUCache lru(long bytes) {
        long parts = Math.max(1, Math.min(PARTS_MAX, bytes / PART_BYTES_MIN));
        return new LRUCache(bytes, Long.SIZE - 1 - Long.numberOfLeadingZeros(parts));
    }

    CacheMode mode() {
        return mode;
    }

    LRUCache blocks() {
        return blocks;
    }

    WriteBufferManager writes() {
        return writes;
    }

    /** {@return the share of its most size that all databases may have for what is to be written} */
    long writeBytesMax() {
        return bytesMax - bytesMin;
    }

    /** {@return octets in it} */
    long usedBytes() {
        return blocks.getUsage();
    }

    /** {@return octets of what is to be written, and of what is being read} */
    long writeBytes() {
        return accounts.getPinnedUsage();
    }

    long bytesMax() {
        return bytesMax;
    }

    /**
     * {@return how much it has to hold before anything counts}
     *
     * @param databaseBytes of all databases together, which may be less than there is room for
     */
    long warmBytes(long databaseBytes) {
        return mode == CacheMode.ALL ? (long) (WARM_SHARE * Math.min(bytesMax, databaseBytes)) : 0;
    }

    @Override
    public void close() {
        writes.close();
        if (mode == CacheMode.OFF) {
            accounts.close();
        }
        blocks.close();
    }
}
