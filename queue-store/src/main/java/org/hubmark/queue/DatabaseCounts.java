package org.hubmark.queue;

import org.rocksdb.HistogramType;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/**
 * What RocksDB counted since it was opened.
 *
 * @param queueBytes bytes written by flushes and compactions
 * @param queueWrites write calls for them
 * @param queueReads read calls on tables and blob files
 * @param rowsPassedOver rows that scans met and that were deleted or replaced
 */
record DatabaseCounts(long queueBytes, long queueWrites, long queueReads, long rowsPassedOver) {
    static final DatabaseCounts NONE = new DatabaseCounts(0, 0, 0, 0);

    static DatabaseCounts of(Statistics statistics) {
        return new DatabaseCounts(
                // Blob files are in both: they are written by flushes and compactions.
                statistics.getTickerCount(TickerType.FLUSH_WRITE_BYTES)
                        + statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES),
                calls(statistics, HistogramType.SST_WRITE_MICROS)
                        + calls(statistics, HistogramType.BLOB_DB_BLOB_FILE_WRITE_MICROS),
                calls(statistics, HistogramType.SST_READ_MICROS)
                        + calls(statistics, HistogramType.BLOB_DB_BLOB_FILE_READ_MICROS),
                statistics.getTickerCount(TickerType.NUMBER_ITER_SKIP));
    }

    private static long calls(Statistics statistics, HistogramType type) {
        return statistics.getHistogramData(type).getCount();
    }
}
