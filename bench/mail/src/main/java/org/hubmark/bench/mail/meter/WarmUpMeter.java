package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.load.MessageCost;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.mail.document.WarmUp;

import java.io.IOException;
import java.time.Duration;

/**
 * Load before the measured time: at least as long as asked, then until it is shown to be steady, at
 * most as long as allowed.
 */
public final class WarmUpMeter {
    private WarmUpMeter() {}

    /**
     * Waits, with the work going on since the snapshot.
     *
     * @param title what the progress line says
     */
    public static WarmUp run(
            String title,
            Measurement.LoadTimes times,
            Workload work,
            Instruments instruments,
            Progress progress,
            Snapshot begin)
            throws IOException, InterruptedException {
        Duration most = times.warmupMax();
        // When the load will be steady nobody knows beforehand.
        boolean open = most.compareTo(times.warmup()) > 0;
        progress.phase(title + (open ? " warm-up, at most" : " warm-up"), most);
        SteadyState state = new SteadyState(times.warmup(), most);
        Snapshot last = begin;
        while (true) {
            long leftNanos = begin.nanos() + most.toNanos() - instruments.time().nanos();
            if (leftNanos > 0) {
                long sampleNanos = MessageCost.SAMPLE.toNanos();
                instruments.time().sleep(Duration.ofNanos(Math.min(leftNanos, sampleNanos)));
            }
            Snapshot now = instruments.read(work);
            state.add(sample(last, now));
            now.show(progress, begin, last);
            last = now;
            long elapsedNanos = now.nanos() - begin.nanos();
            boolean over = elapsedNanos >= most.toNanos();
            if (!over && !state.isDue()) {
                continue;
            }
            SteadyState.Answer answer = over ? state.atLast() : state.answer();
            if (over
                    || Boolean.TRUE.equals(answer.steady())
                    || (!times.untilSteady() && state.isEnough(answer))) {
                return new WarmUp(
                        elapsedNanos / 1e9, answer.steady(), answer.reason(), answer.drift());
            }
        }
    }

    private static SteadyState.Sample sample(Snapshot from, Snapshot to) {
        return new SteadyState.Sample(
                (to.nanos() - from.nanos()) / 1e9,
                to.load().accepted() - from.load().accepted(),
                MachineCounter.SERVER_NS.growth(from.machine(), to.machine()));
    }
}
