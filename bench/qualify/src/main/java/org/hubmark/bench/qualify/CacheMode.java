package org.hubmark.bench.qualify;

/** What the cache of the databases keeps. */
public enum CacheMode {
    /** Rows and content. */
    ALL,
    /** Rows alone; content is read from the device each time. */
    METADATA,
    /** Nothing. */
    OFF
}
