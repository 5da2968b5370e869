package org.rocksdb;

import java.util.Map;
import java.util.TreeMap;

/** Goes through a column family of the database in memory, as it was when this was made. */
@SuppressWarnings("NonApiType") // It needs the order of the keys.
public final class RocksIterator extends RocksObject {
    private final TreeMap<byte[], byte[]> rows;
    private Map.Entry<byte[], byte[]> row;

    RocksIterator(TreeMap<byte[], byte[]> rows, byte[] upperBound) {
        super(0);
        this.rows = new TreeMap<>(upperBound == null ? rows : rows.headMap(upperBound));
    }

    public void seek(byte[] key) {
        row = rows.ceilingEntry(key);
    }

    public boolean isValid() {
        return row != null;
    }

    public void next() {
        row = rows.higherEntry(row.getKey());
    }

    public byte[] key() {
        return row.getKey();
    }

    public byte[] value() {
        return row.getValue();
    }

    public void status() throws RocksDBException {}

    @Override
    protected void disposeInternal(long handle) {}
}
