package org.hubmark.bench.machine.kernel;

import org.jspecify.annotations.Nullable;

/**
 * What the kernel counts of a block device, by its line of /proc/diskstats (the kernel's
 * Documentation/admin-guide/iostats.rst).
 */
public enum DiskCounter {
    /** Completed. */
    READS("reads", 3),
    /** Sectors of 512 bytes, in bytes. */
    READ_BYTES("read_bytes", 5),
    /** Sum over all reads of the time each took, as all times in milliseconds. */
    READ_MS("read_ms", 6),
    /**
     * Completed, after merging. A flush that carries no content is one too, which a device with a volatile
     * write cache gets at the end of each sync.
     */
    WRITES("writes", 7),
    /** Sectors of 512 bytes, in bytes. */
    WRITTEN_BYTES("written_bytes", 9),
    /** Sum over all writes of the time each took. */
    WRITE_MS("write_ms", 10),
    /** Time in which anything was in flight. */
    BUSY_MS("busy_ms", 12),
    /**
     * Sum over all requests of the time in flight: over an interval, divided by it, the mean queue length.
     */
    WEIGHTED_MS("weighted_ms", 13),
    /**
     * Flushes of the caches of the disks below, of all of them together; unknown where nobody counts them, and
     * where none was ever counted.
     */
    FLUSHES("flushes", 18),
    /** Sum over all flushes of the time each took. */
    FLUSH_MS("flush_ms", 19);

    private static final int SECTOR_BYTES = 512;

    private final String key;
    private final int field;

    DiskCounter(String key, int field) {
        this.key = key;
        this.field = field;
    }

    /** {@return its key in documents} */
    public String key() {
        return key;
    }

    /** {@return whether it falls only where the device began to count anew: times wrap at 32 bits} */
    boolean onlyGrows() {
        return field <= WEIGHTED_MS.field && !key.endsWith("_ms");
    }

    /** {@return what the fields of a line say; null where they are too few} */
    @Nullable
    Long value(String[] fields) {
        if (field >= fields.length) {
            return null;
        }
        long value = Long.parseLong(fields[field]);
        return key.endsWith("_bytes") ? value * SECTOR_BYTES : value;
    }
}
