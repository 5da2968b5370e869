package org.hubmark.queue;

import org.hubmark.core.Receipt;
import org.hubmark.queue.log.LogCounters;
import org.hubmark.queue.table.DatabaseCounts;
import org.hubmark.queue.table.Totals;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a store itself; its log and its database have the others. Any thread. */
final class StoreCounters {
    private final LongAdder acceptedMessages = new LongAdder();
    private final LongAdder acceptedBytes = new LongAdder();
    private final LongAdder messageGroups = new LongAdder();
    private final Map<Long, SyncedGroups> groups = new ConcurrentSkipListMap<>();
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

    /** A sync has made messages durable. */
    void synced(long writes, long bytes, long messages) {
        long bytesMax = bytes <= 1 ? 1 : Long.highestOneBit(bytes - 1) << 1;
        groups.merge(
                bytesMax,
                new SyncedGroups(bytesMax, 1, writes, bytes, messages),
                SyncedGroups::plus);
    }

    /** {@return what the syncs covered, from the smallest size} */
    List<SyncedGroups> syncedGroups() {
        return List.copyOf(groups.values());
    }

    void refused(Receipt.Refused refused) {
        if (refused.reason() == Receipt.Reason.BUSY) {
            refusedBusy.increment();
        } else if (refused.reason() == Receipt.Reason.STORAGE_FULL) {
            refusedFull.increment();
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
