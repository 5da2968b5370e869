package org.hubmark.bench.mail.meter;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.statistics.Percentile;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Whether a server keeps up with a rate: nothing is refused or fails, neither the driver's backlog nor the
 * server's queue (where that is known and drains) grows, and the p99 of the latency from the intended start is
 * within its limit. Trials and the measured run are judged by it alike; of fewer than {@link #SAMPLES_MIN}
 * samples, which only a short measured run has, nothing is said of a backlog. Of too few messages for a p99
 * nothing is shown. A driver that is late, or whose threads are busy while its backlog grows, tells of itself
 * only. How to use it: {@link #add} each snapshot from the first to the last, then {@link #verdict}. One thread.
 */
final class SustainedRule {
    /**
     * A backlog that grows by more than this share of the messages sent meanwhile has no end: a rate that passes
     * is too high by at most this share.
     */
    static final double CHANGE_MAX = 0.005;

    /** So few come and go with the moment at which they are counted: each delivery worker has one. */
    static final double CHANGE_MESSAGES_MIN = 16;

    /** With fewer a growth is not told from a pause. */
    static final int SAMPLES_MIN = 5;

    private static final double P99 = 99;

    /** Of fewer messages there is no p99, so that nothing is shown. */
    static final long ANSWERS_MIN = Percentile.samplesMin(P99);

    private final Pace.MaxSustained asked;
    private final boolean drains;
    private final List<Double> overdue = new ArrayList<>();
    private final List<Double> queued = new ArrayList<>();
    private @Nullable Snapshot first;
    private @Nullable Snapshot last;

    /**
     * Begins with no sample.
     *
     * @param drains whether the server's queue empties by itself, so that it may not grow
     */
    SustainedRule(Pace.MaxSustained asked, boolean drains) {
        this.asked = asked;
        this.drains = drains;
    }

    /** Adds what was counted at one moment, in the order of time. */
    void add(Snapshot now) {
        first = first == null ? now : first;
        last = now;
        overdue.add((double) now.load().overdue());
        Double inQueue = now.hub("hubmark_queue_messages");
        if (drains && inQueue != null) {
            queued.add(inQueue);
        }
    }

    /**
     * Judges what was added.
     *
     * @param driverPercent of a core each, what the driver's threads used; null if not known
     */
    RateSearch.Answer verdict(
            Histogram latencies, Histogram lateness, @Nullable Double driverPercent) {
        String late = ValidityRules.late(lateness);
        if (late != null) {
            return byDriver("the driver " + late);
        }
        double refused = grown(LoadSnapshot::refused) + grown(LoadSnapshot::failed);
        if (refused > 0) {
            return no(String.format(Locale.ROOT, "%.0f messages were refused or failed", refused));
        }
        double bound = Math.max(CHANGE_MESSAGES_MIN, CHANGE_MAX * grown(LoadSnapshot::sent));
        String waiting = growth("mail that waits for a free connection", overdue, bound);
        if (waiting != null
                && driverPercent != null
                && driverPercent >= Bottleneck.DRIVER_PERCENT) {
            return byDriver(String.format(
                    Locale.ROOT,
                    "the driver's threads were busy %.0f%% of the time",
                    driverPercent));
        }
        if (waiting != null) {
            return no(waiting);
        }
        String inQueue = growth("the server's queue", queued, bound);
        if (inQueue != null) {
            return no(inQueue);
        }
        Double p99 = Percentile.millis(latencies, P99);
        if (p99 == null) {
            return no("the p99 of the latency is not known: " + latencies.getTotalCount() + " of "
                    + ANSWERS_MIN + " messages that it takes");
        }
        return p99 > asked.latencyP99Max().toNanos() / 1e6
                ? no(String.format(Locale.ROOT, "p99 of the latency was %.1f ms", p99))
                : RateSearch.Answer.kept();
    }

    /**
     * {@return that a backlog grew, by the means of its first and its last quarter: it breathes with checkpoints
     * and collections; null where it did not}
     */
    private static @Nullable String growth(String backlog, List<Double> samples, double bound) {
        int count = samples.size();
        if (count < SAMPLES_MIN) {
            return null;
        }
        int quarter = Math.max(1, count / 4);
        double between =
                mean(samples.subList(count - quarter, count)) - mean(samples.subList(0, quarter));
        double change = between * (count - 1) / (count - quarter);
        return change < bound
                ? null
                : String.format(Locale.ROOT, "%s grew by %.0f messages", backlog, change);
    }

    private static double mean(List<Double> samples) {
        return samples.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private double grown(ToLongFunction<LoadSnapshot> count) {
        return first == null || last == null
                ? 0
                : count.applyAsLong(last.load()) - count.applyAsLong(first.load());
    }

    private static RateSearch.Answer no(String words) {
        return new RateSearch.Answer(false, false, words);
    }

    private static RateSearch.Answer byDriver(String words) {
        return new RateSearch.Answer(false, true, words);
    }
}
