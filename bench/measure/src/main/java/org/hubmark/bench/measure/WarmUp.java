package org.hubmark.bench.measure;

import org.hubmark.bench.load.Workload;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;

/**
 * Load before the measured time: at least as long as asked, then until it is steady, at most as long
 * as allowed.
 *
 * @param seconds how long it took
 * @param steady whether the load had become steady; null when there was no warm-up or
 *     it was too short to tell
 * @param reason why it had not; null when it had
 */
public record WarmUp(
        double seconds, @Nullable Boolean steady, @Nullable String reason) {
    /** Everything counts, from the first message on. */
    static final WarmUp NONE = new WarmUp(0, null, null);

    /**
     * Waits, with the work going on since the snapshot.
     *
     * @param title what the progress line says
     */
    public static WarmUp run(
            String title,
            Duration least,
            Duration most,
            Workload work,
            Instruments instruments,
            Progress progress,
            Snapshot begin)
            throws IOException, InterruptedException {
        progress.phase(title + " warm-up", least);
        SteadyState state = new SteadyState();
        Snapshot last = begin;
        while (true) {
            long leftNanos = begin.nanos() + most.toNanos() - System.nanoTime();
            if (leftNanos > 0) {
                long sampleNanos = SteadyState.SAMPLE.toNanos();
                Thread.sleep(Duration.ofNanos(Math.min(leftNanos, sampleNanos)));
            }
            Snapshot now = instruments.read(work);
            state.add(sample(last, now));
            progress.at("", begin, last, now, TakenLatencies.of(work).intended());
            last = now;
            long elapsedNanos = now.nanos() - begin.nanos();
            String obstacle = state.obstacle();
            boolean over = elapsedNanos >= most.toNanos();
            if (over || (elapsedNanos >= least.toNanos() && obstacle == null)) {
                return new WarmUp(
                        elapsedNanos / 1e9, state.conclusive() ? obstacle == null : null, obstacle);
            }
        }
    }

    private static SteadyState.Sample sample(Snapshot from, Snapshot to) {
        Long before = from.serverCpuNanos();
        Long after = to.serverCpuNanos();
        return new SteadyState.Sample(
                (to.nanos() - from.nanos()) / 1e9,
                to.load().accepted() - from.load().accepted(),
                before == null || after == null ? null : after - before);
    }
}
