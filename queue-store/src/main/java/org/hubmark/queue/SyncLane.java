package org.hubmark.queue;

import org.hubmark.core.AnswerGroup;
import org.hubmark.core.Content;
import org.hubmark.core.Durability;
import org.hubmark.core.Uninterrupted;
import org.hubmark.queue.log.LogWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Makes written groups durable while the committer builds and writes the next: one sync is under way at
 * a time, and a group is answered when a sync that began after its write has ended. Groups are applied
 * in the order in which they were written. A thread of its own, {@code log-sync}, runs {@link #run}; the
 * committer's adds.
 */
final class SyncLane implements Runnable {
    /** The committer is so far ahead at most; what is added later waits in the hand-off. */
    private static final int GROUPS_MAX = 8;

    /**
     * A sync that takes so long is worth a change of threads. With one of 0.1 ms a hub with 64
     * connections took 57 KB messages at 1.12 times the rate of the version before with a thread
     * for each sync, and at 1.20 times without (medians of four rounds side by side).
     */
    private static final long SLOW_SYNC_NANOS = 500_000;

    private static final Logger LOG = LoggerFactory.getLogger(SyncLane.class);

    private final LogWriter writer;
    private final Durability durability;
    private final StoreParts parts;
    private final BooleanSupplier failed;
    private final Consumer<Throwable> onFailure;
    private final List<WrittenGroup> waiting = new ArrayList<>();
    private boolean syncing;
    private boolean closed;
    private volatile boolean slow;

    /** Counters after the previous sync; used by the thread whose turn it is to sync. */
    private LogWriter.Synced before;

    /**
     * A lane of a store.
     *
     * @param failed whether the store has failed: then nothing more is promised
     * @param onFailure called with the cause when a sync fails, before the groups are refused
     */
    SyncLane(StoreParts parts, BooleanSupplier failed, Consumer<Throwable> onFailure) {
        this.writer = parts.log().writer();
        this.before = writer.synced();
        this.durability = parts.configuration().durability();
        this.parts = parts;
        this.failed = failed;
        this.onFailure = onFailure;
    }

    /** {@return whether groups are not committed yet} */
    synchronized boolean isBusy() {
        return syncing || !waiting.isEmpty();
    }

    /** {@return whether the last sync took so long that others had better wait beside it} */
    boolean isSlow() {
        return slow;
    }

    /** Adds a group that is written; waits while there are too many. */
    synchronized void add(WrittenGroup group) {
        await(() -> waiting.size() < GROUPS_MAX);
        waiting.add(group);
        notifyAll();
    }

    /** Waits until all groups are committed or refused. */
    synchronized void drain() {
        await(() -> !isBusy());
    }

    /** Ends the thread when all groups are committed or refused. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    @Override
    public void run() {
        for (List<WrittenGroup> groups = next(); groups != null; groups = next()) {
            try {
                commit(groups);
            } catch (Throwable e) {
                // The store has failed and all are answered; this thread refuses what comes.
                LOG.error("what failed was not said", e);
            }
        }
    }

    private synchronized @Nullable List<WrittenGroup> next() {
        syncing = false;
        notifyAll();
        await(() -> closed || !waiting.isEmpty());
        if (waiting.isEmpty()) {
            return null;
        }
        syncing = true;
        List<WrittenGroup> groups = List.copyOf(waiting);
        waiting.clear();
        notifyAll();
        return groups;
    }

    /** Makes groups durable and answers. By its own thread, or while it is idle. */
    void commit(List<WrittenGroup> groups) {
        int committed = 0;
        try {
            if (failed.getAsBoolean()) {
                throw new IOException("the store has failed");
            }
            boolean syncedFirst = false;
            int messages = 0;
            for (WrittenGroup group : groups) {
                syncedFirst |= group.isSyncedFirst(durability);
                messages += group.contents().size();
            }
            if (syncedFirst) {
                long startNanos = System.nanoTime();
                writer.sync();
                slow = System.nanoTime() - startNanos > SLOW_SYNC_NANOS;
                count(messages);
            }
            for (WrittenGroup group : groups) {
                committed++;
                apply(group);
            }
        } catch (Throwable e) {
            // Errors too: everybody gets an answer.
            try {
                onFailure.accept(e);
            } finally {
                groups.subList(committed, groups.size()).forEach(SyncLane::refuse);
            }
        }
    }

    /**
     * It is as durable as it is to be: says so to everybody concerned, also where it can't be applied and
     * the store ends. A start applies it from the log.
     */
    private void apply(WrittenGroup group) throws IOException {
        Messages messages = parts.messages();
        try {
            if (!group.contents().isEmpty()) {
                parts.counters().messageGroup();
            }
            // Before the messages can be leased.
            for (Content content : group.contents()) {
                GroupBuilder.close(content, messages.fresh()::takeOver);
            }
            messages.commit(group.entries(), group.generation());
        } finally {
            AnswerGroup.give(group.answers(), e -> LOG.error("answers can't be handed over", e));
        }
    }

    /** What the disk has of it is not known. */
    private static void refuse(WrittenGroup group) {
        for (Change change : group.changes()) {
            change.refuse(Gate.BROKEN);
        }
    }

    private void count(int messages) {
        LogWriter.Synced now = writer.synced();
        if (messages > 0) {
            parts.counters()
                    .synced(now.calls() - before.calls(), now.bytes() - before.bytes(), messages);
        }
        before = now;
    }

    private synchronized void await(BooleanSupplier condition) {
        // What was written is committed first.
        Uninterrupted.run(() -> {
            while (!condition.getAsBoolean()) {
                wait();
            }
        });
    }
}
