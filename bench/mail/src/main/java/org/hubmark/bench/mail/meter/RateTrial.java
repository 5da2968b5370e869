package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.document.Progress;
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

    private static final Duration MESSAGES_TIME_MAX = Duration.ofSeconds(20);

    /** A half more than a p99 takes, since random arrivals may be fewer than were asked for. */
    private static final double ANSWERS_MIN = 1.5 * SustainedRule.ANSWERS_MIN;

    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SAMPLE = Duration.ofMillis(250);
    private static final Duration DRAIN_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration DRAIN_POLL = Duration.ofMillis(50);

    private final Starter starter;
    private final Instruments instruments;
    private final Pace.MaxSustained asked;
    private final Measurement.Plan plan;
    private final Times times;
    private final Progress progress;

    /**
     * Duration of each load.
     *
     * @param warmUp once, before the first trial, so that none is judged by a cold server or driver
     * @param settle of each trial, before what counts
     * @param counted what counts, at least; longer where a low rate would have too few messages
     */
    public record Times(Duration warmUp, Duration settle, Duration counted) {
        /** Of a server that is measured. */
        public static final Times USUAL =
                new Times(Duration.ofSeconds(8), Duration.ofSeconds(1), Duration.ofSeconds(5));
    }

    /** Makes work that has not begun. */
    @FunctionalInterface
    public interface Starter {
        /** The caller closes it. */
        Workload start(Pace pace) throws IOException, InterruptedException;
    }

    /**
     * Prepares.
     *
     * @param plan of the measurement that the search is for
     */
    public RateTrial(
            Starter starter,
            Instruments instruments,
            Pace.MaxSustained asked,
            Measurement.Plan plan,
            Times times,
            Progress progress) {
        this.starter = starter;
        this.instruments = instruments;
        this.asked = asked;
        this.plan = plan;
        this.times = times;
        this.progress = progress;
    }

    /** Searches the highest rate that is sustained, from what a closed loop gets through. */
    public RateSearch.Found search() throws IOException, InterruptedException {
        closedLoopRate(times.warmUp);
        return RateSearch.find(this, GUESS * closedLoopRate(times.settle));
    }

    /** {@return messages a second that all connections get through in a closed loop} */
    private double closedLoopRate(Duration settle) throws IOException, InterruptedException {
        try (Workload work = starter.start(new Pace.ClosedLoop())) {
            Double rate = load(work, "closed loop", settle, times.counted)
                    .window
                    .get(Figure.THROUGHPUT_MSGS_PER_S);
            return rate == null ? 0 : rate;
        }
    }

    @Override
    public RateSearch.Answer at(double ratePerSecond) throws IOException, InterruptedException {
        try (Workload work =
                starter.start(new Pace.OpenLoop(ratePerSecond, asked.arrivals(), asked.seed()))) {
            String what = String.format(Locale.ROOT, "%.0f msg/s", ratePerSecond);
            Duration enough =
                    Collections.min(List.of(MESSAGES_TIME_MAX, time(MESSAGES_MIN, ratePerSecond)));
            Duration p99 = time(ANSWERS_MIN, ratePerSecond);
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
        progress.phase(plan.title() + " search: " + what, settle.plus(counted));
        Snapshot begin = instruments.read(work);
        work.begin();
        pass(work, begin, begin, settle, snapshot -> {});
        work.takeLatencies();
        work.takeLateness();
        Snapshot from = instruments.read(work);
        SustainedRule rule = new SustainedRule(asked, plan.drains());
        rule.add(from);
        Snapshot to = pass(work, begin, from, counted, rule::add);
        Window window = new Window(from, to, plan.logicalCores());
        Workload.Open open = work.end();
        Workload.Latency latencies = new Workload.Latency();
        latencies.add(work.takeLatencies());
        latencies.add(new Workload.Latency(open.intended(), open.actual()));
        RateSearch.Answer answer = rule.verdict(
                latencies.intended(),
                work.takeLateness(),
                window.driverThreadPercent(work.threads()));
        work.stop(ANSWERS_TIMEOUT);
        if (plan.drains()) {
            // What the first load left in the queue must not burden the second.
            instruments.await(work, DRAIN_POLL, DRAIN_TIMEOUT, now -> isDrained(begin, now));
        }
        return new Load(window, answer);
    }

    /** {@return whether no more is queued than was at the beginning; true too where that isn't known} */
    private static boolean isDrained(Snapshot begin, Snapshot now) {
        Double left = now.hubSince(begin, "hubmark_queue_messages");
        return left == null || left <= 0;
    }

    /** Lets a time pass, in samples. {@return the last one} */
    private Snapshot pass(
            Workload work,
            Snapshot begin,
            Snapshot since,
            Duration time,
            Consumer<Snapshot> sampled)
            throws IOException, InterruptedException {
        Snapshot last = since;
        while (true) {
            long passedNanos = instruments.time().nanos() - since.nanos();
            if (passedNanos >= time.toNanos()) {
                return last;
            }
            instruments
                    .time()
                    .sleep(Duration.ofNanos(
                            Math.min(time.toNanos() - passedNanos, SAMPLE.toNanos())));
            Snapshot now = instruments.read(work);
            sampled.accept(now);
            now.show(progress, begin, last);
            last = now;
        }
    }
}
