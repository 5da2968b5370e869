package org.hubmark.bench.qualify.result;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/**
 * The rows by which cache modes are compared: the seven of NetApp TR-3766, and three of ours. In the
 * source the cache is in the storage, behind where reads are counted; here it is before them. So a read is
 * here what a transaction asks for, whether the cache has it or the storage.
 */
public enum CacheRow {
    DB_IOPS("Achieved database IOPS", Better.HIGHER),
    DB_READS_PER_S("Average database reads/sec", Better.HIGHER),
    DB_WRITES_PER_S("Average database writes/sec", Better.HIGHER),
    AVG_DB_READ_LATENCY_MS("Avg. database read latency (ms)", Better.LOWER),
    AVG_DB_WRITE_LATENCY_MS("Avg. database write latency (ms)", Better.LOWER),
    LOG_WRITES_PER_S("Avg. log writes/sec", Better.HIGHER),
    AVG_LOG_WRITE_LATENCY_MS("Avg. log write latency (ms)", Better.LOWER),
    /** Ours. */
    TRANSACTIONS_PER_S("Transactions/sec", Better.HIGHER),
    /** Ours: what the storage is left with, of each transaction. */
    STORAGE_READS_PER_TRANSACTION("Storage reads per transaction", Better.LOWER),
    /** Ours: of the reads. */
    CACHE_HIT_PERCENT("Reads that the cache had (%)", Better.HIGHER);

    /** The rows of the source. */
    public static final List<CacheRow> PUBLISHED = List.copyOf(List.of(values()).subList(0, 7));

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double HUNDRED = 100;

    private final String label;
    private final Better better;

    /** Which way is better. */
    public enum Better {
        HIGHER,
        LOWER;

        /** {@return its name in files} */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    CacheRow(String label, Better better) {
        this.label = label;
        this.better = better;
    }

    /** {@return its name in files} */
    public String field() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return its name in tables} */
    public String label() {
        return label;
    }

    /** {@return which way is better} */
    public Better better() {
        return better;
    }

    /** {@return its value; null when there was nothing to take a mean of} */
    @Nullable
    Double of(IoCounts counts, double seconds) {
        double fromStorage = sum(counts, IoCounter.DB_READS);
        double reads = fromStorage + sum(counts, IoCounter.CACHE_HITS);
        double writes = sum(counts, IoCounter.DB_WRITES);
        return switch (this) {
            case DB_IOPS -> over(reads + writes, seconds);
            case DB_READS_PER_S -> over(reads, seconds);
            case DB_WRITES_PER_S -> over(writes, seconds);
            case AVG_DB_READ_LATENCY_MS -> millis(sum(counts, IoCounter.DB_READ_NS), reads);
            case AVG_DB_WRITE_LATENCY_MS -> millis(sum(counts, IoCounter.DB_WRITE_NS), writes);
            case LOG_WRITES_PER_S -> over(sum(counts, IoCounter.LOG_WRITES), seconds);
            case AVG_LOG_WRITE_LATENCY_MS ->
                millis(sum(counts, IoCounter.LOG_WRITE_NS), sum(counts, IoCounter.LOG_WRITES));
            case TRANSACTIONS_PER_S -> over(sum(counts, IoCounter.TRANSACTIONS), seconds);
            case STORAGE_READS_PER_TRANSACTION ->
                over(fromStorage, sum(counts, IoCounter.TRANSACTIONS));
            case CACHE_HIT_PERCENT -> over(HUNDRED * sum(counts, IoCounter.CACHE_HITS), reads);
        };
    }

    private static double sum(IoCounts counts, IoCounter counter) {
        return counts.sum(List.of(counter));
    }

    private static @Nullable Double millis(double nanos, double count) {
        return over(nanos / NANOS_PER_MILLI, count);
    }

    private static @Nullable Double over(double dividend, double divisor) {
        return divisor > 0 ? (Double) (dividend / divisor) : null;
    }
}
