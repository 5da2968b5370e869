package org.rocksdb;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Changes to the database in memory. */
@SuppressWarnings("NonApiType") // As the database has them.
public final class WriteBatch extends RocksObject {
    private final List<Change> changes = new ArrayList<>();

    private static final class Change {
        private final int family;
        private final byte[] key;
        private final byte[] value;

        private Change(int family, byte[] key, byte[] value) {
            this.family = family;
            this.key = key;
            this.value = value;
        }
    }

    public WriteBatch() {
        super(0);
    }

    public int count() {
        return changes.size();
    }

    public void put(ColumnFamilyHandle family, byte[] key, byte[] value) throws RocksDBException {
        changes.add(new Change(family.number(), key.clone(), value.clone()));
    }

    public void delete(ColumnFamilyHandle family, byte[] key) throws RocksDBException {
        changes.add(new Change(family.number(), key.clone(), null));
    }

    public void clear() {
        changes.clear();
    }

    public long getDataSize() {
        return 64L * changes.size();
    }

    void applyTo(List<TreeMap<byte[], byte[]>> rows) {
        for (Change change : changes) {
            TreeMap<byte[], byte[]> family = rows.get(change.family);
            if (change.value == null) {
                family.remove(change.key);
            } else {
                family.put(change.key, change.value);
            }
        }
    }

    @Override
    protected void disposeInternal(long handle) {}
}
