package org.rocksdb;

/** A column family of the database in memory. */
public final class ColumnFamilyHandle extends RocksObject {
    private final int number;

    ColumnFamilyHandle(int number) {
        super(0);
        this.number = number;
    }

    int number() {
        return number;
    }

    @Override
    protected void disposeInternal(long handle) {}
}
