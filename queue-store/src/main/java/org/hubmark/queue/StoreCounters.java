package org.hubmark.queue;

import org.hubmark.core.Receipt;
import org.hubmark.queue.log.LogCounters;
import org.hubmark.queue.table.DatabaseCounts;
import org.hubmark.queue.table.Totals;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a store itself; its log and its database have the others. Any thread. */
final class StoreCounters {
    private final LongAdder acceptedMessages = new LongAdder();
    private final LongAdder acceptedBytes = new LongAdder();
    private final LongAdder messageGroups = new LongAdder();
    private final GroupHistogram groups = new GroupHistogram();
    private final LongAdder refusedBusy = new LongAdder();
    private final LongAdder refusedFull = new LongAdder();

    void accepted(long bytes) {
        acceptedMessages.increment();
        acceptedBytes.add(bytes);
    }

    /** A group was committed that enqueues messages. */
    void messageGroup() {
        messageGroups.increment();
    }

    /** A sync has made messages durable. One thread at a time. */
    void synced(long writes, long bytes, long messages) {
        groups.add(writes, bytes, messages);
    }

    /** {@return what the syncs covered} */
    List<SyncedGroups> syncedGroups() {
        return groups.sizes();
    }

    void refused(Receipt.Refused refused) {
        switch (refused.reason()) {
            case BUSY -> refusedBusy.increment();
            case STORAGE_FULL -> refusedFull.increment();
            case BYTES_IN_FLIGHT, BACK_PRESSURE, ENVELOPE_TOO_LARGE, CLOSING, BROKEN -> {
                // Seen once in the log rather than counted: nothing is accepted after it.
            }
        }
    }

    StoreStatistics with(Totals length, LogCounters log, DatabaseCounts queue, long checkpoints) {
        return new StoreStatistics(
                new StoreStatistics.Length(
                        length.messages(),
                        length.bytes(),
                        length.deadMessages(),
                        length.deadBytes(),
                        length.damagedMessages()),
                new StoreStatistics.Arrivals(
                        acceptedMessages.sum(),
                        acceptedBytes.sum(),
                        refusedBusy.sum(),
                        refusedFull.sum()),
                new StoreStatistics.LogWork(
                        log.groups.sum(),
                        messageGroups.sum(),
                        log.writes.sum(),
                        log.bytesWritten.sum(),
                        log.syncs.sum(),
                        log.writeNanos.sum(),
                        log.reads.sum()),
                new StoreStatistics.DatabaseWork(
                        queue.queueWrites(), queue.queueBytes(), queue.queueReads(), checkpoints));
    }
}
