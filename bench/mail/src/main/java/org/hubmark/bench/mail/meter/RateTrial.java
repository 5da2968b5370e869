package org.hubmark.bench.mail.meter;

import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.mail.document.Figure;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Loads a server at one rate for some seconds and says, by {@link SustainedRule}, whether it keeps up.
 * Blocks; one thread.
 */
public final class RateTrial implements RateSearch.Trial {
    /**
     * First guess, as a share of the closed loop's rate; a steady rate is sustained only below that
     * rate.
     */
    private static final double GUESS = 0.9;

    /** A trial at a low rate lasts longer, until so few as always come and go are a share that does not count. */
    private static final double MESSAGES_MIN =
            SustainedRule.CHANGE_MESSAGES_MIN / SustainedRule.CHANGE_MAX;

    /** A half more than a p99 takes, since random arrivals may be fewer than were asked for. */
    private static final double ANSWERS_MIN = 1.5 * SustainedRule.ANSWERS_MIN;

    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SAMPLE = Duration.ofMillis(250);
    private static final Duration DRAIN_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration DRAIN_POLL = Duration.ofMillis(50);

    private final Starter starter;
    private final Instruments instruments;
    private final Settings settings;
    private final Times times;
    private final Progress progress;

    /**
     * Duration of each load.
     *
     * @param warmUp once, before the first trial, so that none is judged by a cold server or driver
     * @param settle of each trial, before what counts
     * @param counted what counts, at least
     * @param countedMax what counts, at most, so that a low rate has messages enough; longer only where
     *     there would be too few for a p99
     */
    record Times(Duration warmUp, Duration settle, Duration counted, Duration countedMax) {
        static final Times USUAL = new Times(
                Duration.ofSeconds(8),
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(20));
    }

    /** Makes work that has not begun. */
    public interface Starter {
        /** The caller closes it. */
        Workload start(Pace pace) throws IOException, InterruptedException;
    }

    /**
     * Settings of a trial.
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

    /** Searches the highest rate that is sustained, from what a closed loop gets through. */
    public RateSearch.Found search() throws IOException, InterruptedException {
        closedLoopRate(times.warmUp);
        return RateSearch.find(this, GUESS * closedLoopRate(times.settle), settings.asked.seed());
    }

    /** {@return messages a second that all connections get through in a closed loop} */
    private double closedLoopRate(Duration settle) throws IOException, InterruptedException {
        try (Workload work = starter.start(new Pace.ClosedLoop())) {
            Load load = load(work, "search: closed loop", settle, times.counted);
            Double rate = load.window.get(Figure.THROUGHPUT_MSGS_PER_S);
            return rate == null ? 0 : rate;
        }
    }

    @Override
    public RateSearch.Answer at(double ratePerSecond) throws IOException, InterruptedException {
        Pace pace =
                Pace.OpenLoop.of(ratePerSecond, settings.asked.arrivals(), settings.asked.seed());
        try (Workload work = starter.start(pace)) {
            String what = String.format(Locale.ROOT, "search: %.0f msg/s", ratePerSecond);
            Duration p99 = time(ANSWERS_MIN, ratePerSecond);
            Duration enough =
                    Collections.min(List.of(times.countedMax, time(MESSAGES_MIN, ratePerSecond)));
            Duration counted = Collections.max(List.of(times.counted, enough, p99));
            return load(work, what, times.settle, counted).answer;
        }
    }

    private static Duration time(double messages, double ratePerSecond) {
        return Duration.ofNanos(Math.round(messages / ratePerSecond * 1e9));
    }

    /** Result of one load. */
    private record Load(Window window, RateSearch.Answer answer) {}

    private Load load(Workload work, String what, Duration settle, Duration counted)
            throws IOException, InterruptedException {
        progress.phase(settings.title + " " + what, settle.plus(counted));
        Snapshot begin = instruments.read(work);
        work.begin();
        pass(work, begin, settle, now -> {});
        TakenLatencies.of(work);
        work.takeLateness();
        SustainedRule rule = new SustainedRule(settings.asked, settings.drains);
        Snapshot from = instruments.read(work);
        rule.add(from);
        Snapshot to = pass(work, from, counted, rule::add);
        Window window = new Window(from, to, settings.logicalCores);
        Workload.Open open = work.end();
        RateSearch.Answer answer = rule.verdict(
                TakenLatencies.of(work).with(open).intended(),
                work.takeLateness(),
                window.driverThreadPercent(work.threads()));
        work.stop(ANSWERS_TIMEOUT);
        if (settings.drains) {
            // What the first load left in the queue must not burden the second.
            instruments.await(work, DRAIN_POLL, DRAIN_TIMEOUT, now -> {
                Double left = now.hubSince(begin, "hubmark_queue_messages");
                return left == null || left <= 0;
            });
        }
        return new Load(window, answer);
    }

    /** {@return the last sample of a time that passes} */
    private Snapshot pass(
            Workload work, Snapshot begin, Duration length, Consumer<Snapshot> sampled)
            throws IOException, InterruptedException {
        Snapshot last = begin;
        for (long left = length.toNanos(); left > 0; left -= SAMPLE.toNanos()) {
            instruments.time().sleep(Duration.ofNanos(Math.min(left, SAMPLE.toNanos())));
            Snapshot now = instruments.read(work);
            sampled.accept(now);
            progress.show("", begin, last, now);
            last = now;
        }
        return last;
    }
}
