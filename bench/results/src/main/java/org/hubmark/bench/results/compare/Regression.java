package org.hubmark.bench.results.compare;

import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether results are slower than a baseline by a share that matters: what a build pipeline fails on.
 * Three answers, since repeats that scatter too much answer neither yes nor no.
 *
 * @param id of the scenario
 * @param text what the answer rests on, in one line
 */
public record Regression(String id, Outcome outcome, String text) {
    /** The answers. */
    public enum Outcome {
        /** The 95 % interval leaves no room for a slowdown of the limit. */
        NOT_WORSE("not worse"),
        /** The interval has room for none and for the limit. */
        TOO_NOISY("too noisy to tell"),
        /** One of the two is not valid. */
        NOT_VALID("not valid"),
        /** The baseline has it, and it can't be compared. */
        NOT_COMPARED("not compared"),
        /** The interval excludes none, and the slowdown as measured is the limit or more. */
        WORSE("worse");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        /** {@return in words} */
        public String text() {
            return text;
        }
    }

    /**
     * {@return one answer for each scenario of the baseline, the first of the two results}
     *
     * @param limit the slowdown that shall be caught, as a share
     */
    public static List<Regression> of(Comparison comparison, double limit) {
        List<Regression> found = new ArrayList<>();
        for (Pair pair : comparison.pairs()) {
            found.add(new Regression(pair.id(), outcome(pair, limit), text(pair, limit)));
        }
        for (String line : comparison.unmatched()) {
            if (!line.endsWith(Comparison.ONLY_IN_SECOND)) {
                int colon = line.indexOf(": ");
                found.add(new Regression(
                        line.substring(0, colon), Outcome.NOT_COMPARED, line.substring(colon + 2)));
            }
        }
        return List.copyOf(found);
    }

    /** {@return the answer of a ratio of one quantity} */
    static Outcome outcome(Effect effect, Verdict verdict, double limit) {
        if (verdict == Verdict.SLOWER && effect.slowdown() >= limit) {
            return Outcome.WORSE;
        }
        Double most = mostSlowdown(effect);
        return most != null && most < limit ? Outcome.NOT_WORSE : Outcome.TOO_NOISY;
    }

    /** {@return the answer of two scenarios} */
    static Outcome outcome(Pair pair, double limit) {
        if (pair.verdict() == Verdict.NOT_VALID) {
            return Outcome.NOT_VALID;
        }
        Effect decisive = pair.decisive();
        return decisive == null ? Outcome.TOO_NOISY : outcome(decisive, pair.verdict(), limit);
    }

    private static String text(Pair pair, double limit) {
        if (pair.verdict() == Verdict.NOT_VALID) {
            return pair.notValid();
        }
        String text = ComparisonText.verdict(pair);
        if (outcome(pair, limit) != Outcome.TOO_NOISY) {
            return text;
        }
        Effect decisive = pair.decisive();
        Integer repeats = decisive == null ? null : decisive.ratio().repeatsToShow(limit);
        return text
                + (repeats == null
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; it takes %d repeats of each to show %.1f %%",
                                repeats,
                                100 * limit));
    }

    private static @Nullable Double mostSlowdown(Effect effect) {
        Interval interval = effect.interval();
        if (interval == null) {
            return null;
        }
        return effect.quantity() == Quantity.RATE ? 1 - interval.low() : interval.high() - 1;
    }
}
