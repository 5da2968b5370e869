package org.hubmark.queue;

import java.util.concurrent.atomic.LongAdder;

/** What the intake log has done since it was opened. Any thread. */
final class LogCounters {
    final LongAdder groups = new LongAdder();
    final LongAdder records = new LongAdder();
    /** Write calls, of segment headers and preallocation too. */
    final LongAdder writes = new LongAdder();

    final LongAdder bytesWritten = new LongAdder();
    /** Data syncs of groups and segment headers; the one in a new file's life is not counted. */
    final LongAdder syncs = new LongAdder();
    /** Time in writes and syncs of groups and segment headers. */
    final LongAdder writeNanos = new LongAdder();

    final LongAdder reads = new LongAdder();
    final LongAdder bytesRead = new LongAdder();
    /** Bytes of zeros written ahead; in {@link #bytesWritten} too. */
    final LongAdder preallocatedBytes = new LongAdder();
}
