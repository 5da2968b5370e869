package org.hubmark.queue.table;

import org.hubmark.core.StoreException;
import org.hubmark.queue.log.VolumeFullException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/**
 * RocksDB with the column families of the queue. A read lock keeps it and what was made for it alive
 * while a thread uses it. Any thread.
 */
final class NativeDatabase {
    private final ReentrantReadWriteLock alive = new ReentrantReadWriteLock();
    private final List<AbstractImmutableNativeReference> owned;
    private final RocksDB rocks;
    private final Families families;
    private final CompactRangeOptions compaction = new CompactRangeOptions()
            .setBottommostLevelCompaction(
                    CompactRangeOptions.BottommostLevelCompaction.kForceOptimized);
    private boolean closed;

    /** The column families; of states, a store of 0.1.0 that is only read has none. */
    record Families(
            ColumnFamilyHandle marks,
            ColumnFamilyHandle metadata,
            ColumnFamilyHandle content,
            ColumnFamilyHandle schedule,
            @Nullable ColumnFamilyHandle state) {
        List<ColumnFamilyHandle> all() {
            return Stream.of(marks, metadata, content, schedule, state)
                    .filter(Objects::nonNull)
                    .toList();
        }
    }

    /** How it is opened. */
    enum Mode {
        CREATE,
        WRITE,
        READ
    }

    /** Asks the database for something. */
    interface Call<T> {
        T on(RocksDB rocks) throws IOException, RocksDBException;
    }

    /** Does something to the database. */
    interface Step {
        void on(RocksDB rocks) throws IOException, RocksDBException;
    }

    /** Gets the rows of a scan; says whether to go on. */
    interface RowsVisitor {
        boolean visit(RocksIterator rows) throws IOException, RocksDBException;
    }

    /**
     * Opens it.
     *
     * @param owned native objects that are closed with it, the last first; if it can't be opened, at once
     * @throws StoreException if it is damaged
     * @throws VolumeFullException if there is no room for the files that each opening makes
     */
    NativeDatabase(
            String folder,
            Mode mode,
            DatabaseOptions options,
            List<AbstractImmutableNativeReference> owned)
            throws IOException {
        this.owned = owned;
        owned.add(compaction);
        boolean opened = false;
        try {
            DBOptions database = options.database()
                    .setCreateIfMissing(mode == Mode.CREATE)
                    .setCreateMissingColumnFamilies(mode == Mode.CREATE);
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            List<ColumnFamilyDescriptor> all = options.families();
            List<ColumnFamilyDescriptor> present =
                    mode == Mode.CREATE || hasStates(folder) ? all : all.subList(0, all.size() - 1);
            rocks = mode == Mode.READ
                    ? RocksDB.openReadOnly(database, folder, present, handles)
                    : RocksDB.open(database, folder, present, handles);
            owned.add(rocks);
            owned.addAll(handles);
            if (handles.size() < all.size() && mode == Mode.WRITE) {
                handles.add(rocks.createColumnFamily(all.getLast()));
                owned.add(handles.getLast());
            }
            families = new Families(
                    handles.get(0),
                    handles.get(1),
                    handles.get(2),
                    handles.get(3),
                    handles.size() < all.size() ? null : handles.getLast());
            opened = true;
        } catch (RocksDBException e) {
            if (VolumeFullException.isCause(failed("opening", e))) {
                throw new VolumeFullException("opening the queue database: " + e.getMessage(), e);
            }
            throw new StoreException(
                    "can't open the queue database " + folder + ": "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
                            + "; restore the queue volume from a copy",
                    e);
        } finally {
            if (!opened) {
                closeOwned();
            }
        }
    }

    private static boolean hasStates(String folder) throws RocksDBException {
        try (Options any = new Options()) {
            return RocksDB.listColumnFamilies(any, folder).stream()
                    .anyMatch(name -> Arrays.equals(name, DatabaseOptions.STATE));
        }
    }

    Families families() {
        return families;
    }

    /**
     * {@return what the database is asked for}
     *
     * @param doing what is done to it, for the message of a failure
     */
    <T> T ask(String doing, Call<T> call) throws IOException {
        alive.readLock().lock();
        try {
            if (closed) {
                throw new IOException("the queue is closed");
            }
            return call.on(rocks);
        } catch (RocksDBException e) {
            throw failed(doing, e);
        } finally {
            alive.readLock().unlock();
        }
    }

