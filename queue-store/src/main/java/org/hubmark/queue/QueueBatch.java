package org.hubmark.queue;

import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Changes to the queue database that are made together. One thread at a time. */
final class QueueBatch implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private final QueueDatabase.Families families;
    private final WriteBatch batch = new WriteBatch();
    private final ByteBuffer partKey = ByteBuffer.allocateDirect(Long.BYTES + Integer.BYTES);

    QueueBatch(QueueDatabase.Families families) {
        this.families = families;
    }

    void putRow(long id, MessageRow row) throws IOException {
        put(families.metadata(), QueueDatabase.idKey(id), row.encode());
    }

    void deleteRow(long id) throws IOException {
        delete(families.metadata(), QueueDatabase.idKey(id));
    }

    void putSchedule(ScheduleKey key) throws IOException {
        put(families.schedule(), key.encode(), NOTHING);
    }

    void deleteSchedule(ScheduleKey key) throws IOException {
        delete(families.schedule(), key.encode());
    }

    /** Adds a part; the octets, in a direct buffer, are copied from position to limit. */
    void putPart(long id, int part, ByteBuffer octets) throws IOException {
        partKey.clear();
        partKey.putLong(id).putInt(part).flip();
        try {
            batch.put(families.content(), partKey, octets.duplicate());
        } catch (RocksDBException e) {
            throw QueueDatabase.failed("staging for", e);
        }
    }

    void deleteParts(long id, int count) throws IOException {
        for (int part = 0; part < count; part++) {
            delete(families.content(), QueueDatabase.partKey(id, part));
        }
    }

    /** Marks a message whose parts are here and whose row isn't. */
    void putIncomplete(long id) throws IOException {
        put(families.marks(), QueueDatabase.incompleteKey(id), NOTHING);
    }

    void deleteIncomplete(long id) throws IOException {
        delete(families.marks(), QueueDatabase.incompleteKey(id));
    }

    void putTotals(Totals totals) throws IOException {
        put(families.marks(), QueueDatabase.TOTALS, totals.encode());
    }

    /** Says which part of the log is being moved here; until {@link #putReplayFrom} it is in both. */
    void putMoving(long generation) throws IOException {
        put(families.marks(), QueueDatabase.MOVING, QueueDatabase.idKey(generation));
    }

    /** Says from where on the log is needed, and that nothing is being moved. */
    void putReplayFrom(long generation) throws IOException {
        put(families.marks(), QueueDatabase.REPLAY_FROM, QueueDatabase.idKey(generation));
        delete(families.marks(), QueueDatabase.MOVING);
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
            throw QueueDatabase.failed("staging for", e);
        }
    }

    private void delete(ColumnFamilyHandle family, byte[] key) throws IOException {
        try {
            batch.delete(family, key);
        } catch (RocksDBException e) {
            throw QueueDatabase.failed("staging for", e);
        }
    }
}
