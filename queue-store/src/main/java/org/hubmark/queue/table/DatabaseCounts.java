package org.hubmark.queue.table;

import org.rocksdb.HistogramType;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/**
 * Counters of the queue database since it was opened.
 *
 * @param queueBytes bytes written to content files, and by flushes and compactions
 * @param queueWrites write calls for them
 * @param queueReads read calls on tables and content files
 * @param rowsPassedOver rows that scans met and that were deleted or replaced
 */
public record DatabaseCounts(
        long queueBytes, long queueWrites, long queueReads, long rowsPassedOver) {
    static final DatabaseCounts NONE = new DatabaseCounts(0, 0, 0, 0);

    static DatabaseCounts of(Statistics statistics, ContentFiles content) {
        return new DatabaseCounts(
                content.bytesWritten()
                        + statistics.getTickerCount(TickerType.FLUSH_WRITE_BYTES)
                        + statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES),
                content.writes() + calls(statistics, HistogramType.SST_WRITE_MICROS),
                content.reads() + calls(statistics, HistogramType.SST_READ_MICROS),
                statistics.getTickerCount(TickerType.NUMBER_ITER_SKIP));
    }

    private static long calls(Statistics statistics, HistogramType type) {
        return statistics.getHistogramData(type).getCount();
    }
}
