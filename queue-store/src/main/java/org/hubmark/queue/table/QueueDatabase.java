package org.hubmark.queue.table;

import org.hubmark.core.PrivateFiles;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.log.VolumeFullException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * The queue database: where messages are that have outlived the intake log. It has no write-ahead log,
 * because the intake log is its log: what is written here is durable after {@link #flush}, all column
 * families at one moment, and the log is kept until then. With {@link NativeDatabase}, {@link
 * DatabaseOptions} and {@link QueueBatch} it is all that knows RocksDB.
 *
 * <p>Column families: metadata (id to {@link MessageRow}), state (id to the {@link MessageState} that the
 * message has now, if it has changed since its row was written: a deferral does not write the envelope
 * again), content (id and extent number to the
 * extent's {@link ContentPlace}), schedule (due time and id to nothing; the living messages in the
 * order in which they are due) and default: the {@link Totals} of the messages here, from which
 * generation on the log is needed, which generation is being moved here, the number of the
 * checkpoint, how much of each of the {@link ContentFiles} is durable, and a mark for each message that
 * has extents here but no row. Keys are big-endian, so that they sort as numbers.
 *
 * <p>Any thread.
 */
public final class QueueDatabase implements AutoCloseable {
    /** Folder of the database on the queue volume. */
    public static final String FOLDER = "database";

    private static final Set<QueueDatabase> OPEN = ConcurrentHashMap.newKeySet();

    private static final long FLUSH_POLL_NANOS = 1_000_000;
    private static final byte[] NOTHING = {};

    private final List<AbstractImmutableNativeReference> owned = new ArrayList<>();
    private final Statistics statistics = own(new Statistics());
    private final WriteOptions unlogged = own(new WriteOptions().setDisableWAL(true));
    /** For a write that would wait for a merge: where that has no room it would wait for ever. */
    private final WriteOptions unloggedAtOnce =
            own(new WriteOptions().setDisableWAL(true).setNoSlowdown(true));

    private final FlushOptions waiting = own(new FlushOptions().setWaitForFlush(true));
    private final FlushOptions background = own(new FlushOptions().setWaitForFlush(false));
    private final ReadOptions filesOnly =
            own(new ReadOptions().setReadTier(ReadTier.PERSISTED_TIER));
    private final NativeDatabase tables;
    private final NativeDatabase.Families families;
    private final ContentFiles content;
    private final @Nullable DatabaseFiles files;
    private volatile long durableCheckpoint;
    private volatile boolean left;
    private volatile DatabaseCounts countsAtClose = DatabaseCounts.NONE;

    private QueueDatabase(
            Path queueVolume,
            Volume contentVolume,
            NativeDatabase.Mode mode,
            boolean direct,
            @Nullable DatabaseFiles files)
            throws IOException {
        this.files = files;
        RocksDB.loadLibrary();
        statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
        tables = new NativeDatabase(
                queueVolume.resolve(FOLDER).toString(),
                mode,
                new DatabaseOptions(owned, direct, statistics, files),
                owned);
        families = tables.families();
        boolean opened = false;
        try {
            content = ContentFiles.open(contentVolume, contentFiles());
            opened = true;
        } finally {
            if (!opened) {
                tables.close(() -> {});
            }
        }
    }

    /** Makes an empty one, of a new store. */
    public static void create(Path queueVolume, boolean direct) throws IOException {
        // The database's own files follow the umask; nobody else gets to them through this folder.
        PrivateFiles.createFolders(queueVolume.resolve(FOLDER));
        Volume content = ContentFiles.folder(queueVolume, direct);
        new QueueDatabase(queueVolume, content, NativeDatabase.Mode.CREATE, direct, null).close();
    }

    /**
     * Opens it for writing.
     *
     * @param direct whether it is written past the page cache
     * @param files where they are not simply those of a folder, or null
     * @throws StoreException if it isn't there, or is damaged
     */
    public static QueueDatabase open(
            Path queueVolume, boolean direct, @Nullable DatabaseFiles files) throws IOException {
        requirePresent(queueVolume);
        if (files != null) {
            files.beginOpen();
        }
        Volume content = files == null ? ContentFiles.folder(queueVolume, direct) : files.content();
        QueueDatabase database =
                new QueueDatabase(queueVolume, content, NativeDatabase.Mode.WRITE, direct, files);
        if (files != null) {
            files.opened();
        }
        database.durableCheckpoint = database.number(DatabaseKeys.CHECKPOINT);
        OPEN.add(database);
        return database;
    }

    /** Opens it as it was last flushed, also beside a process that writes to it. */
    public static QueueDatabase openForReading(Path queueVolume, Volume content)
            throws IOException {
        requirePresent(queueVolume);
        QueueDatabase database =
                new QueueDatabase(queueVolume, content, NativeDatabase.Mode.READ, false, null);
        database.durableCheckpoint = database.number(DatabaseKeys.CHECKPOINT);
        return database;
    }

    /** A store's database is there, so one that is not was lost: an empty one would be a hole. */
    private static void requirePresent(Path queueVolume) throws StoreException {
        Path current = queueVolume.resolve(FOLDER).resolve("CURRENT");
        if (!Files.exists(current)) {
            throw new StoreException("the queue database " + queueVolume.resolve(FOLDER)
                    + " has lost its file CURRENT, or was emptied; restore the queue volume from a"
                    + " copy");
        }
    }

    /** {@return an empty batch} The caller closes it, before this. */
    public QueueBatch newBatch() {
        return new QueueBatch(families);
    }

    /**
     * Makes the changes visible, and empties the batch.
     *
     * @throws VolumeFullException if there is no room; then nothing was done
     */
    public void write(QueueBatch batch) throws IOException {
        tables.run("writing", rocks -> {
            if (files != null) {
                files.beginOperation();
            }
            rocks.write(hasErrors(rocks) ? unloggedAtOnce : unlogged, batch.batch());
            if (files != null && files.fillsMemtable(batch.bytes())) {
                rocks.flush(background, families.all());
            }
        });
        batch.clear();
    }

    /**
     * Makes everything written so far durable, and so the next checkpoint: what the log is relieved
     * of from here on is said to be in it.
     *
     * <p>That RocksDB's flush has returned proves nothing: beside another flush that has begun in the
     * background it may be early, since it waits for the memtables of one column family by the
     * numbers of another's (rocksdbjni 11.8.1). So the number of the checkpoint is read back from the
     * files: it was written last, and all families become durable at one moment.
     */
    public synchronized void flush() throws IOException {
        tables.run("flushing", this::nextCheckpoint);
    }

    private void nextCheckpoint(RocksDB rocks) throws IOException, RocksDBException {
        if (files != null) {
            files.beginOperation();
        }
        long next = durableCheckpoint + 1;
        rocks.put(families.marks(), unlogged, DatabaseKeys.CHECKPOINT, DatabaseKeys.id(next));
        rocks.flush(waiting, families.all());
        while (flushedCheckpoint(rocks) != next) {
            requireSound();
            LockSupport.parkNanos(FLUSH_POLL_NANOS);
            rocks.flush(waiting, families.all());
        }
        durableCheckpoint = next;
    }

    private long flushedCheckpoint(RocksDB rocks) throws RocksDBException {
        byte[] row = rocks.get(families.marks(), filesOnly, DatabaseKeys.CHECKPOINT);
        return row == null ? 0 : ByteBuffer.wrap(row).getLong();
    }

    /**
     * Fails if a flush or a compaction has failed in the background: nothing written since the last
     * flush will become durable. Nobody waits for those, so it has to be asked for. It is counted
     * here and not listened for: the listener in Java does not know all reasons, and of those without
     * a write-ahead log its callback hangs (rocksdbjni 11.8.1).
     *
     * @throws VolumeFullException if that was for want of room, of which it recovers when there is some;
     *     until then it takes no writes
     */
    public void requireSound() throws IOException {
        tables.run("writing", rocks -> {
            if (hasErrors(rocks)) {
                // Of what it has recovered from, or a compaction alone was stopped by, it takes
                // writes.
                try (WriteBatch nothing = new WriteBatch()) {
                    rocks.write(unlogged, nothing);
                }
            }
        });
    }

    private boolean hasErrors(RocksDB rocks) throws RocksDBException {
        return rocks.getLongProperty(families.marks(), "rocksdb.background-errors") > 0;
    }

    /**
     * {@return whether a further write of content might have to wait for a flush}
     *
     * @throws IOException if it would wait for ever, since a flush has failed; as {@link #requireSound}
     */
    public boolean isBusy() throws IOException {
        requireSound();
        return tables.property(families.content(), "rocksdb.num-immutable-mem-table") > 0
                || tables.property(families.metadata(), "rocksdb.is-write-stopped") > 0;
    }

    /** {@return the newest checkpoint that is durable; 0 before the first} Any thread, cheap. */
    public long checkpoint() {
        return durableCheckpoint;
    }

    /** {@return the oldest generation of the log that is needed, or 0 before the first checkpoint} */
    public long replayFrom() throws IOException {
        return number(DatabaseKeys.REPLAY_FROM);
    }

    /** {@return the generation of the log whose messages may be here too, or 0} */
    long moving() throws IOException {
        return number(DatabaseKeys.MOVING);
    }

    /** {@return of the rows here, as last written} */
    public Totals totals() throws IOException {
        byte[] row = tables.get(families.marks(), DatabaseKeys.TOTALS);
        return row == null ? Totals.EMPTY : Totals.decode(row);
    }

    /** A row as it lies here, which may be damaged. */
    public interface EncodedRow {
        /** {@return what it says, in the state that the message has now} */
        MessageRow decode() throws StoreException;
    }

    /** {@return a row as it lies here, or null when it is not here} */
    public @Nullable EncodedRow encodedRow(long id) throws IOException {
        byte[] key = DatabaseKeys.id(id);
        // The state first: whatever changes in between, both were so at the moment of this reading.
        ColumnFamilyHandle states = families.state();
        byte[] state = states == null ? null : tables.get(states, key);
        byte[] row = tables.get(families.metadata(), key);
        return row == null ? null : () -> MessageRow.decode(id, row, state);
    }

    /** {@return a row, or null when it is not here} */
    public @Nullable MessageRow row(long id) throws IOException {
        EncodedRow row = encodedRow(id);
        return row == null ? null : row.decode();
    }

    /** {@return where an extent lies, or null when it isn't here} */
    public @Nullable ContentPlace place(long id, int extent) throws IOException {
        byte[] place = tables.get(families.content(), DatabaseKeys.extent(id, extent));
        return place == null ? null : ContentPlace.decode(place);
    }

    /**
     * An extent of a content.
     *
     * @param extent its length and checksum
     * @param octets verified against that
     */
    public record StoredExtent(ContentExtent extent, ByteBuffer octets) {}

    /** {@return an extent as it was written, or null when it isn't here} */
    public @Nullable StoredExtent extent(long id, int extent) throws IOException {
        ContentPlace place = place(id, extent);
        while (place != null) {
            try {
                return new StoredExtent(place.extent(), ByteBuffer.wrap(content.read(place)));
            } catch (IOException e) {
                ContentPlace now = place(id, extent);
                if (place.equals(now)) {
                    throw e;
                }
                // It was copied to another file meanwhile, or has left.
                place = now;
            }
        }
        return null;
    }

    /** {@return how many parts there are of a content; they were written in order} */
    int extentCount(long id) throws IOException {
        int[] count = {0};
        tables.scan(families.content(), DatabaseKeys.extent(id, 0), rows -> {
            if (ByteBuffer.wrap(rows.key()).getLong() != id) {
                return false;
            }
            count[0]++;
            return true;
        });
        return count[0];
    }

    /** {@return whether a message stands there in the schedule} */
    public boolean hasSchedule(ScheduleKey key) throws IOException {
        return tables.get(families.schedule(), key.encode()) != null;
    }

    /** Gets a place in the schedule; says whether to go on. */
    public interface ScheduleVisitor {
        boolean visit(ScheduleKey key) throws IOException;
    }

    /**
     * Visits the schedule behind a key and before another one until the visitor says false; true when
     * it came to the end.
     */
    public boolean scanSchedule(ScheduleKey after, ScheduleKey end, ScheduleVisitor visitor)
            throws IOException {
        // What was deleted behind the end is not passed over.
        try (Slice before = new Slice(end.encode());
                ReadOptions bounded = new ReadOptions().setIterateUpperBound(before)) {
            return tables.scan(families.schedule(), bounded, after.encode(), rows -> {
                ScheduleKey found = ScheduleKey.decode(rows.key());
                return found.equals(after) || visitor.visit(found);
            });
        }
    }

    /** Gets a message; says whether to go on. */
    public interface SomeRowsVisitor {
        boolean visit(long id, EncodedRow row) throws IOException;
    }

    /** Visits the messages from an id on until the visitor says false; true when it came to the end. */
    public boolean scanRows(long from, SomeRowsVisitor visitor) throws IOException {
        return tables.scanBoth(
                families.metadata(), families.state(), DatabaseKeys.id(from), visitor);
    }

    /** Gets an extent of a content; says whether to go on. */
    public interface PlaceVisitor {
        boolean visit(long id, int extent, ContentPlace place) throws IOException;
    }

    /** Visits the place of every extent, in the order of ids and extents. */
    public void scanPlaces(PlaceVisitor visitor) throws IOException {
        tables.scan(families.content(), NOTHING, rows -> {
            ByteBuffer key = ByteBuffer.wrap(rows.key());
            return visitor.visit(key.getLong(), key.getInt(), ContentPlace.decode(rows.value()));
        });
    }

    /** {@return how much of each content file is durable, by its number} */
    private Map<Long, Long> contentFiles() throws IOException {
        Map<Long, Long> durableBytes = new TreeMap<>();
        scanMarks(
                DatabaseKeys.CONTENT_FILE,
                (number, value) ->
                        durableBytes.put(number, ByteBuffer.wrap(value).getLong()));
        return durableBytes;
    }

    private void scanMarks(byte kind, BiConsumer<Long, byte[]> visitor) throws IOException {
        tables.scan(families.marks(), new byte[] {kind}, rows -> {
            byte[] key = rows.key();
            if (key[0] != kind) {
                return false;
            }
            visitor.accept(ByteBuffer.wrap(key, 1, Long.BYTES).getLong(), rows.value());
            return true;
        });
    }

    /** {@return the files with the contents} */
    public ContentFiles content() {
        return content;
    }

    /** {@return the ids whose extents are stored but whose end hasn't come} */
    public List<Long> incomplete() throws IOException {
        List<Long> ids = new ArrayList<>();
        scanMarks(DatabaseKeys.INCOMPLETE, (id, value) -> ids.add(id));
        return ids;
    }

    /** {@return bytes that were written but not flushed to the queue volume} */
    public long unflushedBytes() throws IOException {
        return sum("rocksdb.cur-size-all-mem-tables");
    }

    /** {@return bytes of the database's files} */
    public long tableBytes() throws IOException {
        return sum("rocksdb.live-sst-files-size");
    }

    private long sum(String property) throws IOException {
        long bytes = 0;
        for (ColumnFamilyHandle family : families.all()) {
            bytes += tables.property(family, property);
        }
        return bytes;
    }

    /** Rewrites its tables without what was deleted; false if it was cancelled. */
    public boolean compact() throws IOException {
        return tables.compact();
    }

    /** Lets no compaction go on or begin. */
    public void cancelCompaction() {
        tables.cancelCompaction();
    }

    /** {@return the counts} Also the last ones, after it was closed. */
    public DatabaseCounts counts() {
        try {
            return tables.ask("counting", rocks -> DatabaseCounts.of(statistics, content));
        } catch (IOException closed) {
            return countsAtClose;
        }
    }

    /**
     * Has all that this process has open for writing give up what RocksDB does in the background. Nothing
     * becomes durable in them any more, so it is for the end of the process alone.
     */
    public static void leaveAll() {
        OPEN.forEach(QueueDatabase::leave);
    }

    /** Does the same to this one. */
    void leave() {
        left = true;
        tables.cancelCompaction();
        tables.leave();
    }

    /** {@return whether it was told to give up, so that what fails from then on says nothing of the volume} */
    public boolean isLeft() {
        return left;
    }

    @Override
    public void close() throws IOException {
        OPEN.remove(this);
        tables.cancelCompaction();
        tables.close(() -> {
            countsAtClose = DatabaseCounts.of(statistics, content);
            content.close();
        });
    }

    private long number(byte[] key) throws IOException {
        byte[] row = tables.get(families.marks(), key);
        return row == null ? 0 : ByteBuffer.wrap(row).getLong();
    }

    private <T extends AbstractImmutableNativeReference> T own(T object) {
        owned.add(object);
        return object;
    }
}
