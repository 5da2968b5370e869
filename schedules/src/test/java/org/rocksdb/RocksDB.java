package org.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A database in memory in place of RocksDB, whose native code no scheduler of Java threads sees. It has what
 * the queue database calls: what is flushed is on the files, all families at one moment, and is there when
 * the folder is opened again; the rest is gone. A use after its end, which would be one of memory that was
 * freed, fails. It is not locked: the scheduler lets one thread go on at a time.
 */
@SuppressWarnings({"NonApiType", "MutablePublicArray"}) // As the class that it stands for.
public final class RocksDB extends RocksObject {
    public static final byte[] DEFAULT_COLUMN_FAMILY = {'d', 'e', 'f', 'a', 'u', 'l', 't'};

    private static final Map<String, List<TreeMap<byte[], byte[]>>> FILES = new HashMap<>();

    private static final Map<String, List<byte[]>> NAMES = new HashMap<>();

    private final IdentityHashMap<Snapshot, List<TreeMap<byte[], byte[]>>> snapshots =
            new IdentityHashMap<>();
    private final String folder;
    private final List<TreeMap<byte[], byte[]>> rows;
    private boolean closed;

    private RocksDB(String folder, List<TreeMap<byte[], byte[]>> rows) {
        super(0);
        this.folder = folder;
        this.rows = rows;
    }

    public static void loadLibrary() {}

    /** Deletes the files of all databases. */
    public static void deleteAll() {
        FILES.clear();
        NAMES.clear();
    }

    public static RocksDB open(
            DBOptions options,
            String folder,
            List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles)
            throws RocksDBException {
        List<TreeMap<byte[], byte[]>> files = FILES.get(folder);
        if (files == null) {
            files = new ArrayList<>();
            for (int i = 0; i < families.size(); i++) {
                files.add(new TreeMap<>(Arrays::compareUnsigned));
            }
            FILES.put(folder, files);
            NAMES.put(
                    folder,
                    families.stream().map(ColumnFamilyDescriptor::getName).toList());
            try {
                Files.createFile(Path.of(folder, "CURRENT"));
            } catch (IOException e) {
                throw new RocksDBException(String.valueOf(e.getMessage()));
            }
        }
        for (int i = 0; i < families.size(); i++) {
            handles.add(new ColumnFamilyHandle(i));
        }
        return new RocksDB(folder, copy(files));
    }

    public static List<byte[]> listColumnFamilies(Options options, String folder) {
        return NAMES.get(folder);
    }

    public static RocksDB openReadOnly(
            DBOptions options,
            String folder,
            List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles)
            throws RocksDBException {
        return open(options, folder, families, handles);
    }

    public byte[] get(ColumnFamilyHandle family, byte[] key) throws RocksDBException {
        return open().get(family.number()).get(key);
    }

    public byte[] get(ColumnFamilyHandle family, ReadOptions options, byte[] key)
            throws RocksDBException {
        if (options.snapshot() != null) {
            return snapshots.get(options.snapshot()).get(family.number()).get(key);
        }
        return options.ofFiles() ? files().get(family.number()).get(key) : get(family, key);
    }

    public void put(ColumnFamilyHandle family, WriteOptions options, byte[] key, byte[] value)
            throws RocksDBException {
        open().get(family.number()).put(key.clone(), value.clone());
    }

    public void write(WriteOptions options, WriteBatch batch) throws RocksDBException {
        batch.applyTo(open());
    }

    public void flush(FlushOptions options, List<ColumnFamilyHandle> families)
            throws RocksDBException {
        FILES.put(folder, copy(open()));
    }

    public long getLongProperty(ColumnFamilyHandle family, String name) throws RocksDBException {
        open();
        return 0;
    }

    public RocksIterator newIterator(ColumnFamilyHandle family, ReadOptions options) {
        List<TreeMap<byte[], byte[]>> moment =
                options.snapshot() == null ? open() : snapshots.get(options.snapshot());
        return new RocksIterator(moment.get(family.number()), options.upperBound());
    }

    public Snapshot getSnapshot() {
        Snapshot moment = new Snapshot(1);
        snapshots.put(moment, copy(open()));
        return moment;
    }

    public void releaseSnapshot(Snapshot moment) {
        snapshots.remove(moment);
    }

    public void cancelAllBackgroundWork(boolean wait) {
        open();
    }

    public void compactRange(
            ColumnFamilyHandle family, byte[] begin, byte[] end, CompactRangeOptions options)
            throws RocksDBException {
        open();
    }

    @Override
    protected void disposeInternal(long handle) {
        closed = true;
    }

    private List<TreeMap<byte[], byte[]>> files() {
        return FILES.getOrDefault(folder, open());
    }

    private List<TreeMap<byte[], byte[]>> open() {
        if (closed) {
            throw new IllegalStateException("the database was used after its memory was freed");
        }
        return rows;
    }

    private static List<TreeMap<byte[], byte[]>> copy(List<TreeMap<byte[], byte[]>> rows) {
        List<TreeMap<byte[], byte[]>> copy = new ArrayList<>();
        for (TreeMap<byte[], byte[]> family : rows) {
            copy.add(new TreeMap<>(family));
        }
        return copy;
    }
}
