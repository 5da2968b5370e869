package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounts;
import org.hubmark.bench.qualify.result.PhaseFigures;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Finds out how many threads for each database it takes: closed loop with more and more of them, until
 * the target is reached, or more threads bring nothing more (the knee). Of each step the transient state
 * is left out; then samples are taken until they agree. One thread.
 *
 * @param loops begins a closed loop of so many threads for each database
 * @param targetIops I/O a second that are enough; infinite where there are never enough
 * @param sample how long one takes
 * @param log gets a line for each number that was tried
 */
record ThreadSearch(
        IntFunction<TransactionLoop> loops,
        double targetIops,
        Duration sample,
        Consumer<String> log,
        Clock time) {
    private static final List<Integer> STEPS = List.of(1, 2, 3, 4, 6, 8, 12, 16, 24, 32);

    /** Above the target, since the clock begins some transactions while others are under way. */
    private static final double MARGIN = 1.2;

    /** A step that brings less is beyond the knee. */
    private static final double GAIN_MIN = 0.05;

    /** Three samples that lie so near to their mean agree. */
    private static final double NEAR = 0.1;

    private static final int SAMPLES = 3;
    private static final int SAMPLES_MAX = 8;

    /**
     * What was found.
     *
     * @param threads for each database that it takes
     * @param steps what was counted with each number that was tried
     */
    record Found(int threads, List<Repeat> steps) {}

    /** {@return how many it takes} */
    Found run() throws IOException, InterruptedException {
        List<Repeat> steps = new ArrayList<>();
        int best = STEPS.getFirst();
        double bestIops = 0;
        for (int threads : STEPS) {
            Repeat step = step(threads);
            double iops = PhaseFigures.STEP_IOPS.value(step);
            steps.add(step);
            log.accept(String.format(
                    Locale.ROOT,
                    "Tuning: %d threads for each database do %.1f I/O a second, closed loop",
                    threads,
                    iops));
            if (iops < bestIops * (1 + GAIN_MIN)) {
                break;
            }
            best = threads;
            bestIops = iops;
            if (bestIops >= targetIops * MARGIN) {
                break;
            }
        }
        return new Found(best, List.copyOf(steps));
    }

    private Repeat step(int threads) throws IOException, InterruptedException {
        try (TransactionLoop loop = loops.apply(threads)) {
            pause(loop);
            IoCounts from = loop.counts();
            long began = time.nanos();
            List<Double> rates = new ArrayList<>();
            IoCounts last = from;
            while (rates.size() < SAMPLES_MAX && !agree(rates)) {
                long at = time.nanos();
                pause(loop);
                IoCounts now = loop.counts();
                rates.add(now.since(last).databaseIo() / ((time.nanos() - at) / 1e9));
                last = now;
            }
            return last.since(from)
                    .counted()
                    .name(PhaseFigures.STEP, threads)
                    .count(InstanceFigures.COLLECTION_NS, time.nanos() - began)
                    .made();
        }
    }

    private void pause(TransactionLoop loop) throws IOException, InterruptedException {
        time.sleep(sample);
        loop.requireSound();
    }

    private static boolean agree(List<Double> rates) {
        if (rates.size() < SAMPLES) {
            return false;
        }
        List<Double> latest = rates.subList(rates.size() - SAMPLES, rates.size());
        double mean = latest.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        return latest.stream().allMatch(rate -> Math.abs(rate - mean) <= NEAR * mean);
    }
}
