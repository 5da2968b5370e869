package org.hubmark.bench.compare;

import org.jspecify.annotations.Nullable;

import java.util.List;

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
     * @param fixedRate whether both kept the rate that was asked for, which then says nothing
     */
    @Nullable
    Effect decisive(List<Effect> effects, boolean fixedRate) {
        Effect narrowest = null;
        for (Effect effect : effects) {
            if (by != null) {
                if (effect.quantity() == by) {
                    return effect;
                }
                continue;
            }
            if (fixedRate && effect.quantity() == Quantity.RATE) {
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
}
