package org.hubmark.queue.table;

import org.hubmark.queue.log.VolumeFullException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of the queue database as they are after changes that may not be written to it yet. Guarded
 * by the store's lock. A reader never writes them: it sees the queue by the log that the database
 * has not caught up with.
 */
public final class DatabaseRows implements AutoCloseable {
    private final QueueDatabase database;
    private final QueueBatch batch;
    /** Rows that came from the log. */
    private final Map<Long, MessageRow> added = new HashMap<>();

    /** States of the messages here that have changed, without their envelopes; empty for one that has left. */
    private final Map<Long, Optional<MessageState>> changed = new HashMap<>();

    private Totals totals;
    private Totals written;

    /** As the batch has them, or the database if the batch has none. */
    private Totals batched;

    private boolean pending;

    /** Begins with what the database holds. */
    public DatabaseRows(QueueDatabase database) throws IOException {
        this.database = database;
        this.batch = database.newBatch();
        this.totals = database.totals();
        this.written = totals;
        this.batched = totals;
    }

    /** {@return a row as it is now, or null for a message that is not here} */
    public @Nullable MessageRow row(long id) throws IOException {
        Optional<MessageState> state = changed.get(id);
        if (state != null && state.isEmpty()) {
            return null;
        }
        MessageRow row = added.get(id);
        if (row == null && written.messages() > 0) {
            // No search where there is nothing: a log of settled messages is replayed against it.
            row = database.row(id);
        }
        return row == null || state == null ? row : row.with(state.get());
    }

    /** {@return the states that differ from the database's; empty for a message that has left} */
    public Map<Long, Optional<MessageState>> changed() {
        return changed;
    }

    /** {@return of the rows as they are now} */
    public Totals totals() {
        return totals;
    }

    /** A message came from the log; its extents are there, without a mark from now on. */
    void add(long id, MessageRow row) throws IOException {
        added.put(id, row);
        changed.remove(id);
        batch.putRow(id, row);
        if (row.state().isScheduled()) {
            batch.putSchedule(row.state().key(id));
        }
        batch.deleteIncomplete(id);
        totals = totals.came(id, row.sizeBytes(), row.state());
    }

    /** A message has left, with its extents. */
    void remove(long id, MessageRow row) throws IOException {
        forget(id, row);
        batch.deleteExtents(id, row.extents().size());
    }

    /** The log has the message too, and counts; what is here of it is a part of a part of a move. */
    void yieldToLog(long id, MessageRow row) throws IOException {
        forget(id, row);
        batch.putIncomplete(id);
    }

    void change(long id, MessageRow before, MessageState now) throws IOException {
        changed.put(id, Optional.of(now));
        batch.putState(id, now);
        if (before.state().isScheduled()) {
            batch.deleteSchedule(before.state().key(id));
        }
        if (now.isScheduled()) {
            batch.putSchedule(now.key(id));
        }
        totals = totals.changed(before.sizeBytes(), before.state(), now);
    }

    /** Extents leave whose message has no row here. */
    void removeExtents(long id, int extentCount) throws IOException {
        batch.deleteExtents(id, extentCount);
        batch.deleteIncomplete(id);
    }

    /** For a reader: the changes stay here, to be seen, and will not be written. */
    public void keepUnwritten() {
        batch.clear();
    }

    /**
     * Writes the changes; false when there were none.
     *
     * @throws VolumeFullException if there is no room; then they are still to be written
     */
    public boolean write() throws IOException {
        if (batch.isEmpty()) {
            return false;
        }
        pending = true;
        if (!totals.equals(batched)) {
            batch.putTotals(totals);
            batched = totals;
        }
        database.write(batch);
        pending = false;
        written = totals;
        added.clear();
        changed.clear();
        return true;
    }

    /** {@return whether there was no room for changes} What the database says of them is old. */
    public boolean isPending() {
        return pending;
    }

    /** {@return whether this differs from what the database says of a message} */
    public boolean isChanged(long id) {
        return added.containsKey(id) || changed.containsKey(id);
    }

    /** {@return memory for the changes} */
    public long batchBytes() {
        return batch.bytes();
    }

    @Override
    public void close() {
        batch.close();
    }

    private void forget(long id, MessageRow row) throws IOException {
        added.remove(id);
        changed.put(id, Optional.empty());
        batch.deleteRow(id);
        if (row.state().isScheduled()) {
            batch.deleteSchedule(row.state().key(id));
        }
        totals = totals.left(row.sizeBytes(), row.state());
    }
}
