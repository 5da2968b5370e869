package org.hubmark.queue;

import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.LogRecord;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.BufferUnderflowException;

/**
 * Every message of a queue, wherever it lies: those in the intake log by the index, the others by
 * the rows of the queue database. The changes here are the meaning of the log's records: a running
 * store makes them when a group is committed, a starting one and a reader by replaying the log.
 * Guarded by the store's lock.
 *
 * <p>Every change may be made again to a state that has it already: the queue database may have been
 * flushed after the part of the log from which the replay starts.
 */
final class MessageTable {
    private final LogIndex index = new LogIndex();
    private final DatabaseRows rows;
    private final QueueDatabase database;
    private final long moving;

    /**
     * A table of what the database holds, and nothing in the log yet.
     *
     * @param rows closed by the caller
     */
    MessageTable(QueueDatabase database, DatabaseRows rows) throws IOException {
        this.database = database;
        this.rows = rows;
        this.moving = database.moving();
        for (long id : database.incomplete()) {
            index.spooledBefore(id);
        }
    }

    LogIndex index() {
        return index;
    }

    DatabaseRows rows() {
        return rows;
    }

    Totals totals() {
        return index.totals().plus(rows.totals());
    }

    /** Replays a record. */
    void replay(LogRecord record) throws IOException {
        long id = record.id();
        try {
            switch (record.type()) {
                case ENQUEUE -> replayEnqueue(record);
                case PART -> spool(id, record.position());
                case ABANDON -> abandon(id);
                case ACKNOWLEDGE -> acknowledge(id);
                case DEFER, DEAD_LETTER, RETRY -> change(id, Standing.decode(record.head()));
            }
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new StoreException(
                    "the log's record " + record.sequence() + " of type " + record.type()
                            + " can't be understood (" + e + "); its checksum is right, so a"
                            + " faulty program wrote it: keep a copy of both volumes",
                    e);
        }
    }

    /** Takes over the index that a clean close has saved. */
    void restore(IndexSnapshot snapshot) {
        for (LogMessage message : snapshot.messages()) {
            index.abandon(message.id);
            index.restore(message);
        }
    }

    /** Remembers a part of an unfinished message. */
    void spool(long id, LogPosition place) {
        index.spool(id, place);
    }

    /** Forgets an unfinished message. */
    void abandon(long id) throws IOException {
        if (index.abandon(id)) {
            removeParts(id);
        }
    }

    /** Forgets all unfinished messages: nobody goes on with them after a restart. */
    void abandonUnfinished() throws IOException {
        for (long id : index.unfinished()) {
            if (rows.row(id) == null) {
                abandon(id);
            } else {
                index.abandon(id);
            }
        }
    }

    LogMessage enqueue(long id, MessageRow row, LogPosition home, int headBytes) {
        return index.add(id, row, home, headBytes);
    }

    /** {@return how a message stands, or null when there is none} */
    @Nullable
    Standing standing(long id) throws IOException {
        LogMessage message = index.find(id);
        if (message != null) {
            return message.standing;
        }
        MessageRow row = rows.row(id);
        return row == null ? null : row.standing();
    }

    /** A message leaves. */
    void acknowledge(long id) throws IOException {
        LogMessage message = index.find(id);
        if (message != null) {
            index.remove(message);
            if (message.hasPartsInDatabase) {
                rows.removeParts(id, message.partCount);
            }
            return;
        }
        MessageRow row = rows.row(id);
        if (row != null) {
            rows.remove(id, row);
        }
    }

    /** A message stands otherwise. */
    void change(long id, Standing now) throws IOException {
        LogMessage message = index.find(id);
        if (message != null) {
            index.change(message, now);
            return;
        }
        MessageRow row = rows.row(id);
        if (row != null) {
            rows.change(id, row, now);
        }
    }

    private void replayEnqueue(LogRecord record) throws IOException {
        long id = record.id();
        int headBytes = record.head().remaining();
        MessageRow row = MessageRow.decode(id, record.head());
        if (record.position().generation() == moving) {
            MessageRow copy = rows.row(id);
            if (copy != null) {
                rows.yieldToLog(id, copy);
                index.spooledBefore(id);
            }
        }
        int before = index.partsBefore(id, row, record.position(), headBytes);
        if (before > 0 && (!index.hasSpool(id) || database.partCount(id) < before)) {
            // Parts whose segment is gone were moved to the database, unless the message had left
            // by then. The record that said so was not synced, and is lost; nothing else is.
            abandon(id);
            return;
        }
        index.add(id, row, record.position(), headBytes);
    }

    private void removeParts(long id) throws IOException {
        rows.removeParts(id, database.partCount(id));
    }
}
