package org.hubmark.queue.log;

import java.util.concurrent.atomic.LongAdder;

/** Counters of the intake log since it was opened. Any thread. */
public final class LogCounters {
    public final LongAdder groups = new LongAdder();
    /** Write calls, of segment headers and preallocation too. */
    public final LongAdder writes = new LongAdder();

    public final LongAdder bytesWritten = new LongAdder();
    /** Data syncs of groups and segment headers; the one in a new file's life is not counted. */
    public final LongAdder syncs = new LongAdder();
    /** Time in writes and syncs of groups and segment headers. */
    public final LongAdder writeNanos = new LongAdder();

    public final LongAdder reads = new LongAdder();
    /** Bytes of zeros written ahead; in {@link #bytesWritten} too. */
    public final LongAdder preallocatedBytes = new LongAdder();
}
