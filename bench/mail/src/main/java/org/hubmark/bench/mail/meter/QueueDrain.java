package org.hubmark.bench.mail.meter;

import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.load.Workload;

import java.io.IOException;
import java.time.Duration;

/** Between two short loads of one server: what the first left in the queue must not burden the second. */
final class QueueDrain {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(50);

    private QueueDrain() {}

    /**
     * Waits until no more is queued than was at the beginning, for a minute at most; not at all where
     * that isn't known.
     */
    static void await(Workload work, Instruments instruments, Snapshot begin)
            throws IOException, InterruptedException {
        long endNanos = instruments.time().nanos() + TIMEOUT.toNanos();
        while (instruments.time().nanos() < endNanos) {
            HubCounters before = begin.hub();
            HubCounters now = instruments.read(work).hub();
            Double left = before == null || now == null
                    ? null
                    : now.since(before, "hubmark_queue_messages");
            if (left == null || left <= 0) {
                return;
            }
            instruments.time().sleep(POLL);
        }
    }
}
