package org.hubmark.queue.table;

import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

import java.io.IOException;

/** Changes to the queue database that are made together. One thread at a time. */
public final class QueueBatch implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private final NativeDatabase.Families families;
    private final WriteBatch batch = new WriteBatch();

    QueueBatch(NativeDatabase.Families families) {
        this.families = families;
    }

    void putRow(long id, MessageRow row) throws IOException {
        put(families.metadata(), DatabaseKeys.id(id), row.encode());
    }

    void deleteRow(long id) throws IOException {
        delete(families.metadata(), DatabaseKeys.id(id));
        if (families.state() != null) {
            delete(families.state(), DatabaseKeys.id(id));
        }
    }

    /** Says in what state a message is now, in place of what its row says. */
    void putState(long id, MessageState now) throws IOException {
        if (families.state() != null) {
            put(families.state(), DatabaseKeys.id(id), now.encode());
        }
    }

    void putSchedule(ScheduleKey key) throws IOException {
        put(families.schedule(), key.encode(), NOTHING);
    }

    void deleteSchedule(ScheduleKey key) throws IOException {
        delete(families.schedule(), key.encode());
    }

    /** Says where an extent lies. */
    public void putExtent(long id, int extent, ContentPlace place) throws IOException {
        put(families.content(), DatabaseKeys.extent(id, extent), place.encode());
    }

    void deleteExtents(long id, int count) throws IOException {
        for (int extent = 0; extent < count; extent++) {
            delete(families.content(), DatabaseKeys.extent(id, extent));
        }
    }

    /** Marks a message whose extents are here and whose row isn't. */
    public void putIncomplete(long id) throws IOException {
        put(families.marks(), DatabaseKeys.incomplete(id), NOTHING);
    }

    void deleteIncomplete(long id) throws IOException {
        delete(families.marks(), DatabaseKeys.incomplete(id));
    }

    /** Says that the database relies on so much of a content file. */
    public void putContentFile(long number, long durableBytes) throws IOException {
        put(families.marks(), DatabaseKeys.contentFile(number), DatabaseKeys.id(durableBytes));
    }

    /** Says that it relies on nothing in a content file. */
    public void deleteContentFile(long number) throws IOException {
        delete(families.marks(), DatabaseKeys.contentFile(number));
    }

    void putTotals(Totals totals) throws IOException {
        put(families.marks(), DatabaseKeys.TOTALS, totals.encode());
    }

    /** Says which part of the log is being moved here; until {@link #putReplayFrom} it is in both. */
    public void putMoving(long generation) throws IOException {
        put(families.marks(), DatabaseKeys.MOVING, DatabaseKeys.id(generation));
    }

    /** Says from where on the log is needed, and that nothing is being moved. */
    public void putReplayFrom(long generation) throws IOException {
        put(families.marks(), DatabaseKeys.REPLAY_FROM, DatabaseKeys.id(generation));
        delete(families.marks(), DatabaseKeys.MOVING);
    }

    boolean isEmpty() {
        return batch.count() == 0;
    }

    long bytes() {
        return batch.getDataSize();
    }

    void clear() {
        batch.clear();
    }

    WriteBatch batch() {
        return batch;
    }

    @Override
    public void close() {
        batch.close();
    }

    private void put(ColumnFamilyHandle family, byte[] key, byte[] value) throws IOException {
        try {
            batch.put(family, key, value);
        } catch (RocksDBException e) {
            throw NativeDatabase.failed("staging for", e);
        }
    }

    private void delete(ColumnFamilyHandle family, byte[] key) throws IOException {
        try {
            batch.delete(family, key);
        } catch (RocksDBException e) {
            throw NativeDatabase.failed("staging for", e);
        }
    }
}
