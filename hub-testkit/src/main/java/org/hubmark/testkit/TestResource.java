package org.hubmark.testkit;

/** What an extension gives to a test and ends after it: a hub or a queue. */
interface TestResource extends AutoCloseable {
    /** Keeps what is on disk when it is closed. */
    void keep();

    @Override
    void close();
}
