package org.hubmark.bench.mail.meter;

import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Pace;

import java.time.Duration;

/**
 * Sees that a server has stopped answering. A load of a number of messages ends by its answers alone, and
 * would wait for ever. One thread.
 */
final class Silence {
    /** For which a client waits for the answer to the content, the longest of RFC 5321, section 4.5.3.2. */
    private static final Duration MAX = Duration.ofMinutes(10);

    private final boolean isPaced;
    private long answered = -1;
    private long sinceNanos;

    Silence(Pace pace) {
        this.isPaced = pace instanceof Pace.OpenLoop;
    }

    /** {@return whether nothing more is to be expected} */
    boolean isOver(LoadSnapshot load, long nanos) {
        long ended = load.accepted() + load.refused() + load.failed();
        boolean isIdle = isPaced && load.sent() == ended && load.overdue() == 0;
        if (ended != answered || isIdle) {
            answered = ended;
            sinceNanos = nanos;
        }
        return nanos - sinceNanos >= MAX.toNanos();
    }
}
