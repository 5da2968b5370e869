package org.hubmark.bench.results.compare;

import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What {@code --fail-if-slower} says of the scenarios of a comparison. */
public final class Regressions {
    private Regressions() {}

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
                        line.substring(0, colon),
                        Regression.Outcome.NOT_COMPARED,
                        line.substring(colon + 2)));
            }
        }
        return List.copyOf(found);
    }

    /**
     * {@return the answer of two scenarios} A tail that is worse makes them worse. One that scatters too
     * much to tell changes nothing: a few repeats seldom tell it.
     */
    static Regression.Outcome outcome(Pair pair, double limit) {
        if (pair.verdict() == Verdict.NOT_VALID) {
            return Regression.Outcome.NOT_VALID;
        }
        if (worseTail(pair, limit).isPresent()) {
            return Regression.Outcome.WORSE;
        }
        Effect decisive = pair.decisive();
        return decisive == null
                ? Regression.Outcome.TOO_NOISY
                : Regression.outcome(
                        decisive.ratio(), decisive.moreIsBetter(), pair.verdict(), limit);
    }

    private static Optional<Effect> worseTail(Pair pair, double limit) {
        return pair.tail().stream()
                .filter(effect -> effect.verdict(limit) == Verdict.SLOWER)
                .findFirst();
    }

    private static String text(Pair pair, double limit) {
        if (pair.verdict() == Verdict.NOT_VALID) {
            return pair.notValid();
        }
        String text = ComparisonText.verdict(pair)
                + worseTail(pair, limit)
                        .map(effect -> "; " + ComparisonText.verdict(effect, limit))
                        .orElse("");
        if (outcome(pair, limit) != Regression.Outcome.TOO_NOISY) {
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
}
