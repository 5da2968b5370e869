package org.hubmark.queue.table;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * Every message of a queue, wherever it lies: those in the intake log by the index, the others by
 * the rows of the queue database. What the log's records mean is said here and nowhere else: a
 * running store applies its entries when their group is committed, a starting one and a reader those
 * that they read in the log. Guarded by the store's lock.
 *
 * <p>Every entry may be applied again to a state that has it already: the queue database may have been
 * flushed after the part of the log from which the replay starts.
 */
public final class MessageTable {
    private final LogIndex index = new LogIndex();
    private final DatabaseRows rows;
    private final QueueDatabase database;
    private final long moving;
    private @Nullable Schedule schedule;

    /**
     * A table of what the database holds, and nothing in the log yet.
     *
     * @param rows closed by the caller
     */
    public MessageTable(QueueDatabase database, DatabaseRows rows) throws IOException {
        this.database = database;
        this.rows = rows;
        this.moving = database.moving();
        for (long id : database.incomplete()) {
            index.unfinishedBefore(id);
        }
    }

    /** {@return the messages in the log} */
    public LogIndex index() {
        return index;
    }

    /** {@return the messages in the database} */
    public DatabaseRows rows() {
        return rows;
    }

    /** {@return of all messages} */
    public Totals totals() {
        return index.totals().plus(rows.totals());
    }

    /**
     * From now on keeps a schedule of the messages, what is in the log already and every change. A
     * start does without until its replay has ended, a reader for good.
     */
    public void schedule(Schedule kept) {
        for (LogMessage message : index.messages()) {
            kept.cameInLog(message.id, message.state);
        }
        schedule = kept;
    }

    /** Makes a change that is in the log. */
    public void apply(Entry entry) throws IOException {
        switch (entry) {
            case Entry.Enqueued e -> enqueue(e);
            case Entry.ExtentStored p -> index.addExtent(p.id(), p.place());
            case Entry.Abandoned a -> abandon(a.id());
            case Entry.Acknowledged a -> acknowledge(a.id());
            case Entry.Changed c -> change(c.id(), c.now());
        }
    }

    /** Forgets all unfinished messages: nobody goes on with them after a restart. */
    public void abandonUnfinished() throws IOException {
        for (long id : index.unfinished()) {
            if (rows.row(id) == null) {
                abandon(id);
            } else {
                index.abandon(id);
            }
        }
    }

    /** {@return the state of a message, or null when there is none} */
    public @Nullable MessageState state(long id) throws IOException {
        LogMessage message = index.find(id);
        if (message != null) {
            return message.state;
        }
        MessageRow row = rows.row(id);
        return row == null ? null : row.state();
    }

    /** {@return whether content is still needed where it lies} */
    public boolean isNeeded(Entry.Stored stored) {
        return switch (stored) {
            case Entry.ExtentStored p -> index.needsExtent(p.id(), p.extent(), p.place());
            case Entry.Enqueued e -> isAt(index.find(e.id()), e);
        };
    }

    /** Content has been written to the database: it, and its message if it has come, is there now. */
    public void moved(Entry.Stored stored) throws IOException {
        switch (stored) {
            case Entry.ExtentStored p -> movedExtent(p);
            case Entry.Enqueued e -> movedMessage(e);
        }
    }

    private void movedExtent(Entry.ExtentStored extent) throws IOException {
        long id = extent.id();
        if (!index.extentMoved(id, extent.extent(), extent.place())
                && !index.isUnfinished(id)
                && state(id) == null) {
            rows.removeExtents(id, extent.extent() + 1);
        }
    }

    private void movedMessage(Entry.Enqueued enqueued) throws IOException {
        long id = enqueued.id();
        LogMessage message = index.find(id);
        if (message == null || !isAt(message, enqueued)) {
            rows.removeExtents(id, enqueued.row().extents().size());
            return;
        }
        index.remove(message);
        rows.add(id, enqueued.row().with(message.state));
        if (schedule != null) {
            schedule.moved(id, message.state);
        }
    }

    private static boolean isAt(@Nullable LogMessage message, Entry.Enqueued enqueued) {
        return message != null && message.home.equals(enqueued.place());
    }

    private void enqueue(Entry.Enqueued entry) throws IOException {
        long id = entry.id();
        MessageRow row = entry.row();
        if (!row.state().isScheduled()) {
            // It takes the place of the whole message.
            acknowledge(id);
        }
        if (entry.place().generation == moving) {
            MessageRow copy = rows.row(id);
            if (copy != null) {
                rows.yieldToLog(id, copy);
                index.unfinishedBefore(id);
            }
        }
        int before = index.extentsBefore(id, row, entry.place(), entry.headBytes());
        if (before > 0 && (!index.isUnfinished(id) || database.extentCount(id) < before)) {
            // Extents whose segment is gone were moved to the database, unless the message had left
            // by then. The record that said so was not synced, and is lost; nothing else is.
            abandon(id);
            return;
        }
        index.add(id, row, entry.place(), entry.headBytes());
        if (schedule != null) {
            schedule.cameInLog(id, row.state());
        }
    }

    private void abandon(long id) throws IOException {
        if (index.abandon(id)) {
            rows.removeExtents(id, database.extentCount(id));
        }
    }

    private void acknowledge(long id) throws IOException {
        LogMessage message = index.find(id);
        if (message != null) {
            index.remove(message);
            if (message.hasExtentsInDatabase) {
                rows.removeExtents(id, message.extentCount);
            }
            left(id, message.state);
            return;
        }
        MessageRow row = rows.row(id);
        if (row != null) {
            rows.remove(id, row);
            left(id, row.state());
        }
    }

    private void left(long id, MessageState before) {
        if (schedule != null) {
            schedule.left(id, before);
        }
    }

    private void change(long id, MessageState now) throws IOException {
        LogMessage message = index.find(id);
        if (message != null) {
            changed(id, message.state, now, true);
            index.change(message, now);
            return;
        }
        MessageRow row = rows.row(id);
        if (row != null) {
            changed(id, row.state(), now, false);
            rows.change(id, row, now);
        }
    }

    private void changed(long id, MessageState before, MessageState now, boolean isInLog) {
        if (schedule != null) {
            schedule.changed(id, before, now, isInLog);
        }
    }
}
