package org.hubmark.bench.qualify;

import java.util.function.LongSupplier;

/**
 * One database as it is counted.
 *
 * @param name in results
 * @param stalls writes that it held back so far
 */
record Instance(String name, FileOperations operations, LongSupplier stalls) {
    static Instance of(MailboxDatabase database) {
        return new Instance(database.place().instance(), database.operations(), database::stalls);
    }

    /** One that takes no writes. */
    static Instance reading(DatabasePlace place, FileOperations operations) {
        return new Instance(place.instance(), operations, () -> 0);
    }
}
