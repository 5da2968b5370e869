package org.hubmark.queue.table;

import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.Statistics;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The options in which the queue database differs from RocksDB's defaults.
 *
 * @param owned gets every native object made here; who owns it closes them after the database
 * @param direct whether its files are written past the page cache
 * @param statistics count what the database does
 * @param files are told of syncs, and have small memtables; null for a database on real files
 */
record DatabaseOptions(
        List<AbstractImmutableNativeReference> owned,
        boolean direct,
        Statistics statistics,
        @Nullable DatabaseFiles files) {
    private static final long MIB = 1 << 20;

    /** For the rows of mail in the backlog; content is not read through it. */
    private static final long READ_CACHE_BYTES = 32 * MIB;

    /** Name of the last column family, which a store of 0.1.0 lacks. */
    static final byte[] STATE = name("state");

    /** The smallest there is, so that a simulation fills some. */
    private static final long SMALL_MEMTABLE_BYTES = 64 << 10;

    /** {@return the options of the whole} Direct I/O for flushes needs a file system that has it. */
    DBOptions database() {
        DBOptions options = own(new DBOptions());
        if (files != null) {
            options.setListeners(List.of(own(files.listener())));
        }
        return options.setStatistics(statistics)
                // There is no write-ahead log here, so what is flushed must be of one moment.
                .setAtomicFlush(true)
                // The store flushes what it needs; the rest is in the intake log.
                .setAvoidFlushDuringShutdown(true)
                // After a failed write nothing is retried; but for want of room, which this doesn't
                // say.
                .setMaxBgErrorResumeCount(0)
                .setUseDirectIoForFlushAndCompaction(direct)
                .setBytesPerSync(MIB)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(8 * MIB)
                .setKeepLogFileNum(4)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
    }

    /** {@return the column families, in the order of their handles} */
    List<ColumnFamilyDescriptor> families() {
        BlockBasedTableConfig tables = new BlockBasedTableConfig()
                .setFilterPolicy(own(new BloomFilter(10)))
                .setBlockCache(own(new LRUCache(READ_CACHE_BYTES)))
                .setBlockSize(16 << 10)
                .setFormatVersion(6);
        return List.of(
                new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family(tables, MIB)),
                new ColumnFamilyDescriptor(name("metadata"), family(tables, 16 * MIB)),
                new ColumnFamilyDescriptor(name("content"), family(tables, 16 * MIB)),
                new ColumnFamilyDescriptor(name("schedule"), family(tables, 8 * MIB)),
                new ColumnFamilyDescriptor(STATE, family(tables, 8 * MIB)));
    }

    private ColumnFamilyOptions family(BlockBasedTableConfig tables, long memtableBytes) {
        return own(new ColumnFamilyOptions())
                .setTableFormatConfig(tables)
                .setWriteBufferSize(files == null ? memtableBytes : SMALL_MEMTABLE_BYTES)
                .setMaxWriteBufferNumber(4)
                .setCompressionType(CompressionType.NO_COMPRESSION);
    }

    private static byte[] name(String family) {
        return family.getBytes(StandardCharsets.US_ASCII);
    }

    private <T extends AbstractImmutableNativeReference> T own(T object) {
        owned.add(object);
        return object;
    }
}
