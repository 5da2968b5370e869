package org.hubmark.queue;

import org.hubmark.core.Content;
import org.hubmark.core.Durability;
import org.hubmark.queue.table.Entry;

import java.util.List;

/**
 * A group that is in the log: what it changes, and who waits for it. The {@link SyncLane} ends it.
 *
 * @param changes that were added to it
 * @param contents of the messages that it enqueues
 * @param entries what it changes, in order
 * @param answers that say so
 * @param promises whether somebody will be told that something in it lasts: the sender of a message, or
 *     the operator who deletes one
 * @param generation that was being written when it ended
 */
record WrittenGroup(
        List<Change> changes,
        List<Content> contents,
        List<Entry> entries,
        List<Runnable> answers,
        boolean promises,
        long generation) {

    /** {@return whether it is durable before it is applied} */
    boolean isSyncedFirst(Durability durability) {
        return promises && durability instanceof Durability.Synced;
    }
}
