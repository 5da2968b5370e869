package org.hubmark.bench.measure;

import org.hubmark.bench.load.Workload;
import org.hubmark.bench.results.Counters;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * The moment at which a server has come to rest after a load: what it had written is on its devices, it
 * uses next to no CPU and writes next to nothing.
 *
 * @param at the counters then
 * @param reached whether it came to rest; else they are those of the moment at which the wait ended
 */
record Rest(Snapshot at, boolean reached) {
    /** Compactions of a long load can take longer; then that is said. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final Duration SAMPLE = Duration.ofMillis(500);

    /** CPU of a server at rest, in percent of one core: timers, metrics, and an idle JVM. */
    private static final double CPU_PERCENT_MAX = 3;

    /** A second: what a journal or a tracking log still adds now and then. */
    private static final double WRITES_MAX = 4;

    /**
     * Waits for it. Blocks.
     *
     * @return null where neither CPU nor writes of the server are known
     */
    static @Nullable Rest await(Workload work, Instruments instruments)
            throws IOException, InterruptedException {
        instruments.flush();
        long endNanos = instruments.time().nanoTime() + TIMEOUT.toNanos();
        Snapshot last = instruments.read(work);
        if (tellsNothing(new Window(last, last, 1))) {
            return null;
        }
        while (true) {
            instruments.time().sleep(SAMPLE);
            Snapshot now = instruments.read(work);
            // The cores are for shares of the machine, which nobody asks for here.
            Window window = new Window(last, now, 1);
            Double cpu = window.serverCpuPercent();
            double log = window.counted().count(Counters.LOG_WRITES);
            double queue = window.counted().count(Counters.QUEUE_WRITES);
            if (tellsNothing(window)) {
                return null;
            }
            double writes = (Double.isNaN(log) ? 0 : log) + (Double.isNaN(queue) ? 0 : queue);
            boolean quiet = (cpu == null || cpu <= CPU_PERCENT_MAX)
                    && writes <= WRITES_MAX * window.seconds();
            if (quiet || instruments.time().nanoTime() >= endNanos) {
                return new Rest(now, quiet);
            }
            last = now;
        }
    }

    /** {@return whether neither CPU nor writes of the server are known} */
    private static boolean tellsNothing(Window window) {
        return Stream.of(Counters.SERVER_CPU_NS, Counters.LOG_WRITES, Counters.QUEUE_WRITES)
                .allMatch(counter -> Double.isNaN(window.counted().count(counter)));
    }
}
