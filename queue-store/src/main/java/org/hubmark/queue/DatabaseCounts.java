package org.hubmark.queue;

import org.rocksdb.HistogramType;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/**
 * What RocksDB counted since it was opened.
 *
 * @param logBytes bytes appended to the log
 * @param logSyncs data syncs of the log
 * @param queueBytes bytes written by flushes and compactions
 * @param queueWrites write calls for them
 * @param queueReads read calls on tables and blob files
 * @param flushes memtables flushed
 */
record DatabaseCounts(
        long logBytes,
        long logSyncs,
        long queueBytes,
        long queueWrites,
        long queueReads,
        long flushes) {
    static final DatabaseCounts NONE = new DatabaseCounts(0, 0, 0, 0, 0, 0);

    static DatabaseCounts of(Statistics statistics) {
        return new DatabaseCounts(
                statistics.getTickerCount(TickerType.WAL_FILE_BYTES),
                statistics.getTickerCount(TickerType.WAL_FILE_SYNCED),
                // Blob files are in both: they are written by flushes and compactions.
                statistics.getTickerCount(TickerType.FLUSH_WRITE_BYTES)
                        + statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES),
                calls(statistics, HistogramType.SST_WRITE_MICROS)
                        + calls(statistics, HistogramType.BLOB_DB_BLOB_FILE_WRITE_MICROS),
                calls(statistics, HistogramType.SST_READ_MICROS)
                        + calls(statistics, HistogramType.BLOB_DB_BLOB_FILE_READ_MICROS),
                calls(statistics, HistogramType.FLUSH_TIME));
    }

    private static long calls(Statistics statistics, HistogramType type) {
        return statistics.getHistogramData(type).getCount();
    }
}
