package org.hubmark.bench.qualify.pages;

import java.util.Locale;

/** What the cache of the databases keeps. Whatever it does not keep is read from the device each time. */
public enum CacheMode {
    /** Blocks of data, and the index and filter blocks of the tables. */
    ALL,
    /** Index and filter blocks alone. */
    METADATA,
    /** Nothing. */
    OFF;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
