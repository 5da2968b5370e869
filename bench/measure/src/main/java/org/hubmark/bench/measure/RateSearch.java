package org.hubmark.bench.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the highest rate that a server sustains, by trials. From a first guess it goes up until a
 * rate is not sustained, or down until one is, halves what lies between, on a logarithmic scale, to
 * within {@link #PRECISION}, and tries the result once more, since a short trial can be lucky. One can
 * be unlucky too: a rate that was not sustained is tried again before it counts as too much.
 *
 * <p>How to call it; {@link RateTrial} loads a real server:
 *
 * <pre>{@code
 * RateTrial trial = new RateTrial(pace -> source.trial(server, pace), ...);
 * RateSearch.Found found = trial.search();
 * }</pre>
 *
 * One thread, that of the caller.
 */
public final class RateSearch {
    /** The highest sustained rate and the lowest that is not are no further apart than this. */
    public static final double PRECISION = 1.05;

    /** No rate below this is tried, messages a second. */
    public static final double RATE_MIN = 1;

    private static final double UP = 1.25;
    private static final double DOWN = 0.7;
    /** Enough for a guess that is wrong by a factor of a thousand. */
    private static final int TRIALS_MAX = 40;

    private final Trial trial;
    private final List<Attempt> attempts = new ArrayList<>();
    private double sustained;
    private double tooMuch = Double.POSITIVE_INFINITY;

    private RateSearch(Trial trial) {
        this.trial = trial;
    }

    /** Loads a server at a rate, or acts like one. */
    public interface Trial {
        /** Says whether that many messages a second were sustained. */
        Answer at(double ratePerSecond) throws IOException, InterruptedException;

        /** Says the same of a longer time, before the rate counts as found. */
        default Answer longAt(double ratePerSecond) throws IOException, InterruptedException {
            return at(ratePerSecond);
        }
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
     * @param ratePerSecond the highest rate that was sustained, messages a second; 0 if none was
     * @param attempts all trials in their order
     */
    public record Found(double ratePerSecond, List<Attempt> attempts) {
        /** {@return the lowest rate that was not sustained; none if the search gave up before} */
        public Optional<Attempt> bound() {
            // Of two attempts at one rate, the later one decided.
            return attempts.stream()
                    .filter(attempt -> !attempt.verdict().sustained()
                            && attempt.ratePerSecond() > ratePerSecond)
                    .reduce((one, other) ->
                            other.ratePerSecond() <= one.ratePerSecond() ? other : one);
        }

        /** {@return what was found and what set the bound, in one line} */
        public String words() {
            String bound = bound().map(attempt -> String.format(
                            Locale.ROOT,
                            "not at %.1f msg/s: %s",
                            attempt.ratePerSecond(),
                            attempt.verdict().words()))
                    .orElse("no rate was too much");
            return ratePerSecond == 0
                    ? bound
                    : String.format(Locale.ROOT, "sustains %.1f msg/s, %s", ratePerSecond, bound);
        }

        /** {@return whether the driver, not the server, is what set the bound} */
        public boolean byDriver() {
            return bound().map(attempt -> attempt.verdict().byDriver()).orElse(false);
        }
    }

    /**
     * Searches.
     *
     * @param guessPerSecond where to begin, messages a second
     */
    public static Found find(Trial trial, double guessPerSecond)
            throws IOException, InterruptedException {
        RateSearch search = new RateSearch(trial);
        search.bracket(Math.max(RATE_MIN, guessPerSecond));
        search.narrow();
        search.confirm();
        return new Found(search.sustained, List.copyOf(search.attempts));
    }

    private void bracket(double guess) throws IOException, InterruptedException {
        double rate = guess;
        while (attempts.size() < TRIALS_MAX && (sustained == 0 || Double.isInfinite(tooMuch))) {
            if (attempt(trial, rate)) {
                rate *= UP;
            } else if (rate <= RATE_MIN) {
                return;
            } else {
                rate = Math.max(RATE_MIN, rate * DOWN);
            }
        }
    }

    private void narrow() throws IOException, InterruptedException {
        while (attempts.size() < TRIALS_MAX && sustained > 0 && tooMuch > sustained * PRECISION) {
            attempt(trial, Math.sqrt(sustained * tooMuch));
        }
    }

    private void confirm() throws IOException, InterruptedException {
        while (attempts.size() < TRIALS_MAX && sustained > 0) {
            double found = sustained;
            if (attempt(trial::longAt, found)) {
                return;
            }
            sustained = found <= RATE_MIN ? 0 : Math.max(RATE_MIN, found / PRECISION);
        }
    }

    /** A server that paused once is not yet at its limit: of three trials, two decide. */
    private boolean attempt(Trial by, double rate) throws IOException, InterruptedException {
        Answer verdict = tried(by, rate);
        if (!verdict.sustained()) {
            Answer again = tried(by, rate);
            verdict = again.sustained() ? tried(by, rate) : again;
        }
        if (verdict.sustained()) {
            sustained = Math.max(sustained, rate);
        } else {
            tooMuch = Math.min(tooMuch, rate);
        }
        return verdict.sustained();
    }

    private Answer tried(Trial by, double rate) throws IOException, InterruptedException {
        Answer verdict = by.at(rate);
        attempts.add(new Attempt(rate, verdict));
        return verdict;
    }
}
