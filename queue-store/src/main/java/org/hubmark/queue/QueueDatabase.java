package org.hubmark.queue;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;

/**
 * The queue database: the only class that knows RocksDB, with its {@link DatabaseOptions}. Its write-ahead log is on the log volume,
 * everything else on the queue volume.
 *
 * <p>Column families: metadata (id to {@link MessageRow}), content (id and part number to the
 * part's octets), schedule (due time and id to nothing; the living messages in the order in which
 * they are due) and default (the {@link Totals}, and a mark for each message whose parts are
 * spooled but whose end hasn't come). Keys are big-endian, so that they sort as numbers.
 *
 * <p>Staging and writing: committer's thread. Reading: any thread; a read lock keeps the native
 * database alive until it is over.
 */
final class QueueDatabase implements AutoCloseable {
    static final String WAL_FOLDER = "wal";
    static final String DATABASE_FOLDER = "database";

    private static final byte[] TOTALS = {'t'};
    private static final byte INCOMPLETE = 'i';
    private static final byte[] NOTHING = {};
    private static final long SIGN = Long.MIN_VALUE;

    private final ReentrantReadWriteLock alive = new ReentrantReadWriteLock();
    private final List<RocksObject> owned = new ArrayList<>();
    private final Statistics statistics = own(new Statistics());
    private final WriteOptions synced = own(new WriteOptions().setSync(true));
    private final WriteOptions unsynced = own(new WriteOptions().setSync(false));
    private final WriteBatch staged = own(new WriteBatch());
    private final ByteBuffer partKey = ByteBuffer.allocateDirect(Long.BYTES + Integer.BYTES);
    private final RocksDB rocks;
    private final ColumnFamilyHandle marks;
    private final ColumnFamilyHandle metadata;
    private final ColumnFamilyHandle content;
    private final ColumnFamilyHandle schedule;
    private Counts countsAtClose = new Counts(0, 0, 0, 0, 0, 0);
    private boolean closed;

    /**
     * Opens the database.
     *
     * @param logBytesMax when the write-ahead log holds more, its oldest part is flushed
     */
    private QueueDatabase(
            Path logVolume,
            Path queueVolume,
            boolean readOnly,
            long logBytesMax,
            boolean directFlush)
            throws StoreException {
        RocksDB.loadLibrary();
        Path walFolder = logVolume.resolve(WAL_FOLDER);
        String folder = queueVolume.resolve(DATABASE_FOLDER).toString();
        statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
        DatabaseOptions options = new DatabaseOptions(owned, logBytesMax);
        DBOptions database = options.database(walFolder, directFlush).setStatistics(statistics);
        List<ColumnFamilyDescriptor> families = options.families();
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        boolean opened = false;
        try {
            rocks = readOnly
                    ? RocksDB.openReadOnly(database, folder, families, handles)
                    : RocksDB.open(database, folder, families, handles);
            opened = true;
        } catch (RocksDBException e) {
            throw new StoreException(
                    "can't open the queue database " + folder + " with its log " + walFolder + ": "
                            + e.getMessage(),
                    e);
        } finally {
            if (!opened) {
                owned.reversed().forEach(RocksObject::close);
            }
        }
        handles.forEach(this::own);
        marks = handles.get(0);
        metadata = handles.get(1);
        content = handles.get(2);
        schedule = handles.get(3);
    }

    /** Opens it for writing, making an empty one where there is none. */
    static QueueDatabase open(
            Path logVolume, Path queueVolume, long logBytesMax, boolean directFlush)
            throws IOException {
        Files.createDirectories(queueVolume.resolve(DATABASE_FOLDER));
        Files.createDirectories(logVolume.resolve(WAL_FOLDER));
        return new QueueDatabase(logVolume, queueVolume, false, logBytesMax, directFlush);
    }

    /** Opens it as it stands, also beside a process that writes to it. */
    static QueueDatabase openForReading(Path logVolume, Path queueVolume) throws StoreException {
        return new QueueDatabase(logVolume, queueVolume, true, Long.MAX_VALUE, false);
    }

    /** Removes the parts of messages whose end never came. Before anything is staged. */
    void removeIncomplete() throws IOException {
        for (long id : incomplete()) {
            int part = 0;
            // Parts were written in order, and reading stops at the first that isn't there.
            while (part(id, part) != null) {
                deletePart(id, part);
                part++;
            }
            deleteIncomplete(id);
        }
        write(false);
    }

