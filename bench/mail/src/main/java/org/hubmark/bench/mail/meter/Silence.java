package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Pace;

import java.time.Duration;

/**
 * Sees that a server has stopped answering. A load of a number of messages ends by its answers alone, and
 * would wait for ever. One thread.
 */
final class Silence {
    /** After it a user is told what is waited for. */
    static final Duration TOLD = Duration.ofSeconds(30);

    /** For which a client waits for the answer to the content, the longest of RFC 5321, section 4.5.3.2. */
    static final Duration MAX = Duration.ofMinutes(10);

    private final boolean isPaced;
    private final Progress progress;
    private long answered = -1;
    private long sinceNanos;
    private boolean isTold;

    Silence(Pace pace, Progress progress) {
        this.isPaced = pace instanceof Pace.OpenLoop;
        this.progress = progress;
    }

    /** {@return whether nothing more is to be expected} */
    boolean isOver(LoadSnapshot load, long nanos) {
        long ended = load.accepted() + load.refused() + load.failed();
        boolean isIdle = isPaced && load.sent() == ended && load.overdue() == 0;
        if (ended != answered || isIdle) {
            answered = ended;
            sinceNanos = nanos;
            isTold = false;
            return false;
        }
        long silentNanos = nanos - sinceNanos;
        boolean isOver = silentNanos >= MAX.toNanos();
        if (isOver || (!isTold && silentNanos >= TOLD.toNanos())) {
            isTold = true;
            progress.note("no answer for " + Duration.ofNanos(silentNanos).toSeconds() + " s"
                    + (isOver
                            ? ": the load gives up"
                            : "; the load waits for " + MAX.toMinutes()
                                    + " min before it gives up"));
        }
        return isOver;
    }
}
