package org.hubmark.bench.mail.meter;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Latencies;
import org.hubmark.bench.mail.document.Step;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Parts what is measured by the rate that was asked for. Where the rate does not change there is
 * nothing to part. One thread, that of the measurement, whose samples it gets.
 */
final class StepMeter {
    private final List<Slice> slices;
    private final int logicalCores;
    private final List<Stepped> finished = new ArrayList<>();
    private Histogram latencies = new Histogram(3);
    private Histogram uncorrected = new Histogram(3);
    private long stagesNanos;
    private @Nullable Snapshot from;
    private @Nullable Snapshot last;
    private int at;

    /**
     * A step of one repeat.
     *
     * @param latencies nanoseconds from the intended start
     * @param uncorrected nanoseconds from the actual send
     */
    record Stepped(Step step, Histogram latencies, Histogram uncorrected) {}

    StepMeter(Pace pace, int logicalCores) {
        this.slices = Slice.of(pace);
        this.logicalCores = logicalCores;
    }

    /**
     * The measured time begins.
     *
     * @param stages nanoTime when the first stage began
     */
    void begin(long stages, Snapshot now) {
        stagesNanos = stages;
        from = now;
        last = now;
    }

    /** {@return the number of the step under way; 0 without steps} */
    int step() {
        return slices.isEmpty() ? 0 : slices.get(at).number();
    }

    /** {@return what the progress line says of the step; empty without steps} */
    String words() {
        return slices.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%d/%d %.0f/s: ",
                        step(),
                        slices.size(),
                        slices.get(at).ratePerSecond());
    }

    /** {@return that time, or the end of the step where it comes before} */
    long untilEnd(long nanos) {
        return at + 1 < slices.size() ? Math.min(nanos, endNanos()) : nanos;
    }

    /**
     * What was counted since the last call. The last step goes on until the end of the measured time.
     *
     * @param second nanoseconds from the intended start
     * @param raw nanoseconds from the actual send
     */
    void sample(Snapshot now, Histogram second, Histogram raw) {
        last = now;
        latencies.add(second);
        uncorrected.add(raw);
        if (at + 1 < slices.size() && now.nanos() >= endNanos()) {
            finish();
            // A machine that stood still may have missed a step.
            while (at + 1 < slices.size() && now.nanos() >= endNanos()) {
                at++;
            }
        }
    }

    /** What is open at the end of the measured time belongs to its last step. */
    void count(Histogram intended, Histogram actual) {
        latencies.add(intended);
        uncorrected.add(actual);
    }

    /** The measured time is over. {@return the steps that were measured} */
    List<Stepped> end() {
        if (!slices.isEmpty()) {
            finish();
        }
        return List.copyOf(finished);
    }

    private long endNanos() {
        return stagesNanos + slices.get(at).endNanos();
    }

    private void finish() {
        Snapshot begin = from;
        Snapshot end = last;
        if (begin == null || end == null || end.nanos() == begin.nanos()) {
            return;
        }
        Slice slice = slices.get(at);
        Window window = new Window(begin, end, logicalCores);
        Step step = new Step(
                slice.number(),
                new Step.AskedRate(
                        slice.fromPerSecond(), slice.toPerSecond(), slice.ratePerSecond()),
                window.seconds(),
                window.get(Figure.SENT_MSGS_PER_S),
                window.get(Figure.THROUGHPUT_MSGS_PER_S),
                new Step.Shortfall(
                        end.load().refused() - begin.load().refused(),
                        end.load().failed() - begin.load().failed(),
                        end.load().overdue()),
                window.get(Figure.MACHINE_CPU_PERCENT),
                window.get(Figure.SERVER_CPU_US_PER_MSG),
                Latencies.of(latencies, uncorrected));
        finished.add(new Stepped(step, latencies, uncorrected));
        latencies = new Histogram(3);
        uncorrected = new Histogram(3);
        from = end;
    }
}
