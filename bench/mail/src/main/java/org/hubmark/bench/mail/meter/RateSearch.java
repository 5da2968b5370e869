package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds the highest rate that a server sustains, by trials. A first estimate goes up until a rate is not
 * sustained, or down until one is, then between the two. Around it a ladder of
 * {@link #RUNGS} rates is laid, and each is tried {@link #TRIALS} times in a random order that is settled
 * before: no trial is repeated because of how it ended, and the search ends when the ladder does. The
 * answer is where a curve that is fitted to the trials of the ladder reaches 95 %. Where that lies
 * outside the ladder, one more is laid around the end that it went over.
 *
 * <p>How to call it; {@link RateTrial} loads a real server:
 *
 * <pre>{@code
 * RateTrial trial = new RateTrial(pace -> source.trial(server, pace), ...);
 * RateSearch.Found found = trial.search();
 * }</pre>
 *
 * One thread, that of the caller. docs/decisions/0077-search-by-a-ladder.md says why.
 */
public final class RateSearch {
    /** From rung to rung; a rate that does not hold over the measured time is lowered by it too. */
    public static final double STEP = 1.05;

    /** No rate below this is tried, messages a second. */
    public static final double RATE_MIN = 1;

    /** To either side of the middle of a ladder. */
    private static final int RUNGS_ASIDE = 3;

    /** Of a ladder. */
    static final int RUNGS = 2 * RUNGS_ASIDE + 1;

    /** Of each rung. */
    static final int TRIALS = 3;

    static final int LADDERS_MAX = 2;

    private static final double UP = 1.25;
    private static final double DOWN = 0.7;

    /** Of the first estimate: as near the rates to either side come. */
    private static final double ESTIMATE_PRECISION = 1.12;

    /** Enough for a guess that is wrong by a factor of a thousand. */
    private static final int FIRST_TRIALS_MAX = 60;

    /**
     * So many trials without one that was sustained end the search: twelve rates, each tried twice, down to a
     * fiftieth of the first; some four minutes where each takes its least time. At still lower rates a p99
     * takes minutes each, and what keeps a server from a fiftieth of what it gets through is no rate.
     */
    private static final int FAILED_TRIALS_MAX = 24;

    private final Trial trial;
    private final long seed;
    private final List<Attempt> attempts = new ArrayList<>();
    private double sustained;
    private double tooMuch = Double.POSITIVE_INFINITY;

    private RateSearch(Trial trial, long seed) {
        this.trial = trial;
        this.seed = seed;
    }

    /** Loads a server at a rate, or acts like one. */
    @FunctionalInterface
    public interface Trial {
        /** Says whether that many messages a second were sustained. */
        Answer at(double ratePerSecond) throws IOException, InterruptedException;
    }

    /**
     * Result of a trial.
     *
     * @param byDriver whether it was the driver that could not keep up
     * @param words why it was not sustained, with the figure; empty when it was
     */
    public record Answer(boolean sustained, boolean byDriver, String words) {
        /** {@return what is said of a rate that was sustained} */
        public static Answer kept() {
            return new Answer(true, false, "");
        }
    }

    /** One trial. */
    public record Attempt(double ratePerSecond, Answer verdict) {}

    /**
     * Result of a search.
     *
     * @param ratePerSecond the rate to be measured: at which 95 % of the trials are sustained; where no
     *     rate was too much, the highest that was tried; 0 where none was sustained
     * @param fit null where there was no ladder
     * @param attempts all trials in their order
     */
    public record Found(double ratePerSecond, @Nullable SustainedFit fit, List<Attempt> attempts) {
        /** {@return the trials that failed at the lowest rate above at which most did; none for none} */
        private List<Attempt> failures() {
            return attempts.stream()
                    .filter(attempt -> attempt.ratePerSecond() > ratePerSecond)
                    .collect(Collectors.groupingBy(
                            Attempt::ratePerSecond, TreeMap::new, Collectors.toList()))
                    .values()
                    .stream()
                    .filter(trials -> 2 * sustained(trials) < trials.size())
                    .findFirst()
                    .orElse(List.of())
                    .stream()
                    .filter(attempt -> !attempt.verdict().sustained())
                    .toList();
        }

        /** {@return what was found and what set the bound, in one line} */
        public String words() {
            List<Attempt> failures = failures();
            String why = failures.isEmpty()
                    ? "no rate was too much"
                    : String.format(
                            Locale.ROOT,
                            "not at %.1f msg/s: %s",
                            failures.getLast().ratePerSecond(),
                            failures.getLast().verdict().words());
            if (ratePerSecond == 0) {
                return "no rate was sustained in " + attempts.size() + " trials, " + why;
            }
            Interval range = fit == null ? null : fit.most().range();
            return fit == null || range == null
                    ? String.format(Locale.ROOT, "sustains %.1f msg/s, %s", ratePerSecond, why)
                    : String.format(
                            Locale.ROOT,
                            "sustains %.1f msg/s (%.1f to %.1f) in 95 %% of %d trials, %s",
                            ratePerSecond,
                            range.low(),
                            range.high(),
                            fit.most().n(),
                            why);
        }

        /** {@return whether the driver, not the server, is what set the bound} */
        public boolean byDriver() {
            long drivers = failures().stream()
                    .filter(attempt -> attempt.verdict().byDriver())
                    .count();
            return 2 * drivers > failures().size();
        }
    }

    /**
     * Searches.
     *
     * @param guessPerSecond where to begin, messages a second
     * @param seed of the order of the trials
     */
    public static Found find(Trial trial, double guessPerSecond, long seed)
            throws IOException, InterruptedException {
        RateSearch search = new RateSearch(trial, seed);
        search.bracket(Math.max(RATE_MIN, guessPerSecond));
        return search.found();
    }

    private void bracket(double guess) throws IOException, InterruptedException {
        double rate = guess;
        while (attempts.size() < FIRST_TRIALS_MAX
                && (sustained == 0 || Double.isInfinite(tooMuch))) {
            if (probable(rate)) {
                sustained = rate;
                rate *= UP;
            } else if (rate <= RATE_MIN
                    || (sustained == 0 && attempts.size() >= FAILED_TRIALS_MAX)) {
                return;
            } else {
                tooMuch = rate;
                rate = Math.max(RATE_MIN, rate * DOWN);
            }
        }
        while (attempts.size() < FIRST_TRIALS_MAX && tooMuch > sustained * ESTIMATE_PRECISION) {
            double between = Math.sqrt(sustained * tooMuch);
            if (probable(between)) {
                sustained = between;
            } else {
                tooMuch = between;
            }
        }
    }

    /** A pause must not lay the ladder far below: two of three trials decide where it lies. */
    @SuppressWarnings("IdentityBinaryExpression")
    private boolean probable(double rate) throws IOException, InterruptedException {
        return tried(rate) || (tried(rate) && tried(rate));
    }

    private Found found() throws IOException, InterruptedException {
        if (sustained == 0 || Double.isInfinite(tooMuch)) {
            return new Found(sustained, null, List.copyOf(attempts));
        }
        int estimated = attempts.size();
        double middle = Math.sqrt(sustained * tooMuch);
        for (int number = 1; ; number++) {
            List<Double> rungs = rungs(middle);
            climb(rungs, number);
            SustainedFit fit = SustainedFit.of(
                    counted(attempts.subList(estimated, attempts.size())),
                    Math.pow(STEP, RUNGS_ASIDE));
            double low = rungs.getFirst();
            double high = rungs.getLast();
            boolean below = fit.most().value() < low && low > RATE_MIN;
            boolean above = fit.half().value() > high;
            if (number == LADDERS_MAX || !(below || above)) {
                return new Found(fit.most().value(), fit, List.copyOf(attempts));
            }
            middle = below ? low : high;
        }
    }

    /** Each rung once, and each again, in another order: what drifts touches all alike. */
    private void climb(List<Double> rungs, int number) throws IOException, InterruptedException {
        for (int block = 1; block <= TRIALS; block++) {
            int place = (number - 1) * TRIALS + block;
            for (double rate : new RandomBlocks(seed).order(rungs, place)) {
                tried(rate);
            }
        }
    }

    private static List<Double> rungs(double middle) {
        return IntStream.range(0, RUNGS)
                .mapToObj(i -> Math.max(RATE_MIN, middle * Math.pow(STEP, i - RUNGS_ASIDE)))
                .toList();
    }

    private static List<SustainedFit.Rung> counted(List<Attempt> ofLadders) {
        return ofLadders.stream()
                .collect(Collectors.groupingBy(Attempt::ratePerSecond))
                .entrySet()
                .stream()
                .map(rate -> new SustainedFit.Rung(
                        rate.getKey(),
                        sustained(rate.getValue()),
                        rate.getValue().size()))
                .sorted(Comparator.comparingDouble(SustainedFit.Rung::ratePerSecond))
                .toList();
    }

    private static int sustained(List<Attempt> trials) {
        return (int)
                trials.stream().filter(attempt -> attempt.verdict().sustained()).count();
    }

    private boolean tried(double rate) throws IOException, InterruptedException {
        attempts.add(new Attempt(rate, trial.at(rate)));
        return attempts.getLast().verdict().sustained();
    }
}
