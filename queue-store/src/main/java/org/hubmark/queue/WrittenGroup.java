package org.hubmark.queue;

import org.hubmark.core.AnswerGroup;
import org.hubmark.core.Content;
import org.hubmark.core.Durability;
import org.hubmark.queue.table.Entry;

import java.io.IOException;
import java.util.List;

/**
 * A group that is in the log: what it changes, and who waits for it. The thread that makes it as durable as
 * it is to be ends it, by {@link #commit} or {@link #refuse}.
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

    /**
     * It is as durable as it is to be: says so to everybody concerned, also where it can't be applied and
     * the store ends. A start applies it from the log.
     */
    void commit(Messages messages, StoreCounters counters) throws IOException {
        try {
            if (!contents.isEmpty()) {
                counters.messageGroup();
            }
            // Before the messages can be leased.
            for (Content content : contents) {
                GroupBuilder.close(content, messages.fresh()::takeOver);
            }
            messages.commit(entries, generation);
        } finally {
            AnswerGroup.give(answers);
        }
    }

    /** What the disk has of it is not known. */
    void refuse() {
        for (Change change : changes) {
            change.refuse(Gate.BROKEN);
        }
    }
}
