package org.hubmark.bench.measure;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.measure.hub.HubCounters;
import org.hubmark.bench.results.Figure;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * Loads a server at one rate for some seconds and says whether it keeps up: the driver's backlog and
 * the server's queue, where that is known, don't grow, the p99 of the latency from the intended
 * start stays within its limit, and nothing is refused. The driver's own lateness and CPU are held
 * to the rules that make a run invalid. Blocks; one thread.
 */
public final class RateTrial implements RateSearch.Trial {
    /** Backlog and queue may grow by this share of the messages, which is less than noise. */
    static final double GROWTH_MAX = 0.02;

    /** And by so much of a second's messages, since both breathe. */
    static final double GROWTH_SECONDS = 0.02;

    /** Of the closed loop's rate; a steady rate is sustained only below it. */
    private static final double GUESS = 0.9;

    /** A trial at a low rate lasts longer, until it counts so many. */
    private static final double MESSAGES_MIN = 5;

    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration DRAIN_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration SHOW = Duration.ofMillis(500);

    private final Starter starter;
    private final Instruments instruments;
    private final Settings settings;
    private final Times times;
    private final Progress progress;

    /**
     * How long each load lasts.
     *
     * @param warmUp once, before the first trial, so that none is judged by a cold server or driver
     * @param settle of each trial, before what counts
     * @param counted what counts
     */
    record Times(Duration warmUp, Duration settle, Duration counted) {
        static final Times USUAL =
                new Times(Duration.ofSeconds(8), Duration.ofSeconds(1), Duration.ofSeconds(3));
    }

    /** Makes work that has not begun. */
    public interface Starter {
        /** The caller closes it. */
        Workload start(Pace pace) throws IOException, InterruptedException;
    }

    /**
     * How to try.
     *
     * @param title what the progress line says
     * @param drains whether the server's queue empties by itself, so that it may not grow
     */
    public record Settings(
            String title, Pace.MaxSustained asked, boolean drains, int logicalCores) {}

    /** Prepares. */
    public RateTrial(
            Starter starter, Instruments instruments, Settings settings, Progress progress) {
        this(starter, instruments, settings, Times.USUAL, progress);
    }

    RateTrial(
            Starter starter,
            Instruments instruments,
            Settings settings,
            Times times,
            Progress progress) {
        this.starter = starter;
        this.instruments = instruments;
        this.settings = settings;
        this.times = times;
        this.progress = progress;
    }

    /** What one trial counted. */
    private record Counted(
            Window window, Snapshot from, Snapshot to, Histogram latencies, Histogram lateness) {
        long grown(LoadCount count) {
            return count.of(to.load()) - count.of(from.load());
        }
    }

    private interface LoadCount {
        long of(LoadSnapshot load);
    }

    /** Searches the highest rate that is sustained, from what a closed loop gets through. */
    public RateSearch.Found search() throws IOException, InterruptedException {
        closedLoopRate(times.warmUp);
        return RateSearch.find(this, GUESS * closedLoopRate(times.settle));
    }

    /** {@return messages a second that all connections get through in a closed loop} */
    private double closedLoopRate(Duration settle) throws IOException, InterruptedException {
        try (Workload work = starter.start(new Pace.ClosedLoop())) {
            Counted counted = load(work, "search: closed loop", settle, times.counted);
            Double rate = counted.window.get(Figure.THROUGHPUT_MSGS_PER_S);
            return rate == null ? 0 : rate;
        }
    }

    @Override
    public RateSearch.Answer at(double ratePerSecond) throws IOException, InterruptedException {
        Pace pace =
                Pace.OpenLoop.of(ratePerSecond, settings.asked.arrivals(), settings.asked.seed());
        try (Workload work = starter.start(pace)) {
            String what = String.format(Locale.ROOT, "search: %.0f msg/s", ratePerSecond);
            Duration counted = Duration.ofNanos(Math.max(
                    times.counted.toNanos(), Math.round(MESSAGES_MIN / ratePerSecond * 1e9)));
            return verdict(load(work, what, times.settle, counted), ratePerSecond, work.threads());
        }
    }

