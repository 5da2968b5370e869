package org.hubmark.queue;

import org.hubmark.core.Receipt;

import java.util.concurrent.atomic.LongAdder;

/** What a store counts itself; the rest is counted by its database. Any thread. */
final class StoreCounters {
    /** What RocksDB collects before it calls write; DatabaseOptions sets it. */
    private static final long WRITE_BYTES_MAX = 1 << 20;

    private final LongAdder acceptedMessages = new LongAdder();
    private final LongAdder acceptedBytes = new LongAdder();
    private final LongAdder refusedBusy = new LongAdder();
    private final LongAdder refusedFull = new LongAdder();
    private final LongAdder groups = new LongAdder();
    private final LongAdder logWrites = new LongAdder();
    private final LongAdder logWriteNanos = new LongAdder();
    private volatile Totals totals = Totals.EMPTY;

    void accepted(long bytes) {
        acceptedMessages.increment();
        acceptedBytes.add(bytes);
    }

    void refused(Receipt.Refused refused) {
        switch (refused.reason()) {
            case BUSY -> refusedBusy.increment();
            case STORAGE_FULL -> refusedFull.increment();
            case BYTES_IN_FLIGHT, CLOSING, BROKEN -> {
                // Seen once in the log rather than counted: nothing is accepted after it.
            }
        }
    }

    void group(long bytes, long nanos) {
        groups.increment();
        logWrites.add((bytes + WRITE_BYTES_MAX - 1) / WRITE_BYTES_MAX);
        logWriteNanos.add(nanos);
    }

    void sync(long nanos) {
        logWriteNanos.add(nanos);
    }

    void totals(Totals now) {
        totals = now;
    }

    StoreStatistics with(QueueDatabase.Counts counts) {
        Totals length = totals;
        return new StoreStatistics(
                length.messages(),
                length.bytes(),
                length.deadMessages(),
                acceptedMessages.sum(),
                acceptedBytes.sum(),
                refusedBusy.sum(),
                refusedFull.sum(),
                groups.sum(),
                logWrites.sum(),
                counts.logBytes(),
                counts.logSyncs(),
                logWriteNanos.sum(),
                // Since it was opened the log is only written.
                0,
                counts.queueWrites(),
                counts.queueBytes(),
                counts.queueReads(),
                counts.flushes());
    }
}
