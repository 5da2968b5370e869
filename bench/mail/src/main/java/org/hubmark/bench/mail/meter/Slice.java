package org.hubmark.bench.mail.meter;

import org.hubmark.bench.load.Pace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A time in which the asked rate is the same or nearly so: a step, or a tenth of a ramp.
 *
 * @param number counts from 1 over the stages
 * @param fromPerSecond messages a second at its begin
 * @param toPerSecond messages a second at its end
 * @param endNanos after the begin of the first stage
 */
record Slice(int number, double fromPerSecond, double toPerSecond, long endNanos) {
    /** Enough for a curve of the latency over the rate. */
    static final int RAMP_SLICES = 10;

    /**
     * Shortest slice of a ramp: percentiles and CPU ticks of 10 ms say little about less. A ramp
     * that is too short for its slices has fewer.
     */
    private static final Duration RAMP_SLICE_MIN = Duration.ofSeconds(1);

    /** {@return the slices one after the other; none where the rate does not change} */
    static List<Slice> of(Pace pace) {
        List<Slice> slices = new ArrayList<>();
        if (!(pace instanceof Pace.OpenLoop open) || !open.changes()) {
            return slices;
        }
        long startNanos = 0;
        for (Pace.Stage stage : open.stages()) {
            int parts = parts(stage);
            double rise = stage.toPerSecond() - stage.fromPerSecond();
            for (int i = 0; i < parts; i++) {
                slices.add(new Slice(
                        slices.size() + 1,
                        stage.fromPerSecond() + rise * i / parts,
                        stage.fromPerSecond() + rise * (i + 1) / parts,
                        startNanos + stage.time().toNanos() / parts * (i + 1)));
            }
            startNanos += stage.time().toNanos();
        }
        return slices;
    }

    private static int parts(Pace.Stage stage) {
        return stage.fromPerSecond() == stage.toPerSecond()
                ? 1
                : Math.clamp(stage.time().dividedBy(RAMP_SLICE_MIN), 1, RAMP_SLICES);
    }

    /** {@return messages a second on the average} */
    double ratePerSecond() {
        return (fromPerSecond + toPerSecond) / 2;
    }
}
