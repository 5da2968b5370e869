package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.FileOperations;

/**
 * One database as it is counted.
 *
 * @param name in results
 */
record Instance(String name, FileOperations operations) {
    static Instance of(DatabasePlace place) {
        return new Instance(place.instance(), new FileOperations());
    }
}