    void putRow(long id, byte[] row) throws IOException {
        put(metadata, idKey(id), row);
    }

    void deleteRow(long id) throws IOException {
        delete(metadata, idKey(id));
    }

    void putSchedule(ScheduleKey key) throws IOException {
        put(schedule, scheduleKey(key), NOTHING);
    }

    void deleteSchedule(ScheduleKey key) throws IOException {
        delete(schedule, scheduleKey(key));
    }

    /** Stages a part; the octets, in a direct buffer, are copied from position to limit. */
    void putPart(long id, int part, ByteBuffer octets) throws IOException {
        partKey.clear();
        partKey.putLong(id).putInt(part).flip();
        try {
            staged.put(content, partKey, octets);
        } catch (RocksDBException e) {
            throw failed("staging for", e);
        }
    }

    void deletePart(long id, int part) throws IOException {
        delete(content, partKeyBytes(id, part));
    }

    void putIncomplete(long id) throws IOException {
        put(marks, incompleteKey(id), NOTHING);
    }

    void deleteIncomplete(long id) throws IOException {
        delete(marks, incompleteKey(id));
    }

    void putTotals(Totals totals) throws IOException {
        put(marks, TOTALS, totals.encode());
    }

    boolean nothingStaged() {
        return staged.count() == 0;
    }

    long stagedBytes() {
        return staged.getDataSize();
    }

    /** Writes what is staged to the log and makes it visible; data-syncs the log if asked. */
    void write(boolean sync) throws IOException {
        try {
            rocks.write(sync ? synced : unsynced, staged);
            staged.clear();
        } catch (RocksDBException e) {
            throw failed("writing", e);
        }
    }

    /** Data-syncs what was written without. */
    void syncLog() throws IOException {
        try {
            rocks.syncWal();
        } catch (RocksDBException e) {
            throw failed("syncing", e);
        }
    }

    Totals totals() throws IOException {
        byte[] row = get(marks, TOTALS);
        return row == null ? Totals.EMPTY : Totals.decode(row);
    }

    byte @Nullable [] encodedRow(long id) throws IOException {
        return get(metadata, idKey(id));
    }

    @Nullable
    MessageRow row(long id) throws IOException {
        byte[] row = encodedRow(id);
        return row == null ? null : MessageRow.decode(id, row);
    }

    byte @Nullable [] part(long id, int part) throws IOException {
        return get(content, partKeyBytes(id, part));
    }

    boolean hasSchedule(ScheduleKey key) throws IOException {
        return get(schedule, scheduleKey(key)) != null;
    }

    /** Visits the schedule behind a key until the visitor says false; true when it came to the end. */
    boolean scanSchedule(ScheduleKey after, Predicate<ScheduleKey> visitor) throws IOException {
        return scan(schedule, scheduleKey(after), rows -> {
            ByteBuffer key = ByteBuffer.wrap(rows.key());
            ScheduleKey found = new ScheduleKey(key.getLong() ^ SIGN, key.getLong());
            return found.equals(after) || visitor.test(found);
        });
    }

    /** Gets a message. */
    interface RowVisitor {
        void visit(long id, byte[] row) throws IOException;
    }

    /** Visits every message, the lowest id first. */
    void scanRows(RowVisitor visitor) throws IOException {
        scan(metadata, NOTHING, rows -> {
            visitor.visit(ByteBuffer.wrap(rows.key()).getLong(), rows.value());
            return true;
        });
    }

    /** Gets the key of a part of a content. */
    interface PartVisitor {
        void visit(long id, int part) throws IOException;
    }

    /** Visits the key of every part, in order. */
    void scanPartKeys(PartVisitor visitor) throws IOException {
        scan(content, NOTHING, rows -> {
            ByteBuffer key = ByteBuffer.wrap(rows.key());
            visitor.visit(key.getLong(), key.getInt());
            return true;
        });
    }

    /** {@return the ids whose parts are spooled but whose end hasn't come} */
    List<Long> incomplete() throws IOException {
        List<Long> ids = new ArrayList<>();
        scan(marks, new byte[] {INCOMPLETE}, rows -> {
            byte[] key = rows.key();
            if (key[0] != INCOMPLETE) {
                return false;
            }
            ids.add(ByteBuffer.wrap(key, 1, Long.BYTES).getLong());
            return true;
        });
        return ids;
    }

