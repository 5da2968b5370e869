package org.hubmark.bench.qualify.pages;

/** Is told of each operation of a store on its files, on the thread that did it. Any thread. */
public interface PageIo {
    /** Pages side by side were read. */
    void read(long nanos, long bytes);

    /** Pages side by side were written in their places. */
    void written(long nanos, long bytes);

    /** A part of the log was written, and is durable. */
    void logWritten(long nanos, long bytes);

    /** A part of the log was read. */
    void logRead(long nanos, long bytes);

    /** A page was there when it was asked for. */
    void hit();

    /** Somebody has waited for room in the cache. */
    void stalled();
}
