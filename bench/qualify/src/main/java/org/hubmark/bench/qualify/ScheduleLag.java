package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.FailoverFigures;

import java.time.Duration;

/** How far transactions that the clock begins are behind it, after more load has arrived. One thread. */
final class ScheduleLag {
    private long mostNanos;
    private long lastNanos;
    private long untilNanos;

    /**
     * Takes down how it is now.
     *
     * @param elapsed since the load arrived
     * @param nanos by which the next transaction that begins is late
     */
    void look(Duration elapsed, long nanos) {
        lastNanos = nanos;
        mostNanos = Math.max(mostNanos, nanos);
        if (nanos > FailoverFigures.BEHIND_NANOS_MAX) {
            untilNanos = elapsed.toNanos();
        }
    }

    void takeDown(Repeat.Builder into) {
        into.count(FailoverFigures.BEHIND_MOST_NS, mostNanos)
                .count(FailoverFigures.BEHIND_UNTIL_NS, untilNanos)
                .count(FailoverFigures.BEHIND_END_NS, lastNanos);
    }
}
