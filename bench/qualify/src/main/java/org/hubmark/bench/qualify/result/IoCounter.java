package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Formula;

import java.util.Locale;

/**
 * What is counted of one database, docs/qualify.md says where each is counted.
 * Times are nanoseconds, summed over the operations.
 */
public enum IoCounter {
    /** Reads of pages. */
    DB_READS,
    DB_READ_NS,
    DB_READ_BYTES,
    /** Pages that a transaction found in the cache, so that it did not read them. */
    CACHE_HITS,
    /** Writes of pages. */
    DB_WRITES,
    DB_WRITE_NS,
    DB_WRITE_BYTES,
    /** Reads of the log by the engine itself, which recovery does. */
    LOG_READS,
    LOG_READ_NS,
    LOG_READ_BYTES,
    /** Durable writes of the log. */
    LOG_WRITES,
    LOG_WRITE_NS,
    LOG_WRITE_BYTES,
    /** Reads of background maintenance. */
    MAINTENANCE_READS,
    MAINTENANCE_READ_NS,
    MAINTENANCE_READ_BYTES,
    /** Reads of the log for other copies of the database. */
    REPLICATION_READS,
    REPLICATION_READ_NS,
    REPLICATION_READ_BYTES,
    /** Transactions that were committed. */
    TRANSACTIONS,
    /** Waits for room in the cache of pages, since none could be let go before others were written. */
    STALLS,
    /** Transactions that failed. */
    ERRORS,
    /** Pages whose checksum was wrong. */
    BAD_BLOCKS;

    // A record of a string.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Formula.Counter counter = new Formula.Counter(name().toLowerCase(Locale.ROOT));

    /** {@return it as figures are made of it} */
    public Formula.Counter counter() {
        return counter;
    }

    /** {@return the counter of the times of these operations, such as DB_READ_NS of DB_READS} */
    public IoCounter nanos() {
        return beside("_NS");
    }

    /** {@return the counter of the bytes of these operations, such as DB_READ_BYTES of DB_READS} */
    public IoCounter bytes() {
        return beside("_BYTES");
    }

    private IoCounter beside(String end) {
        return valueOf(name().substring(0, name().length() - 1) + end);
    }
}
