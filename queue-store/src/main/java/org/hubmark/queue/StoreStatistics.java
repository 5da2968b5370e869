package org.hubmark.queue;

/**
 * Counts of a store since it was opened, and its length now. All grow but the length.
 *
 * @param length what is in the queue
 * @param arrivals what was enqueued and refused
 * @param log what was done to the log volume
 * @param database what was done to the queue volume
 */
public record StoreStatistics(
        Length length, Arrivals arrivals, LogWork log, DatabaseWork database) {
    /**
     * Contents of the queue.
     *
     * @param messages leased, deferred and dead ones too
     * @param bytes their content
     * @param deadMessages dead letters among them
     * @param deadBytes their content
     * @param damagedMessages messages set aside among them, because they can't be read or delivered
     */
    public record Length(
            long messages, long bytes, long deadMessages, long deadBytes, long damagedMessages) {}

    /**
     * Mail that arrived.
     *
     * @param messages enqueued
     * @param bytes their content
     * @param refusedBusy refused because the hand-off was full
     * @param refusedFull refused because a volume was full
     */
    public record Arrivals(long messages, long bytes, long refusedBusy, long refusedFull) {}

    /**
     * Operations on the log volume.
     *
     * @param groups groups committed
     * @param messageGroups those of them that enqueue messages; the others only settle some
     * @param writes write calls: one a group and one more for each MiB of it, which is how the
     *     database writes its log; it doesn't count them itself
     * @param bytesWritten bytes written
     * @param syncs data syncs
     * @param writeNanos time spent in commits: writes and syncs of the log, and the index in memory
     * @param reads read calls
     */
    public record LogWork(
            long groups,
            long messageGroups,
            long writes,
            long bytesWritten,
            long syncs,
            long writeNanos,
            long reads) {}

    /**
     * Operations on the queue volume, as far as the database counts them.
     *
     * @param writes write calls
     * @param bytesWritten bytes written
     * @param reads read calls
     * @param checkpoints parts of the log moved to the queue database (memtables flushed)
     */
    public record DatabaseWork(long writes, long bytesWritten, long reads, long checkpoints) {}
}
