package org.hubmark.bench.qualify.pages;

import java.util.Locale;

/** What the cache of the databases keeps. Whatever it does not keep is read from the device each time. */
public enum CacheMode {
    /** All pages. */
    ALL,
    /** The inner pages of the trees alone. */
    METADATA,
    /** Nothing. */
    OFF;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
