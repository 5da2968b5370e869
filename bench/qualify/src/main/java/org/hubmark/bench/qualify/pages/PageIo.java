package org.hubmark.bench.qualify.pages;

/** Is told of each operation of a store on its files, and of the pages that transactions use. Any thread. */
public interface PageIo {
    /** Pages side by side were read. */
    void read(long nanos, long bytes);

    /** Pages side by side were written in their places. */
    void written(long nanos, long bytes);

    /** A file was made, or made longer, by zeros, in which pages or the log have their places. */
    void grown(long nanos, long bytes);

    /** A part of the log was written, and is durable. */
    void logWritten(long nanos, long bytes);

    /** A part of the log was read. */
    void logRead(long nanos, long bytes);

    /** A transaction has used a page that was there, and did not read it. */
    void found(long page, boolean isInner);

    /** A transaction has used a page that it had to read. */
    void missed(long page, boolean isInner);

    /** A transaction has made a page. */
    void made(long page, boolean isInner);

    /** Somebody has waited for room in the cache. */
    void stalled();
}
