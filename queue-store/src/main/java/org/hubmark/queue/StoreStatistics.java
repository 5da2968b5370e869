package org.hubmark.queue;

/**
 * Counts of a store since it was opened, and its length now. All grow but the lengths.
 *
 * @param queuedMessages messages in the queue, leased, deferred and dead ones too
 * @param queuedBytes their content
 * @param deadMessages dead letters among them
 * @param deadBytes their content
 * @param damagedMessages messages set aside among them, because they can't be read or delivered
 * @param acceptedMessages enqueued
 * @param acceptedBytes their content
 * @param refusedBusy refused because the hand-off was full
 * @param refusedFull refused because a volume was full
 * @param groups groups committed
 * @param messageGroups those of them that enqueue messages; the others only settle some
 * @param logWrites write calls to the log volume: one a group and one more for each MiB of it,
 *     which is how the database writes its log; it doesn't count them itself
 * @param logBytesWritten bytes written to the log volume
 * @param logSyncs data syncs of the log
 * @param logWriteNanos time spent in commits: writes and syncs of the log, and the index in memory
 * @param logReads read calls on the log volume
 * @param queueWrites write calls to the queue volume, as far as the database counts them
 * @param queueBytesWritten bytes written to the queue volume
 * @param queueReads read calls on the queue volume, as far as the database counts them
 * @param checkpoints parts of the log moved to the queue database (memtables flushed)
 */
public record StoreStatistics(
        long queuedMessages,
        long queuedBytes,
        long deadMessages,
        long deadBytes,
        long damagedMessages,
        long acceptedMessages,
        long acceptedBytes,
        long refusedBusy,
        long refusedFull,
        long groups,
        long messageGroups,
        long logWrites,
        long logBytesWritten,
        long logSyncs,
        long logWriteNanos,
        long logReads,
        long queueWrites,
        long queueBytesWritten,
        long queueReads,
        long checkpoints) {}
