package org.hubmark.bench.crash;

import org.hipparchus.distribution.continuous.BetaDistribution;
import org.jspecify.annotations.Nullable;

/**
 * What a count of crashes says about the next one: the chance that a crash takes mail is below
 * {@code upper} with a confidence of 95 %.
 *
 * @param upper from 0 to 1; null where there was no crash
 * @param method how it was computed; null where there was no crash
 */
record LossBound(@Nullable Double upper, @Nullable String method) {
    static final String RULE_OF_THREE = "rule of three";
    static final String EXACT_BINOMIAL = "exact binomial";

    private static final double CONFIDENCE = 0.95;

    /**
     * {@return the bound after so many crashes} Without a loss by the rule of three (Hanley and
     * Lippman-Hand 1983), else one-sided by Clopper and Pearson 1934.
     *
     * @param withLoss how many of the crashes took mail
     */
    static LossBound of(long crashes, long withLoss) {
        if (crashes == 0) {
            return new LossBound(null, null);
        }
        if (withLoss == 0) {
            return new LossBound(Math.min(1, 3.0 / crashes), RULE_OF_THREE);
        }
        double upper = withLoss >= crashes
                ? 1
                : new BetaDistribution(withLoss + 1.0, (double) (crashes - withLoss))
                        .inverseCumulativeProbability(CONFIDENCE);
        return new LossBound(upper, EXACT_BINOMIAL);
    }
}
