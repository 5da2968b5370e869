package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.NearestLine;
import org.hubmark.bench.machine.statistics.SteadyWindows;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How the mean latency of database reads went while it was collected: whether it was steady by the rule of
 * SNIA, and by how much it drifted. All instances are taken together, in windows of equal length. A closed
 * loop has to keep its rate too; that of an open one is set by the clock.
 *
 * @param steady null where the windows are too short, or one of them had no reads
 * @param reason the figures; null with these
 * @param drift milliseconds an hour, an interval of 95 %; null where there are too few windows
 */
public record ReadLatencyTrend(
        @Nullable Boolean steady,
        @Nullable String reason,
        @Nullable Interval drift) {
    /** As SNIA's: a round is a minute. */
    private static final double WINDOW_NANOS_MIN = 60e9;

    /** An hour each of a day of stress: what comes and goes within one is no drift. */
    private static final int DRIFT_WINDOWS = 24;

    private static final int DRIFT_WINDOWS_MIN = 5;
    private static final double NANOS_PER_HOUR = 3.6e12;

    /** Mean latency and rate of a part of the time, NaN where there was no read. */
    private record Window(double hours, double readMs, double iops) {}

    /** {@return what stands in the row of a phase} */
    static List<Form.Derived> derived() {
        return List.of(
                new Form.Derived(
                        Name.note("steady", ""), (document, row) -> of(row.repeat()).steady),
                new Form.Derived(
                        Name.note("steady_reason", ""), (document, row) -> of(row.repeat()).reason),
                new Form.Derived(
                        Name.note("read_latency_drift_interval_ms_per_h", ""),
                        (document, row) -> of(row.repeat()).ends()));
    }

    /** {@return what is known of a phase} */
    public static ReadLatencyTrend of(Repeat phase) {
        if (!PhaseFigures.hasTransactions(phase)) {
            return new ReadLatencyTrend(null, null, null);
        }
        Interval drift = driftOf(phase);
        double windowNanos = phase.count(InstanceFigures.COLLECTION_NS) / SteadyWindows.COUNT;
        List<Window> windows = windows(phase, SteadyWindows.COUNT);
        if (!(windowNanos >= WINDOW_NANOS_MIN)
                || windows.stream().anyMatch(window -> Double.isNaN(window.readMs))) {
            return new ReadLatencyTrend(null, null, drift);
        }
        SteadyWindows latency =
                SteadyWindows.of(windows.stream().map(Window::readMs).toList());
        SteadyWindows rate = SteadyWindows.of(windows.stream().map(Window::iops).toList());
        boolean isOpen = phase.name(PhaseFigures.LOOP).equals("open");
        String reason = String.format(
                        Locale.ROOT,
                        "five windows of %.0f s: database reads of %.3f ms",
                        windowNanos / 1e9,
                        latency.mean())
                + within(latency)
                + (isOpen
                        ? ""
                        : String.format(Locale.ROOT, "; %.1f I/O a second", rate.mean())
                                + within(rate));
        return new ReadLatencyTrend(
                latency.isSteady() && (isOpen || rate.isSteady()), reason, drift);
    }

    private static String within(SteadyWindows windows) {
        return String.format(
                Locale.ROOT,
                " within %.1f %% and a slope of %.1f %%",
                Formula.PERCENT * windows.rangeShare(),
                Formula.PERCENT * windows.slopeShare());
    }

    /** Around the slope of all samples, since windows have its error: samples depend on each other. */
    private static @Nullable Interval driftOf(Repeat phase) {
        double slope = PhaseFigures.DRIFT.value(phase);
        List<Window> windows = windows(phase, DRIFT_WINDOWS).stream()
                .filter(window -> Double.isFinite(window.readMs))
                .toList();
        Interval ofWindows = windows.size() < DRIFT_WINDOWS_MIN
                ? null
                : NearestLine.interval(
                        windows.stream().mapToDouble(Window::hours).toArray(),
                        windows.stream().mapToDouble(Window::readMs).toArray());
        if (ofWindows == null || !Double.isFinite(slope)) {
            return null;
        }
        double reach = (ofWindows.high() - ofWindows.low()) / 2;
        return new Interval(slope - reach, slope + reach);
    }

    private static List<Window> windows(Repeat phase, int count) {
        double length = phase.count(InstanceFigures.COLLECTION_NS) / count;
        double half = phase.count(PhaseFigures.INTERVAL_NS) / 2;
        double[] reads = new double[count];
        double[] nanos = new double[count];
        double[] writes = new double[count];
        for (Repeat instance : phase.parts(InstanceFigures.INSTANCES)) {
            for (Repeat sample : instance.samples()) {
                double middle = sample.count(InstanceFigures.AT_NS) - half;
                if (Double.isFinite(middle)) {
                    int i = Math.clamp((long) (middle / length), 0, count - 1);
                    reads[i] += sample.count(IoCounter.DB_READS.counter());
                    nanos[i] += sample.count(IoCounter.DB_READ_NS.counter());
                    writes[i] += sample.count(IoCounter.DB_WRITES.counter());
                }
            }
        }
        List<Window> windows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            windows.add(new Window(
                    (i + 0.5) * length / NANOS_PER_HOUR,
                    reads[i] > 0 ? nanos[i] / reads[i] / Formula.NANOS_PER_MILLI : Double.NaN,
                    (reads[i] + writes[i]) / (length / 1e9)));
        }
        return windows;
    }

    private @Nullable List<Double> ends() {
        return drift == null ? null : List.of(drift.low(), drift.high());
    }

    /** {@return whether it was steady, in words; empty where that is not known} */
    public String steadyWords() {
        return steady == null
                ? ""
                : (steady ? "steady" : "not steady") + " by the rule of SNIA: " + reason;
    }

    /** {@return the interval of the drift in words; empty where it is not known} */
    public String driftWords() {
        return drift == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        "95 %% interval %+.3f to %+.3f msec an hour",
                        drift.low(),
                        drift.high());
    }
}
