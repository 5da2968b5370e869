package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.SplittableRandom;

/**
 * Proves that the search ends near the capacity of a simulated server, whatever it begins with, and that of
 * servers whose trials end by chance it finds a rate that is sustained more often than not.
 */
class RateSearchTest {
    private static final RateSearch.Answer NO = new RateSearch.Answer(false, false, "too much");
    private static final double CAPACITY = 10_000;
    private static final int SEARCHES = 200;

    @Test
    void findsTheCapacityFromAnyGuess() throws Exception {
        for (double capacity : new double[] {1.5, 48.85, 9_000, 250_000}) {
            for (double guess : new double[] {0.01, 0.3, 1, 1.04, 30}) {
                RateSearch.Found found = RateSearch.find(
                        rate -> rate <= capacity ? RateSearch.Answer.kept() : NO, guess * capacity);
                assertThat(found.ratePerSecond())
                        .as("%s from %s", capacity, guess)
                        .isBetween(capacity / RateSearch.STEP, capacity);
                assertThat(found.words()).contains(" not at ").endsWith(": too much");
                assertThat(found.byDriver()).isFalse();
            }
        }
    }

    @Test
    void saysThatTheDriverSetTheBound() throws Exception {
        RateSearch.Found found = RateSearch.find(
                rate -> rate < 500
                        ? RateSearch.Answer.kept()
                        : new RateSearch.Answer(false, true, "the driver"),
                400);
        assertThat(found.byDriver()).isTrue();
    }

    @Test
    void oneTrialThatFailsByBadLuckSetsNoBound() throws Exception {
        for (int unlucky = 0; unlucky < 30; unlucky++) {
            int[] trials = {0};
            int pause = unlucky;
            RateSearch.Found found = RateSearch.find(
                    rate -> trials[0]++ == pause
                            ? new RateSearch.Answer(false, true, "a pause")
                            : rate <= 1_000 ? RateSearch.Answer.kept() : NO,
                    900);
            assertThat(found.ratePerSecond())
                    .as("the pause in trial %s", pause)
                    .isBetween(1_000 / RateSearch.STEP, 1_000.0);
            assertThat(found.byDriver()).isFalse();
        }
    }

    @Test
    void givesUpWhenNothingIsSustained() throws Exception {
        RateSearch.Found none = RateSearch.find(rate -> NO, 5_000);
        assertThat(none.ratePerSecond()).isZero();
        assertThat(none.words())
                .isEqualTo("no rate was sustained in 24 trials, not at 98.9 msg/s: too much");
        RateSearch.Found boundless = RateSearch.find(rate -> RateSearch.Answer.kept(), 1);
        assertThat(boundless.words()).endsWith("no rate was too much");
    }

    /** The likelihood of a success falls with the rate along a logistic curve. */
    @Test
    void whereTrialsEndByChanceTheRateIsNearThatOfHalf() throws Exception {
        for (double width : new double[] {0.003, 0.01, 0.02, 0.04}) {
            double bias = 0;
            for (long seed = 1; seed <= SEARCHES; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                RateSearch.Found found = RateSearch.find(
                        rate -> random.nextDouble()
                                        < 1 / (1 + Math.exp(Math.log(rate / CAPACITY) / width))
                                ? RateSearch.Answer.kept()
                                : NO,
                        CAPACITY * random.nextDouble(0.7, 1.2));
                bias += Math.log(found.ratePerSecond() / CAPACITY) / SEARCHES;
            }
            assertThat(bias).as("width %s", width).isBetween(-0.035, 0.0);
        }
    }
}
