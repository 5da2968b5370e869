package org.hubmark.queue.table;

import org.hubmark.core.Settings;

/**
 * Settings for reads and writes of the queue database.
 *
 * @param directFlush whether the queue volume is written past the page cache
 * @param readCacheBytes memory for blocks of its tables that were read; 0 for none
 */
public record DatabaseSettings(boolean directFlush, long readCacheBytes) {
    private static final long READ_CACHE_BYTES = 32L << 20;

    /** Through the page cache, with a read cache of the usual size. */
    public static final DatabaseSettings BUFFERED = new DatabaseSettings(false, READ_CACHE_BYTES);

    /** Reads the settings. */
    public static DatabaseSettings read(Settings settings) {
        return new DatabaseSettings(
                settings.flag(
                        "store.direct-flush",
                        true,
                        "Write to the queue volume past the page cache; needs O_DIRECT."),
                settings.bytes(
                        "store.read-cache",
                        READ_CACHE_BYTES,
                        "Memory for blocks read from the queue database's tables, which have the"
                                + " rows of mail in the backlog and not its content. 0B for none:"
                                + " every row is then read from the volume, and with"
                                + " store.direct-flush past the page cache."));
    }

    /** {@return whether tables are read past the page cache} */
    boolean directReads() {
        return directFlush && readCacheBytes == 0;
    }
}