    private RateSearch.Answer verdict(Counted counted, double rate, int threads) {
        double late = counted.lateness.getTotalCount() == 0
                ? 0
                : counted.lateness.getValueAtPercentile(99) / 1e6;
        if (late > Validity.LATENESS_P99_MILLIS_MAX) {
            return byDriver("the driver sent late by %.1f ms (p99)", late);
        }
        long refused = counted.grown(LoadSnapshot::refused) + counted.grown(LoadSnapshot::failed);
        if (refused > 0) {
            return no("%.0f messages were refused or failed", (double) refused);
        }
        double messages = rate * counted.window.seconds();
        double growthMax = Math.max(2, messages * GROWTH_MAX + rate * GROWTH_SECONDS);
        long overdue = counted.grown(LoadSnapshot::overdue);
        boolean backlog = overdue > growthMax;
        Double driver = counted.window.driverThreadPercent(threads);
        if (backlog && driver != null && driver >= Bottleneck.DRIVER_PERCENT) {
            return byDriver("the driver's threads were busy %.0f%% of the time", driver);
        }
        if (backlog) {
            return no(
                    "mail that waits for a free connection grew by %.0f messages",
                    (double) overdue);
        }
        Double queued = queueGrowth(counted);
        if (queued != null && queued > growthMax) {
            return no("the server's queue grew by %.0f messages", queued);
        }
        double p99 = counted.latencies.getValueAtPercentile(99) / 1e6;
        double limit = settings.asked.latencyP99Max().toNanos() / 1e6;
        if (counted.latencies.getTotalCount() == 0 || p99 > limit) {
            return no("p99 of the latency was %.1f ms", p99);
        }
        return RateSearch.Answer.kept();
    }

    private @Nullable Double queueGrowth(Counted counted) {
        HubCounters before = counted.from.hub();
        HubCounters after = counted.to.hub();
        return !settings.drains || before == null || after == null
                ? null
                : after.since(before, "hubmark_queue_messages");
    }

    private Counted load(Workload work, String what, Duration settle, Duration time)
            throws IOException, InterruptedException {
        progress.phase(settings.title + " " + what, settle.plus(time));
        Snapshot begin = instruments.read(work);
        work.begin();
        pass(work, begin, begin, settle);
        TakenLatencies.of(work);
        work.takeLateness();
        Snapshot from = instruments.read(work);
        pass(work, begin, from, time);
        Snapshot to = instruments.read(work);
        Counted counted = new Counted(
                new Window(from, to, settings.logicalCores),
                from,
                to,
                TakenLatencies.of(work).intended(),
                work.takeLateness());
        work.stop(ANSWERS_TIMEOUT);
        drain(work, begin);
        return counted;
    }

    private void pass(Workload work, Snapshot begin, Snapshot since, Duration time)
            throws IOException, InterruptedException {
        Snapshot last = since;
        while (true) {
            long leftNanos = since.nanos() + time.toNanos() - System.nanoTime();
            if (leftNanos <= 0) {
                return;
            }
            Thread.sleep(Duration.ofNanos(Math.min(leftNanos, SHOW.toNanos())));
            Snapshot now = instruments.read(work);
            progress.at("", begin, last, now, new Histogram(1));
            last = now;
        }
    }

    /** What one trial left behind must not burden the next. */
    private void drain(Workload work, Snapshot begin) throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + DRAIN_TIMEOUT.toNanos();
        while (settings.drains && System.nanoTime() < endNanos) {
            HubCounters before = begin.hub();
            HubCounters now = instruments.read(work).hub();
            Double left = before == null || now == null
                    ? null
                    : now.since(before, "hubmark_queue_messages");
            if (left == null || left <= 0) {
                return;
            }
            Thread.sleep(POLL);
        }
    }

    private static RateSearch.Answer no(String words, double figure) {
        return new RateSearch.Answer(false, false, String.format(Locale.ROOT, words, figure));
    }

    private static RateSearch.Answer byDriver(String words, double figure) {
        return new RateSearch.Answer(false, true, String.format(Locale.ROOT, words, figure));
    }
}
