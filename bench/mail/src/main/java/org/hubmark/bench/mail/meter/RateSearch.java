package org.hubmark.bench.mail.meter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds the highest rate that a server sustains, by trials: up until a rate is not sustained, or down until
 * one is, then between the two. Two of three trials of a rate decide, so that a pause of the machine does not.
 * {@link RateTrial} loads a real server. One thread, that of the caller.
 */
public final class RateSearch {
    /** So near the rates to either side come; one that does not hold over the measured time is lowered by it. */
    public static final double STEP = 1.05;

    /** No rate below this is tried, messages a second. */
    public static final double RATE_MIN = 1;

    private static final double UP = 1.25;
    private static final double DOWN = 0.7;

    /** Enough for a guess that is wrong by a factor of a thousand. */
    private static final int TRIALS_MAX = 80;

    /**
     * So many trials without one that was sustained end the search: twelve rates, each tried twice, down to a
     * fiftieth of the first; some four minutes where each takes its least time. At still lower rates a p99
     * takes minutes each, and what keeps a server from a fiftieth of what it gets through is no rate.
     */
    private static final int FAILED_TRIALS_MAX = 24;

    private final Trial trial;
    private double sustained;
    private double tooMuch = Double.POSITIVE_INFINITY;
    private @Nullable Answer failure;
    private int trials;

    private RateSearch(Trial trial) {
        this.trial = trial;
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

    /**
     * Result of a search.
     *
     * @param ratePerSecond the highest rate that was sustained; 0 where none was
     * @param words what was found and what set the bound, in one line
     * @param byDriver whether the driver, not the server, is what set the bound
     */
    public record Found(double ratePerSecond, String words, boolean byDriver) {}

    /**
     * {@return what a search finds}
     *
     * @param guessPerSecond where to begin, messages a second
     */
    public static Found find(Trial trial, double guessPerSecond)
            throws IOException, InterruptedException {
        RateSearch search = new RateSearch(trial);
        search.bracket(Math.max(RATE_MIN, guessPerSecond));
        return search.found();
    }

    private void bracket(double guess) throws IOException, InterruptedException {
        double rate = guess;
        while (trials < TRIALS_MAX && (sustained == 0 || tooMuch > sustained * STEP)) {
            if (sustained > 0 && Double.isFinite(tooMuch)) {
                rate = Math.sqrt(sustained * tooMuch);
            }
            if (isSustained(rate)) {
                sustained = rate;
                rate *= UP;
            } else if (sustained == 0 && (rate <= RATE_MIN || trials >= FAILED_TRIALS_MAX)) {
                return;
            } else {
                tooMuch = rate;
                rate = Math.max(RATE_MIN, rate * DOWN);
            }
        }
    }

    private boolean isSustained(double rate) throws IOException, InterruptedException {
        List<Answer> failures = new ArrayList<>();
        for (int kept = 0; kept < 2; ) {
            Answer answer = trial.at(rate);
            trials++;
            if (answer.sustained()) {
                kept++;
            } else {
                failures.add(answer);
            }
            if (failures.size() == 2) {
                tooMuch = rate;
                // A driver that paused once is not what set the bound.
                failure = failures.getFirst().byDriver() ? answer : failures.getFirst();
                return false;
            }
        }
        return true;
    }

    private Found found() {
        String why = failure == null
                ? "no rate was too much"
                : String.format(Locale.ROOT, "not at %.1f msg/s: %s", tooMuch, failure.words());
        String words = sustained == 0
                ? "no rate was sustained in " + trials + " trials, " + why
                : String.format(Locale.ROOT, "sustains %.1f msg/s, %s", sustained, why);
        return new Found(sustained, words, failure != null && failure.byDriver());
    }
}
