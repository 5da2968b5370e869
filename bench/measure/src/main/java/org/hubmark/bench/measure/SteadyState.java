package org.hubmark.bench.measure;

import org.hubmark.bench.machine.ProcessCpu;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * Tells when a load is steady: over the last {@link #SAMPLES} samples the rate neither scatters nor
 * drifts, and a message costs the server what it cost at their beginning. The last is there for a
 * fixed rate, which is kept long before the server's code is compiled. docs/measurement.md states
 * the test. One thread.
 */
final class SteadyState {
    /** How long a sample is. */
    static final Duration SAMPLE = Duration.ofMillis(500);

    /** What is looked at: 5 s. Shorter, the steps in which a JVM compiles look like plateaus. */
    static final int SAMPLES = 10;

    /** The largest coefficient of variation of the rate. */
    static final double VARIATION_MAX = 0.10;

    /** The largest drift of the rate from the first to the last sample, as a share of its mean. */
    static final double DRIFT_MAX = 0.05;

    /** By how much the second half may differ from the first in CPU time a message. */
    static final double COST_CHANGE_MAX = 0.10;

    /** Counts scatter by their square root, a drift by its standard error: so many times that. */
    private static final double SIGMAS = 2;

    private final Deque<Sample> last = new ArrayDeque<>();

    /**
     * What happened in a sample.
     *
     * @param seconds its length
     * @param messages accepted in it
     * @param serverCpuNanos CPU time of the server in it, or null when it isn't known
     */
    record Sample(double seconds, long messages, @Nullable Long serverCpuNanos) {
        double rate() {
            return messages / seconds;
        }
    }

    /** Adds the next one. */
    void add(Sample sample) {
        last.addLast(sample);
        if (last.size() > SAMPLES) {
            last.removeFirst();
        }
    }

    /** {@return whether there are as many samples as the test looks at} */
    boolean conclusive() {
        return last.size() == SAMPLES;
    }

    /** {@return why it isn't steady, with the figures; null when it is} */
    @Nullable
    String obstacle() {
        if (!conclusive()) {
            return "the warm-up was shorter than the "
                    + SAMPLE.multipliedBy(SAMPLES).toSeconds()
                    + " s that the test of steadiness looks at";
        }
        List<Sample> samples = new ArrayList<>(last);
        double messages = samples.stream().mapToLong(Sample::messages).sum();
        if (messages == 0) {
            return "nothing was accepted";
        }
        double mean = samples.stream().mapToDouble(Sample::rate).average().orElse(0);
        double variation = deviation(samples, mean) / mean;
        double counting = SIGMAS / Math.sqrt(messages / SAMPLES);
        if (variation > Math.max(VARIATION_MAX, counting)) {
            return percent(
                    "the rate scattered by %.1f%% (at most %.0f%%)",
                    variation, Math.max(VARIATION_MAX, counting));
        }
        Trend trend = trend(samples, mean);
        if (Math.abs(trend.drift) > Math.max(DRIFT_MAX, SIGMAS * trend.standardError)) {
            return percent(
                    "the rate drifted by %+.1f%% within 5 s (at most %.0f%%)",
                    trend.drift, Math.max(DRIFT_MAX, SIGMAS * trend.standardError));
        }
        return costObstacle(samples);
    }

    private static double deviation(List<Sample> samples, double mean) {
        double squares = 0;
        for (Sample sample : samples) {
            squares += (sample.rate() - mean) * (sample.rate() - mean);
        }
        return Math.sqrt(squares / (samples.size() - 1));
    }

    /** Both over the whole of the samples, as shares of the mean rate. */
    private record Trend(double drift, double standardError) {}

    /** The least squares line over the samples' numbers. */
    private static Trend trend(List<Sample> samples, double mean) {
        int count = samples.size();
        double middle = (count - 1) / 2.0;
        double products = 0;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            products += (i - middle) * (samples.get(i).rate() - mean);
            squares += (i - middle) * (i - middle);
        }
        double slope = products / squares;
        double residuals = 0;
        for (int i = 0; i < count; i++) {
            double residual = samples.get(i).rate() - mean - slope * (i - middle);
            residuals += residual * residual;
        }
        double error = Math.sqrt(residuals / (count - 2) / squares);
        return new Trend(slope * (count - 1) / mean, error * (count - 1) / mean);
    }

    private static @Nullable String costObstacle(List<Sample> samples) {
        double[] nanos = new double[2];
        double[] messages = new double[2];
        for (int i = 0; i < samples.size(); i++) {
            Long cpu = samples.get(i).serverCpuNanos();
            if (cpu == null) {
                return null;
            }
            int half = 2 * i / samples.size();
            nanos[half] += cpu;
            messages[half] += samples.get(i).messages();
        }
        if (nanos[0] == 0 || messages[0] == 0 || messages[1] == 0) {
            return null;
        }
        double change = nanos[1] / messages[1] / (nanos[0] / messages[0]) - 1;
        // CPU time is known by the tick; each half begins and ends within one.
        double clock = SIGMAS * ProcessCpu.TICK_NANOS / nanos[0];
        double bound = Math.max(COST_CHANGE_MAX, clock);
        return Math.abs(change) <= bound
                ? null
                : percent(
                        "the server's CPU time a message changed by %+.1f%% within 5 s"
                                + " (at most %.0f%%)",
                        change, bound);
    }

    private static String percent(String text, double found, double bound) {
        return String.format(Locale.ROOT, text, found * 100, bound * 100);
    }
}
