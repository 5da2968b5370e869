package org.hubmark.bench.kit.statistics;

import org.hipparchus.distribution.continuous.BetaDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Upper bound of the chance that an event occurs in the next trial, from a count of trials, with a
 * confidence of 95 %.
 *
 * @param upper from 0 to 1; NaN without a trial
 * @param method how it was computed; null without a trial
 */
public record ChanceBound(double upper, @Nullable String method) {
    private static final String RULE_OF_THREE = "rule of three";
    private static final String EXACT_BINOMIAL = "exact binomial";

    /**
     * {@return the bound after so many trials} Without an event by the rule of three (Hanley and
     * Lippman-Hand 1983), else one-sided by Clopper and Pearson 1934.
     *
     * @param events in how many of the trials it happened
     */
    public static ChanceBound of(double events, double trials) {
        if (!(trials > 0 && events >= 0)) {
            return new ChanceBound(Double.NaN, null);
        }
        if (events == 0) {
            return new ChanceBound(Math.min(1, 3 / trials), RULE_OF_THREE);
        }
        double upper = events >= trials
                ? 1
                : new BetaDistribution(events + 1, trials - events)
                        .inverseCumulativeProbability(Inference.CONFIDENCE);
        return new ChanceBound(upper, EXACT_BINOMIAL);
    }
}