    /** Does something to the database; as {@link #ask}. */
    void run(String doing, Step step) throws IOException {
        ask(doing, it -> {
            step.on(it);
            return true;
        });
    }

    byte @Nullable [] get(ColumnFamilyHandle family, byte[] key) throws IOException {
        return ask("reading", it -> it.get(family, key));
    }

    long property(ColumnFamilyHandle family, String name) throws IOException {
        return ask("looking at", it -> it.getLongProperty(family, name));
    }

    boolean scan(ColumnFamilyHandle family, byte[] from, RowsVisitor visitor) throws IOException {
        try (ReadOptions all = new ReadOptions()) {
            return scan(family, all, from, visitor);
        }
    }

    /** Visits the rows from a key on until the visitor says false; true when it came to the end. */
    boolean scan(ColumnFamilyHandle family, ReadOptions options, byte[] from, RowsVisitor visitor)
            throws IOException {
        return ask("reading", it -> {
            try (RocksIterator rows = it.newIterator(family, options)) {
                for (rows.seek(from); rows.isValid(); rows.next()) {
                    if (!visitor.visit(rows)) {
                        return false;
                    }
                }
                rows.status();
                return true;
            }
        });
    }

    /** Visits the rows of messages with their states, of one moment, from a key on; otherwise as {@link #scan}. */
    boolean scanBoth(
            ColumnFamilyHandle metadata,
            @Nullable ColumnFamilyHandle states,
            byte[] from,
            QueueDatabase.SomeRowsVisitor visitor)
            throws IOException {
        return ask("reading", it -> {
            Snapshot moment = it.getSnapshot();
            try (ReadOptions options = new ReadOptions().setSnapshot(moment)) {
                return scan(metadata, options, from, rows -> {
                    byte[] key = rows.key();
                    byte[] row = rows.value();
                    byte[] state = states == null ? null : it.get(states, options, key);
                    long id = ByteBuffer.wrap(key).getLong();
                    return visitor.visit(id, () -> MessageRow.decode(id, row, state));
                });
            } finally {
                it.releaseSnapshot(moment);
            }
        });
    }

    /**
     * Rewrites the tables without what was deleted; false if that was cancelled. RocksDB does so by itself
     * while it is being written to; when a backlog has left nothing more is written, and its files would stay.
     */
    boolean compact() throws IOException {
        return ask("compacting", it -> {
            try {
                for (ColumnFamilyHandle family : families.all()) {
                    it.compactRange(family, null, null, compaction);
                }
                return true;
            } catch (RocksDBException e) {
                if (compaction.canceled()) {
                    return false;
                }
                throw e;
            }
        });
    }

    /** Ends a rewriting soon, and lets none begin. */
    void cancelCompaction() {
        unlessClosed(() -> compaction.setCanceled(true));
    }

    /** Has it give up its flushes and merges. */
    void leave() {
        unlessClosed(() -> rocks.cancelAllBackgroundWork(false));
    }

    /** Does not wait: what is being closed gives up by itself. */
    private void unlessClosed(Runnable step) {
        if (alive.readLock().tryLock()) {
            try {
                if (!closed) {
                    step.run();
                }
            } finally {
                alive.readLock().unlock();
            }
        }
    }

    /** Closes it when no thread uses it any more, after its readers. */
    void close(Closeable readers) throws IOException {
        alive.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                try {
                    readers.close();
                } finally {
                    closeOwned();
                }
            }
        } finally {
            alive.writeLock().unlock();
        }
    }

    private void closeOwned() {
        owned.reversed().forEach(AbstractImmutableNativeReference::close);
    }

    static IOException failed(String doing, RocksDBException e) {
        String message = doing + " the queue database: " + e.getMessage();
        Status status = e.getStatus();
        // Of this alone it recovers by itself: it tries again every five seconds. A write that
        // would
        // have to wait for a merge is incomplete.
        return status != null
                        && (status.getSubCode() == Status.SubCode.NoSpace
                                || status.getCode() == Status.Code.Incomplete)
                ? new VolumeFullException(message, e)
                : new IOException(message, e);
    }
}
