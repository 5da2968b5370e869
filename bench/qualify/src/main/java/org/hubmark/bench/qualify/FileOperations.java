package org.hubmark.bench.qualify;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.CompactionJobInfo;
import org.rocksdb.FileOperationInfo;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.RocksDB;
import org.rocksdb.Status;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what is done to the files of one database. A database on pages tells of each operation; RocksDB says each read, write and sync when it has
 * done it, on the thread that did it. So what a transaction waits for is told from what compactions
 * read. What is read past the engine (maintenance, replication) is counted here too. Any thread.
 */
final class FileOperations {
    private static final int DIGITS = 3;
    private static final long NANOS_MAX = TimeUnit.HOURS.toNanos(1);

    /** Whether this thread works for a transaction. The threads of RocksDB don't. */
    private static final ThreadLocal<Boolean> IN_TRANSACTION =
            ThreadLocal.withInitial(() -> Boolean.FALSE);

    private final Map<IoCounter, LongAdder> counters = new EnumMap<>(IoCounter.class);
    private final LongAdder tableChanges = new LongAdder();
    private volatile Runnable onTableChange = () -> {};
    private final Recorder readNanos = new Recorder(1, NANOS_MAX, DIGITS);
    private final Recorder logWriteNanos = new Recorder(1, NANOS_MAX, DIGITS);

    FileOperations() {
        for (IoCounter counter : IoCounter.values()) {
            counters.put(counter, new LongAdder());
        }
    }

    /** What this thread does from now on is done for transactions. */
    static void enterTransactions() {
        IN_TRANSACTION.set(Boolean.TRUE);
    }

    /** {@return what RocksDB is to tell} To be closed after the database. */
    AbstractEventListener listener() {
        return new AbstractEventListener(
                AbstractEventListener.EnabledEventCallback.ON_FILE_READ_FINISH,
                AbstractEventListener.EnabledEventCallback.ON_FILE_WRITE_FINISH,
                AbstractEventListener.EnabledEventCallback.ON_FILE_SYNC_FINISH,
                AbstractEventListener.EnabledEventCallback.ON_FLUSH_COMPLETED,
                AbstractEventListener.EnabledEventCallback.ON_COMPACTION_COMPLETED,
                AbstractEventListener.EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN,
                AbstractEventListener.EnabledEventCallback.SHOULD_BE_NOTIFIED_ON_FILE_IO) {
            @Override
            public void onFlushCompleted(RocksDB database, FlushJobInfo info) {
                tablesChanged();
            }

            @Override
            public void onCompactionCompleted(RocksDB database, CompactionJobInfo info) {
                tablesChanged();
            }

            // Not by itself: on a full volume RocksDB would wait for room for ever, and every
            // transaction with it. So they fail.
            @Override
            public boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status error) {
                return false;
            }

            @Override
            public void onFileReadFinish(FileOperationInfo info) {
                if (isTable(info)) {
                    readTable(info);
                } else if (isLog(info)) {
                    add(
                            IoCounter.LOG_READS,
                            IoCounter.LOG_READ_NS,
                            IoCounter.LOG_READ_BYTES,
                            info.getDuration(),
                            info.getLength());
                }
            }

            @Override
            public void onFileWriteFinish(FileOperationInfo info) {
                if (isTable(info)) {
                    add(
                            IoCounter.DB_WRITES,
                            IoCounter.DB_WRITE_NS,
                            IoCounter.DB_WRITE_BYTES,
                            info.getDuration(),
                            info.getLength());
                } else if (isLog(info)) {
                    // Into the page cache; it becomes a write of the device with the sync.
                    add(IoCounter.LOG_WRITE_BYTES, info.getLength());
                }
            }

            @Override
            public void onFileSyncFinish(FileOperationInfo info) {
                if (isLog(info)) {
                    add(IoCounter.LOG_WRITES, 1);
                    add(IoCounter.LOG_WRITE_NS, info.getDuration());
                    record(logWriteNanos, info.getDuration());
                }
            }

            @Override
            public boolean shouldBeNotifiedOnFileIO() {
                return true;
            }
        };
    }

    private void tablesChanged() {
        tableChanges.increment();
        onTableChange.run();
    }

    private void readTable(FileOperationInfo info) {
        if (IN_TRANSACTION.get()) {
            add(
                    IoCounter.DB_READS,
                    IoCounter.DB_READ_NS,
                    IoCounter.DB_READ_BYTES,
                    info.getDuration(),
                    info.getLength());
            record(readNanos, info.getDuration());
        } else {
            add(
                    IoCounter.COMPACTION_READS,
                    IoCounter.COMPACTION_READ_NS,
                    IoCounter.COMPACTION_READ_BYTES,
                    info.getDuration(),
                    info.getLength());
        }
    }

    private static boolean isTable(FileOperationInfo info) {
        return info.getPath().endsWith(TableFile.SUFFIX);
    }

    private static boolean isLog(FileOperationInfo info) {
        return info.getPath().endsWith(LogReplication.SUFFIX);
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

    /** {@return how often the tables became others} */
    long tableChanges() {
        return tableChanges.sum();
    }

    /**
     * Sets what is called whenever the tables have become others, in place of what was called before. On
     * a thread of RocksDB, so it must not wait.
     */
    void onTableChange(Runnable listener) {
        onTableChange = listener;
    }

    /** {@return how long the reads took that transactions have waited for since the last call} */
    Histogram takeReadNanos() {
        return readNanos.getIntervalHistogram();
    }

    /** {@return how long the syncs of the log have taken since the last call} */
    Histogram takeLogWriteNanos() {
        return logWriteNanos.getIntervalHistogram();
    }
}
