package org.rocksdb;

/** Options of a read of the database in memory. */
public final class ReadOptions extends RocksObject {
    private boolean files;
    private byte[] bound;
    private Snapshot moment;

    public ReadOptions() {
        super(0);
    }

    public ReadOptions setReadTier(ReadTier tier) {
        files = tier == ReadTier.PERSISTED_TIER;
        return this;
    }

    public ReadOptions setIterateUpperBound(AbstractSlice<?> slice) {
        bound = ((Slice) slice).octets();
        return this;
    }

    public ReadOptions setSnapshot(Snapshot snapshot) {
        moment = snapshot;
        return this;
    }

    Snapshot snapshot() {
        return moment;
    }

    boolean ofFiles() {
        return files;
    }

    byte[] upperBound() {
        return bound;
    }

    @Override
    protected void disposeInternal(long handle) {}
}