    /** {@return bytes that were accepted but not flushed to the queue volume} */
    long unflushedBytes() throws IOException {
        alive.readLock().lock();
        try {
            requireOpen();
            long bytes = 0;
            for (ColumnFamilyHandle family : List.of(marks, metadata, content, schedule)) {
                bytes += rocks.getLongProperty(family, "rocksdb.cur-size-all-mem-tables");
            }
            return bytes;
        } catch (RocksDBException e) {
            throw failed("looking at", e);
        } finally {
            alive.readLock().unlock();
        }
    }

    /**
     * What RocksDB counted since it was opened.
     *
     * @param logBytes bytes appended to the log
     * @param logSyncs data syncs of the log
     * @param queueBytes bytes written by flushes and compactions
     * @param queueWrites write calls for them
     * @param queueReads read calls on tables and blob files
     * @param flushes memtables flushed
     */
    record Counts(
            long logBytes,
            long logSyncs,
            long queueBytes,
            long queueWrites,
            long queueReads,
            long flushes) {}

    /** {@return the counts} Also the last ones, after it was closed. */
    Counts counts() {
        alive.readLock().lock();
        try {
            return closed ? countsAtClose : readCounts();
        } finally {
            alive.readLock().unlock();
        }
    }

    @Override
    public void close() {
        alive.writeLock().lock();
        try {
            if (!closed) {
                countsAtClose = readCounts();
                closed = true;
                for (ColumnFamilyHandle family : List.of(marks, metadata, content, schedule)) {
                    owned.remove(family);
                    family.close();
                }
                rocks.close();
                owned.reversed().forEach(RocksObject::close);
            }
        } finally {
            alive.writeLock().unlock();
        }
    }

    private Counts readCounts() {
        return new Counts(
                statistics.getTickerCount(TickerType.WAL_FILE_BYTES),
                statistics.getTickerCount(TickerType.WAL_FILE_SYNCED),
                statistics.getTickerCount(TickerType.FLUSH_WRITE_BYTES)
                        + statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES),
                calls(HistogramType.SST_WRITE_MICROS)
                        + calls(HistogramType.BLOB_DB_BLOB_FILE_WRITE_MICROS),
                calls(HistogramType.SST_READ_MICROS)
                        + calls(HistogramType.BLOB_DB_BLOB_FILE_READ_MICROS),
                calls(HistogramType.FLUSH_TIME));
    }

    private long calls(HistogramType type) {
        return statistics.getHistogramData(type).getCount();
    }

    private void put(ColumnFamilyHandle family, byte[] key, byte[] value) throws IOException {
        try {
            staged.put(family, key, value);
        } catch (RocksDBException e) {
            throw failed("staging for", e);
        }
    }

    private void delete(ColumnFamilyHandle family, byte[] key) throws IOException {
        try {
            staged.delete(family, key);
        } catch (RocksDBException e) {
            throw failed("staging for", e);
        }
    }

    private static IOException failed(String what, RocksDBException e) {
        return new IOException(what + " the queue database: " + e.getMessage(), e);
    }

    private byte @Nullable [] get(ColumnFamilyHandle family, byte[] key) throws IOException {
        alive.readLock().lock();
        try {
            requireOpen();
            return rocks.get(family, key);
        } catch (RocksDBException e) {
            throw failed("reading", e);
        } finally {
            alive.readLock().unlock();
        }
    }

    private interface RowsVisitor {
        boolean visit(RocksIterator rows) throws IOException;
    }

    private boolean scan(ColumnFamilyHandle family, byte[] from, RowsVisitor visitor)
            throws IOException {
        alive.readLock().lock();
        try {
            requireOpen();
            try (RocksIterator rows = rocks.newIterator(family)) {
                for (rows.seek(from); rows.isValid(); rows.next()) {
                    if (!visitor.visit(rows)) {
                        return false;
                    }
                }
                rows.status();
                return true;
            }
        } catch (RocksDBException e) {
            throw failed("reading", e);
        } finally {
            alive.readLock().unlock();
        }
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("the queue is closed");
        }
    }

    private static byte[] idKey(long id) {
        return ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    }

    private static byte[] partKeyBytes(long id, int part) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(id)
                .putInt(part)
                .array();
    }

    private static byte[] scheduleKey(ScheduleKey key) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(key.dueMillis() ^ SIGN)
                .putLong(key.id())
                .array();
    }

    private static byte[] incompleteKey(long id) {
        return ByteBuffer.allocate(1 + Long.BYTES).put(INCOMPLETE).putLong(id).array();
    }

    private <T extends RocksObject> T own(T object) {
        owned.add(object);
        return object;
    }
}
