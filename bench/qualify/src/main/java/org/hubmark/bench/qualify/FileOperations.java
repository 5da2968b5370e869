package org.hubmark.bench.qualify;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what is done to the files of one database: by its pages, and by maintenance and replication, which read
 * past them. Any thread.
 */
final class FileOperations {
    private static final int DIGITS = 3;
    private static final long NANOS_MAX = TimeUnit.HOURS.toNanos(1);

    private final Map<IoCounter, LongAdder> counters = new EnumMap<>(IoCounter.class);
    private final Recorder readNanos = new Recorder(1, NANOS_MAX, DIGITS);
    private final Recorder logWriteNanos = new Recorder(1, NANOS_MAX, DIGITS);

    FileOperations() {
        for (IoCounter counter : IoCounter.values()) {
            counters.put(counter, new LongAdder());
        }
    }

    private static void record(Recorder recorder, long nanos) {
        recorder.recordValue(Math.max(1, Math.min(NANOS_MAX, nanos)));
    }

    private void add(IoCounter count, IoCounter nanos, IoCounter bytes, long took, long length) {
        add(count, 1);
        add(nanos, took);
        add(bytes, length);
    }

    /** Counts. */
    void add(IoCounter counter, long value) {
        LongAdder adder = counters.get(counter);
        if (adder != null) {
            adder.add(value);
        }
    }

    /** Counts a read of maintenance. */
    void maintenanceRead(long nanos, long bytes) {
        add(
                IoCounter.MAINTENANCE_READS,
                IoCounter.MAINTENANCE_READ_NS,
                IoCounter.MAINTENANCE_READ_BYTES,
                nanos,
                bytes);
    }

    /** Counts a read for another copy. */
    void replicationRead(long nanos, long bytes) {
        add(
                IoCounter.REPLICATION_READS,
                IoCounter.REPLICATION_READ_NS,
                IoCounter.REPLICATION_READ_BYTES,
                nanos,
                bytes);
    }

    /** Counts a read of pages, or of a file of a database by backup and checksum. */
    void databaseRead(long nanos, long bytes) {
        add(IoCounter.DB_READS, IoCounter.DB_READ_NS, IoCounter.DB_READ_BYTES, nanos, bytes);
        record(readNanos, nanos);
    }

    /** Counts a write of pages. */
    void databaseWritten(long nanos, long bytes) {
        add(IoCounter.DB_WRITES, IoCounter.DB_WRITE_NS, IoCounter.DB_WRITE_BYTES, nanos, bytes);
    }

    /** Counts a write of zeros that made a file, or made it longer. */
    void databaseGrown(long nanos, long bytes) {
        add(
                IoCounter.GROWTH_WRITES,
                IoCounter.GROWTH_WRITE_NS,
                IoCounter.GROWTH_WRITE_BYTES,
                nanos,
                bytes);
    }

    /** Counts a part of a log of pages that was written and is durable. */
    void logWritten(long nanos, long bytes) {
        add(IoCounter.LOG_WRITES, IoCounter.LOG_WRITE_NS, IoCounter.LOG_WRITE_BYTES, nanos, bytes);
        record(logWriteNanos, nanos);
    }

    /** Counts a read of a log of pages. */
    void logRead(long nanos, long bytes) {
        add(IoCounter.LOG_READS, IoCounter.LOG_READ_NS, IoCounter.LOG_READ_BYTES, nanos, bytes);
    }

    /** {@return the counters now} */
    IoCounts counts() {
        Map<IoCounter, Long> now = new EnumMap<>(IoCounter.class);
        counters.forEach((counter, adder) -> now.put(counter, adder.sum()));
        return new IoCounts(now);
    }

    /** {@return how long the reads took that transactions have waited for since the last call} */
    Histogram takeReadNanos() {
        return readNanos.getIntervalHistogram();
    }

    /** {@return how long the writes of the log have taken since the last call} */
    Histogram takeLogWriteNanos() {
        return logWriteNanos.getIntervalHistogram();
    }
}
