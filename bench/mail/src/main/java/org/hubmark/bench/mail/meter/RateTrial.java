package org.hubmark.bench.mail.meter;

import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.mail.document.Figure;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Loads a server at one rate for some seconds and says whether it keeps up: a {@link Measurement} of which
 * nothing but the verdict is kept. Blocks; one thread.
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

    static final Duration SAMPLE = Duration.ofMillis(250);

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
            Progress progress) {
        this(starter, instruments, asked, plan, Times.USUAL, progress);
    }

    RateTrial(
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
        return RateSearch.find(this, GUESS * closedLoopRate(times.settle), asked.seed());
    }

    /** {@return messages a second that all connections get through in a closed loop} */
    private double closedLoopRate(Duration settle) throws IOException, InterruptedException {
        Double rate = load("closed loop", new Pace.ClosedLoop(), settle, times.counted)
                .repeat()
                .get(Figure.THROUGHPUT_MSGS_PER_S);
        return rate == null ? 0 : rate;
    }

    @Override
    public RateSearch.Answer at(double ratePerSecond) throws IOException, InterruptedException {
        Duration p99 = time(ANSWERS_MIN, ratePerSecond);
        Duration enough =
                Collections.min(List.of(times.countedMax, time(MESSAGES_MIN, ratePerSecond)));
        return load(
                        String.format(Locale.ROOT, "%.0f msg/s", ratePerSecond),
                        new Pace.OpenLoop(ratePerSecond, asked.arrivals(), asked.seed()),
                        times.settle,
                        Collections.max(List.of(times.counted, enough, p99)))
                .sustained();
    }

    private static Duration time(double messages, double ratePerSecond) {
        return Duration.ofNanos(Math.round(messages / ratePerSecond * 1e9));
    }

    private Measurement.Outcome load(String what, Pace pace, Duration settle, Duration counted)
            throws IOException, InterruptedException {
        String title = plan.title() + " search: " + what;
        progress.phase(title, settle.plus(counted));
        Measurement.Plan trial = plan.trial(
                title, pace, asked, new Measurement.LoadTimes(settle, settle, counted), SAMPLE);
        try (Workload work = starter.start(pace)) {
            Measurement.Outcome outcome =
                    new Measurement(trial, work, instruments, null, progress.withoutPhases()).run();
            if (outcome.brokenOff() instanceof IOException broken) {
                throw broken;
            }
            if (outcome.interrupted()) {
                throw new InterruptedException();
            }
            return outcome;
        }
    }
}
