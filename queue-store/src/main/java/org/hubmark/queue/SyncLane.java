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
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Makes written groups durable while the committer builds and writes the next. A group is answered when a
 * sync that began after its write has ended. Groups are applied and answered in the order in which they were
 * written. Two syncs may be under way: the second begins when the first has taken half of its time, for what
 * was written since. Two threads, {@code log-sync-1} and {@code log-sync-2}, run {@link #run}; the committer's
 * adds.
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

    /** Groups that one sync makes durable; numbered in their order. */
    private record Flight(long number, List<WrittenGroup> groups) {}

    private final LogWriter writer;
    private final Durability durability;
    private final StoreParts parts;
    private final BooleanSupplier failed;
    private final Consumer<Throwable> onFailure;
    private final List<WrittenGroup> waiting = new ArrayList<>();
    private long begun;
    private long ended;
    private long begunNanos;
    private boolean closed;
    private volatile long syncNanos;

    /** Counters after the previous sync; used by the thread whose turn it is to answer. */
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
        return ended < begun || !waiting.isEmpty();
    }

    /** {@return whether the last sync took so long that others had better wait beside it} */
    boolean isSlow() {
        return syncNanos > SLOW_SYNC_NANOS;
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

    /** Ends the threads when all groups are committed or refused. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    @Override
    public void run() {
        for (Flight flight = next(); flight != null; flight = next()) {
            try {
                commit(flight);
            } catch (Throwable e) {
                // The store has failed and all are answered; this thread refuses what comes.
                LOG.error("cause unknown", e);
            } finally {
                end(flight);
            }
        }
    }

    private @Nullable Flight next() {
        while (true) {
            long nanos;
            synchronized (this) {
                await(() -> waiting.isEmpty() ? closed : ended == begun || writer.syncsBeside());
                if (waiting.isEmpty()) {
                    return null;
                }
                nanos = ended == begun ? 0 : begunNanos + syncNanos / 2 - System.nanoTime();
                if (nanos <= 0) {
                    return begin();
                }
            }
            // That is before the end of the sync that is under way.
            LockSupport.parkNanos(this, nanos);
        }
    }

    private Flight begin() {
        Flight flight = new Flight(begun, List.copyOf(waiting));
        begun++;
        begunNanos = System.nanoTime();
        waiting.clear();
        notifyAll();
        return flight;
    }

    private synchronized void awaitTurn(Flight flight) {
        await(() -> ended == flight.number());
    }

    /** In its turn, however it went: one that fails at once must not pass one that still waits. */
    private synchronized void end(Flight flight) {
        awaitTurn(flight);
        ended++;
        notifyAll();
    }

    /** Makes a group durable and answers. By the committer, while no sync is under way. */
    void commit(WrittenGroup group) {
        commit(new Flight(ended, List.of(group)));
    }

    private void commit(Flight flight) {
        List<WrittenGroup> groups = flight.groups();
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
                // Of two that are under way one has an even number.
                writer.sync((int) (flight.number() % 2));
                syncNanos = System.nanoTime() - startNanos;
            }
            awaitTurn(flight);
            if (failed.getAsBoolean()) {
                throw new IOException("the store has failed");
            }
            if (syncedFirst) {
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
