package org.hubmark.bench.results.compare;

import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.SustainedRate;
import org.jspecify.annotations.Nullable;

import java.util.Set;

/**
 * How a verdict is found, settled before anybody looks at the figures; docs/decisions/0034 says why
 * so.
 *
 * @param smallest a smaller difference, as a share, does not matter
 * @param by the quantity that decides; null for the rate, or cycles where the rate was given
 * @param shown the difference, as a share, for which the repeats are told that would show it
 * @param across names of the conditions that may differ; others keep two scenarios from being compared
 */
public record Rule(double smallest, @Nullable Quantity by, double shown, Set<String> across) {
    /** Two runs of one setting differ by as much. */
    static final double SMALLEST = 0.02;

    private static final double SHOWN = 0.05;

    /** {@return the rule that {@code compare} has unless told otherwise, but for what decides} */
    public static Rule usual(@Nullable Quantity by) {
        return new Rule(SMALLEST, by, SHOWN, Set.of());
    }

    /** Copies the set. */
    public Rule {
        across = Set.copyOf(across);
    }

    /** {@return the quantity that decides} */
    Quantity decisive(Scenario first, Scenario second) {
        if (by != null) {
            return by;
        }
        return given(first) && given(second) ? Quantity.CYCLES : Quantity.RATE;
    }

    /**
     * {@return whether the rate was asked for and kept, or searched once for all repeats: how far the
     * repeats lie apart then says nothing of how far two servers do}
     */
    static boolean given(Scenario scenario) {
        SustainedRate found = scenario.sustainedRate();
        boolean searchedOnce = scenario.conditions().rateSearched()
                && (found == null || found.ofRepeatsMsgsPerS().isEmpty());
        return searchedOnce || scenario.rateAsked();
    }
}
