package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.kit.document.Repeat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out how many threads for each database it takes: closed loop with more and more of them, until
 * the target is reached, or more threads bring nothing more (the knee). One thread.
 *
 * @param measurement of a number of threads
 * @param targetIops I/O a second that are enough; infinite where there are never enough
 */
record ThreadSearch(Measurement measurement, double targetIops) {
    private static final List<Integer> STEPS = List.of(1, 2, 3, 4, 6, 8, 12, 16, 24, 32);

    /** Above the target, since the clock begins some transactions while others are under way. */
    private static final double MARGIN = 1.2;

    /** A step that brings less is beyond the knee. */
    private static final double GAIN_MIN = 0.05;

    /** Counts what some threads for each database do. */
    @FunctionalInterface
    interface Measurement {
        Repeat of(int threads) throws IOException, InterruptedException;
    }

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
            Repeat step = measurement.of(threads);
            double iops = PhaseFigures.STEP_IOPS.value(step);
            steps.add(step);
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
}
