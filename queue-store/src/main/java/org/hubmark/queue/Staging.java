package org.hubmark.queue;

import org.hubmark.core.Content;
import org.hubmark.core.Receipt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Turns changes into rows of the next commit, and into what is to be done when it has happened.
 * Committer's thread.
 */
final class Staging {
    private static final Logger LOG = LoggerFactory.getLogger(Staging.class);

    private final QueueDatabase database;
    private final DueMessages due;
    private final InstantSource clock;
    private final StoreCounters counters;
    private final List<Runnable> afterCommit = new ArrayList<>();
    private final Map<Long, List<ContentPart>> spooled = new HashMap<>();
    private Totals totals;
    private boolean promises;

    Staging(QueueDatabase database, DueMessages due, InstantSource clock, StoreCounters counters)
            throws IOException {
        this.database = database;
        this.due = due;
        this.clock = clock;
        this.counters = counters;
        this.totals = database.totals();
        counters.totals(totals);
    }

    /** Stages a change. What an operator asks must find everything before it committed. */
    void stage(Change change) throws IOException {
        switch (change) {
            case Change.Enqueue e -> stageEnqueue(e);
            case Change.Spool s -> stageSpool(s);
            case Change.Acknowledge a -> stageAcknowledge(a);
            case Change.Defer d -> stageDefer(d);
            case Change.DeadLetter x -> stageDeadLetter(x);
            case Change.Retry r -> stageRetry(r);
            case Change.Find f -> {
                MessageRow row = database.row(f.id().value());
                f.answer()
                        .complete(
                                row == null ? Optional.empty() : Optional.of(row.message(f.id())));
            }
            case Change.Stop z -> {
                // Not in a group: it ends the one before it.
            }
        }
    }

    /** Stages that the spooled parts of a message leave, with their mark. */
    void abandon(long id) throws IOException {
        List<ContentPart> parts = spooled.remove(id);
        if (parts != null) {
            for (int part = 0; part < parts.size(); part++) {
                database.deletePart(id, part);
            }
            database.deleteIncomplete(id);
        }
    }

    /** Completes what is staged; false if nothing is. */
    boolean prepareCommit() throws IOException {
        if (database.nothingStaged()) {
            return false;
        }
        database.putTotals(totals);
        return true;
    }

    /** {@return whether what is staged holds a message that will be acknowledged to its sender} */
    boolean promises() {
        return promises;
    }

    /** What was staged is committed: says so to everybody concerned. */
    void committed() {
        promises = false;
        counters.totals(totals);
        for (Runnable step : afterCommit) {
            step.run();
        }
        afterCommit.clear();
    }

    private void stageEnqueue(Change.Enqueue enqueue) throws IOException {
        Content content = enqueue.content();
        long id = content.id().value();
        List<ContentPart> parts = spooled.remove(id);
        if (parts == null) {
            parts = new ArrayList<>();
        } else {
            database.deleteIncomplete(id);
        }
        stageParts(id, parts, content);
        ScheduleKey key = new ScheduleKey(clock.millis(), id);
        MessageRow row = new MessageRow(
                enqueue.envelope(), QueuedMessage.State.QUEUED, key.dueMillis(), 0, "", parts);
        database.putRow(id, row.encode());
        database.putSchedule(key);
        totals = totals.enqueued(id, row.sizeBytes());
        promises = true;
        afterCommit.add(() -> {
            due.add(key);
            counters.accepted(row.sizeBytes());
            content.close();
            answer(enqueue.listener(), new Receipt.Queued(content.id()));
        });
    }

    private void stageSpool(Change.Spool spool) throws IOException {
        Content content = spool.content();
        long id = content.id().value();
        List<ContentPart> parts = spooled.get(id);
        if (parts == null) {
            parts = new ArrayList<>();
            spooled.put(id, parts);
            database.putIncomplete(id);
        }
        stageParts(id, parts, content);
        afterCommit.add(() -> {
            content.markSpooled();
            answer(spool.listener(), Optional.empty());
        });
    }

    private void stageParts(long id, List<ContentPart> parts, Content content) throws IOException {
        ByteBuffer memory = content.memory();
        while (memory.hasRemaining()) {
            int lengthBytes = Math.min(memory.remaining(), Content.PART_BYTES_MAX);
            ByteBuffer octets = memory.slice(memory.position(), lengthBytes);
            database.putPart(id, parts.size(), octets.duplicate());
            parts.add(ContentPart.of(octets));
            memory.position(memory.position() + lengthBytes);
        }
    }

    private void stageAcknowledge(Change.Acknowledge acknowledge) throws IOException {
        DueMessages.Held held = due.settle(acknowledge.id());
        if (held == null) {
            return;
        }
        long id = acknowledge.id().value();
        database.deleteRow(id);
        database.deleteSchedule(held.key());
        for (int part = 0; part < held.row().parts().size(); part++) {
            database.deletePart(id, part);
        }
        totals = totals.left(held.row());
        afterCommit.add(() -> due.settled(acknowledge.id(), null));
    }

    private void stageDefer(Change.Defer defer) throws IOException {
        DueMessages.Held held = due.settle(defer.id());
        if (held != null) {
            MessageRow before = held.row();
            MessageRow after = before.due(defer.dueMillis(), before.attempts() + 1, defer.reason());
            ScheduleKey next = stageMove(held.key(), before, after);
            afterCommit.add(() -> due.settled(defer.id(), next));
        }
    }

    private void stageDeadLetter(Change.DeadLetter dead) throws IOException {
        DueMessages.Held held = due.settle(dead.id());
        if (held != null) {
            MessageRow before = held.row();
            MessageRow after = before.died(clock.millis(), before.attempts() + 1, dead.reason());
            stageMove(held.key(), before, after);
            afterCommit.add(() -> due.settled(dead.id(), null));
            return;
        }
        MessageRow before = database.row(dead.id().value());
        if (before != null && !before.dead()) {
            ScheduleKey key = new ScheduleKey(before.dueMillis(), dead.id().value());
            MessageRow after = before.died(clock.millis(), before.attempts(), dead.reason());
            stageMove(key, before, after);
            afterCommit.add(() -> due.remove(key, after));
        }
    }

    private void stageRetry(Change.Retry retry) throws IOException {
        MessageRow before = database.row(retry.id().value());
        if (before == null
                || before.state() == QueuedMessage.State.QUEUED
                || due.isLeased(retry.id())) {
            retry.answer().complete(false);
            return;
        }
        ScheduleKey key = new ScheduleKey(before.dueMillis(), retry.id().value());
        MessageRow after = before.due(clock.millis(), before.attempts(), before.reason());
        ScheduleKey next = stageMove(key, before, after);
        afterCommit.add(() -> {
            due.remove(key, after);
            if (next != null) {
                due.add(next);
            }
            retry.answer().complete(true);
        });
    }

    /** Stages a message's change of state; gives its new place in the schedule, if it has one. */
    private @Nullable ScheduleKey stageMove(ScheduleKey key, MessageRow before, MessageRow after)
            throws IOException {
        database.deleteSchedule(key);
        database.putRow(key.id(), after.encode());
        totals = totals.changed(before, after);
        if (after.dead()) {
            return null;
        }
        ScheduleKey next = new ScheduleKey(after.dueMillis(), key.id());
        database.putSchedule(next);
        return next;
    }

    /** Calls a listener. */
    static <T> void answer(Consumer<? super T> listener, T value) {
        try {
            listener.accept(value);
        } catch (RuntimeException e) {
            // The commit stands whatever its listener does, and the other waiters need theirs.
            LOG.error("a listener of the queue failed on {}", value, e);
        }
    }
}
