package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.mail.document.Counters;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;

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
    private final List<Repeat> finished = new ArrayList<>();
    private TakenLatencies latencies = new TakenLatencies();
    private final long stagesNanos;
    private Snapshot from;
    private Snapshot last;
    private int at;

    /**
     * The measured time begins.
     *
     * @param stagesNanos nanoTime when the first stage began
     */
    StepMeter(Pace pace, int logicalCores, long stagesNanos, Snapshot now) {
        this.slices = Slice.of(pace);
        this.logicalCores = logicalCores;
        this.stagesNanos = stagesNanos;
        this.from = now;
        this.last = now;
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

    /** What was counted since the last call. The last step goes on until the end of the measured time. */
    void sample(Snapshot now, TakenLatencies second) {
        last = now;
        latencies.add(second);
        if (at + 1 < slices.size() && now.nanos() >= endNanos()) {
            finish();
            // A machine that stood still may have missed a step.
            while (at + 1 < slices.size() && now.nanos() >= endNanos()) {
                at++;
            }
        }
    }

    /** What is open at the end of the measured time belongs to its last step. */
    void count(TakenLatencies atEnd) {
        latencies.add(atEnd);
    }

    /** The measured time is over. {@return what was counted of each step that was measured} */
    List<Repeat> end() {
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
        if (end.nanos() == begin.nanos()) {
            return;
        }
        Slice slice = slices.get(at);
        Window window = new Window(begin, end, logicalCores);
        Repeat.Builder counted = Repeat.counted()
                .name(MailDocument.STEP, slice.number())
                .name(MailDocument.FROM, slice.fromPerSecond())
                .name(MailDocument.TO, slice.toPerSecond())
                .name(MailDocument.INTENDED, slice.ratePerSecond())
                .times(Figure.ACCEPT, latencies.intended())
                .times(Figure.UNCORRECTED, latencies.actual())
                .count(
                        Counters.REFUSED_MSGS,
                        end.load().refused() - begin.load().refused())
                .count(Counters.FAILED_MSGS, end.load().failed() - begin.load().failed())
                .count(Counters.OVERDUE_MSGS, end.load().overdue());
        window.counted().counters().forEach((key, value) -> counted.count(new Counter(key), value));
        finished.add(counted.made());
        latencies = new TakenLatencies();
        from = end;
    }
}
