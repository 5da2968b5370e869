package org.hubmark.bench.qualify;

import org.jspecify.annotations.Nullable;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

import java.io.IOException;

/**
 * The cache of all databases that are LSMs. Blocks that were read and what is to be
 * written share its most size; what is to be written may take so much of it that its least size is left
 * for blocks. One thread makes and closes it.
 */
final class LsmCache implements SharedCache {
    private static final long MEMTABLE_BYTES_MAX = 16 << 20;
    private static final long MEMTABLE_BYTES_MIN = 1 << 20;
    private static final int COLUMN_FAMILIES = 2;
    private static final long PART_BYTES_MIN = 16 << 20;
    private static final int PARTS_MAX = 64;

    private final CacheMode mode;
    private final long bytesMax;
    private final LRUCache blocks;
    /** In which what is to be written takes its share. */
    private final LRUCache accounts;

    private final WriteBufferManager writes;

    private final long memtableBytes;

    /**
     * Makes an empty one.
     *
     * @param databases how many share it
     * @param memtableBytes of what is to be written, before it is flushed; null for what there is room for
     */
    LsmCache(
            CacheMode mode,
            long bytesMin,
            long bytesMax,
            int databases,
            @Nullable Long memtableBytes) {
        RocksDB.loadLibrary();
        this.mode = mode;
        this.bytesMax = bytesMax;
        // Without room for anything a block is let go as soon as it was used.
        this.blocks = lru(mode == CacheMode.OFF ? 0 : bytesMax);
        this.accounts = mode == CacheMode.OFF ? lru(bytesMax) : blocks;
        this.writes = new WriteBufferManager(bytesMax - bytesMin, accounts);
        // One is filled while another is flushed, of each column family.
        long room = (bytesMax - bytesMin) / databases / COLUMN_FAMILIES / 2;
        this.memtableBytes = memtableBytes != null
                ? memtableBytes
                : Math.max(MEMTABLE_BYTES_MIN, Math.min(MEMTABLE_BYTES_MAX, room));
    }

    /**
     * RocksDB divides a cache, so that threads get in each other's way less, by default into 64 parts however
     * small they are: a block that is larger than a part would never stay.
     */
    private static LRUCache lru(long bytes) {
        long parts = Math.max(1, Math.min(PARTS_MAX, bytes / PART_BYTES_MIN));
        return new LRUCache(bytes, Long.SIZE - 1 - Long.numberOfLeadingZeros(parts));
    }

    @Override
    public MailboxDatabase open(DatabasePlace place, long bytes, FileOperations operations)
            throws IOException {
        return LsmDatabase.open(place, this, bytes, operations);
    }

    @Override
    public CacheMode mode() {
        return mode;
    }

    LRUCache blocks() {
        return blocks;
    }

    WriteBufferManager writes() {
        return writes;
    }

    /** {@return octets of what is to be written before it is flushed, in each column family} */
    long memtableBytes() {
        return memtableBytes;
    }

    @Override
    public long usedBytes() {
        return blocks.getUsage();
    }

    @Override
    public long writeBytes() {
        return accounts.getPinnedUsage();
    }

    @Override
    public long bytesMax() {
        return bytesMax;
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
