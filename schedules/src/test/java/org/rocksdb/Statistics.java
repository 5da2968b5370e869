package org.rocksdb;

/** Counts nothing. */
public final class Statistics extends RocksObject {
    public Statistics() {
        super(0);
    }

    public void setStatsLevel(StatsLevel level) {}

    public long getTickerCount(TickerType type) {
        return 0;
    }

    public HistogramData getHistogramData(HistogramType type) {
        return new HistogramData(0, 0, 0, 0, 0);
    }

    @Override
    protected void disposeInternal(long handle) {}
}
