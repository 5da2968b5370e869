package org.hubmark.testkit;

/** A hub or a queue that an extension gives to a test and ends after it. */
interface TestResource extends AutoCloseable {
    /** Keeps what is on disk when it is closed. */
    void keep();

    @Override
    void close();
}
