package org.hubmark.bench.qualify.result;

import java.util.Locale;

/** A class of storage, with the percentiles of latency that it has to keep. */
public enum StorageClass {
    /** Our own, an eighth of the ladder below; the log as below. */
    NVME("read.p95=1ms,read.p99=2ms,read.p99.9=8ms,log.p99=10ms"),
    /**
     * ACT, by which flash is certified: 5 % of reads may take more than 1 ms, 1 % more than 8 ms, 0.1 % more
     * than 64 ms. And what etcd asks of the syncs of a log.
     */
    SSD("read.p95=1ms,read.p99=8ms,read.p99.9=64ms,log.p99=10ms"),
    /** The source's limits of a sample, as percentiles. */
    HDD("read.p99=100ms,log.p99=100ms");

    // A record of durations.
    @SuppressWarnings("ImmutableEnumChecker")
    private final PercentileLimits limits;

    StorageClass(String limits) {
        this.limits = PercentileLimits.parse(limits);
    }

    /** {@return what it has to keep} */
    public PercentileLimits limits() {
        return limits;
    }

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
