package org.hubmark.bench.measure;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.measure.hub.HubCounters;
import org.jspecify.annotations.Nullable;

import java.util.Locale;

/**
 * Rule by which a server keeps up with a rate: nothing is refused or fails, neither the driver's
 * backlog nor the server's queue (where that is known and drains) grows, and the p99 of the latency
 * from the intended start stays within its limit. Trials and the measured run are judged by it
 * alike. A driver that is late, or whose threads are busy while its backlog grows, tells of itself
 * only. How to use it: {@link #add} each snapshot from the first to the last, then
 * {@link #verdict}. One thread.
 */
final class SustainedRule {
    private final Pace.MaxSustained asked;
    private final boolean drains;
    private final BacklogTrend overdue = new BacklogTrend();
    private final BacklogTrend queued = new BacklogTrend();
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
        Snapshot begin = first == null ? now : first;
        first = begin;
        last = now;
        double seconds = (now.nanos() - begin.nanos()) / 1e9;
        overdue.add(seconds, (double) now.load().overdue());
        HubCounters hub = now.hub();
        Double inQueue = hub == null ? null : hub.get("hubmark_queue_messages");
        if (drains && inQueue != null) {
            queued.add(seconds, inQueue);
        }
    }

    /**
     * Judges what was added.
     *
     * @param driverPercent of a core each, what the driver's threads used; null if not known
     */
    RateSearch.Answer verdict(
            Histogram latencies, Histogram lateness, @Nullable Double driverPercent) {
        double late = lateness.getTotalCount() == 0 ? 0 : lateness.getValueAtPercentile(99) / 1e6;
        if (late > Validity.LATENESS_P99_MILLIS_MAX) {
            return byDriver("the driver sent late by %.1f ms (p99)", late);
        }
        double refused = grown(LoadSnapshot::refused) + grown(LoadSnapshot::failed);
        if (refused > 0) {
            return no("%.0f messages were refused or failed", refused);
        }
        double waiting = overdue.growth();
        if (waiting > 0 && driverPercent != null && driverPercent >= Bottleneck.DRIVER_PERCENT) {
            return byDriver("the driver's threads were busy %.0f%% of the time", driverPercent);
        }
        if (waiting > 0) {
            return no("mail that waits for a free connection grew by %.0f messages", waiting);
        }
        double inQueue = queued.growth();
        if (inQueue > 0) {
            return no("the server's queue grew by %.0f messages", inQueue);
        }
        double p99 = latencies.getValueAtPercentile(99) / 1e6;
        if (latencies.getTotalCount() == 0 || p99 > asked.latencyP99Max().toNanos() / 1e6) {
            return no("p99 of the latency was %.1f ms", p99);
        }
        return RateSearch.Answer.kept();
    }

    private interface Count {
        long of(LoadSnapshot load);
    }

    private double grown(Count count) {
        return first == null || last == null ? 0 : count.of(last.load()) - count.of(first.load());
    }

    private static RateSearch.Answer no(String words, double figure) {
        return new RateSearch.Answer(false, false, String.format(Locale.ROOT, words, figure));
    }

    private static RateSearch.Answer byDriver(String words, double figure) {
        return new RateSearch.Answer(false, true, String.format(Locale.ROOT, words, figure));
    }
}
