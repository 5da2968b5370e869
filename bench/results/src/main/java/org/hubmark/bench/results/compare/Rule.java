package org.hubmark.bench.results.compare;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How a verdict is found; docs/measurement.md says why so.
 *
 * @param smallest a smaller difference, as a share, is none
 * @param by the quantity that decides; null for the first of rate, cycles and writes whose interval
 *     is narrow enough
 */
public record Rule(double smallest, @Nullable Quantity by) {
    /** An interval of this half width, as a share, is narrow enough to decide by. */
    static final double UNCERTAINTY_MAX = 0.05;

    /**
     * {@return the effect that decides, or null when there is none}
     *
     * @param given whether the rate of both was asked for and kept, or searched once: it then says
     *     nothing
     */
    @Nullable
    Effect decisive(List<Effect> effects, boolean given) {
        Effect narrowest = null;
        for (Effect effect : effects) {
            if (by != null) {
                if (effect.quantity() == by) {
                    return effect;
                }
                continue;
            }
            if (given && effect.quantity() == Quantity.RATE) {
                continue;
            }
            if (effect.uncertainty() <= UNCERTAINTY_MAX) {
                return effect;
            }
            if (narrowest == null || effect.uncertainty() < narrowest.uncertainty()) {
                narrowest = effect;
            }
        }
        return narrowest;
    }

    /** {@return why another quantity than the rate decides; empty where the rate does, or somebody chose} */
    Optional<String> why(List<Effect> effects, Effect decisive, boolean given) {
        if (by != null || decisive.quantity() == Quantity.RATE) {
            return Optional.empty();
        }
        if (given) {
            return Optional.of("decided by " + decisive.quantity().title()
                    + ": the rate was asked for, or searched only once, so it says nothing");
        }
        return effects.stream()
                .filter(effect -> effect.quantity() == Quantity.RATE)
                .filter(effect -> effect.interval() != null)
                .findFirst()
                .map(rate -> String.format(
                        Locale.ROOT,
                        "decided by %s: the rate is known to +-%.0f %% only, more than the %.0f %% to"
                                + " decide by",
                        decisive.quantity().title(),
                        100 * rate.uncertainty(),
                        100 * UNCERTAINTY_MAX));
    }
}
