package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.SplittableRandom;

/** Proves that the search ends near the capacity of a simulated server, whatever it begins with. */
class RateSearchTest {
    private static final RateSearch.Answer NO = new RateSearch.Answer(false, false, "too much");

    @Test
    void findsTheCapacityFromAnyGuess() throws Exception {
        for (double capacity : new double[] {1.5, 48.85, 9_000, 250_000}) {
            for (double guess : new double[] {0.01, 0.3, 1, 1.04, 30}) {
                RateSearch.Found found = RateSearch.find(
                        rate -> rate <= capacity ? RateSearch.Answer.kept() : NO, guess * capacity);
                assertThat(found.ratePerSecond())
                        .as("%s from %s", capacity, guess)
                        .isBetween(capacity / RateSearch.PRECISION, capacity);
                assertThat(found.bound().orElseThrow().ratePerSecond()).isGreaterThan(capacity);
                assertThat(found.byDriver()).isFalse();
            }
        }
    }

    @Test
    void triesTheResultAgainAndGoesLowerWhenItWasLuck() throws Exception {
        // Sustained the first time up to 1000, each time only up to 800.
        double[] best = {0};
        RateSearch.Found found = RateSearch.find(
                rate -> {
                    boolean again = rate <= best[0];
                    best[0] = Math.max(best[0], rate <= 1_000 ? rate : 0);
                    return rate <= (again ? 800 : 1_000) ? RateSearch.Answer.kept() : NO;
                },
                900);
        assertThat(found.ratePerSecond()).isBetween(800 / RateSearch.PRECISION, 800.0);
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
        for (int unlucky = 0; unlucky < 12; unlucky++) {
            int[] trials = {0};
            int pause = unlucky;
            RateSearch.Found found = RateSearch.find(
                    rate -> trials[0]++ != pause && rate <= 1_000 ? RateSearch.Answer.kept() : NO,
                    300);
            assertThat(found.ratePerSecond())
                    .as("the pause in trial %s", pause)
                    .isBetween(1_000 / RateSearch.PRECISION, 1_000.0);
        }
    }

    @Test
    void triesAgainWhenTheDriverPausedOnce() throws Exception {
        int[] trials = {0};
        RateSearch.Found found = RateSearch.find(
                rate -> trials[0]++ == 0
                        ? new RateSearch.Answer(false, true, "a pause")
                        : rate <= 1_000 ? RateSearch.Answer.kept() : NO,
                900);
        assertThat(found.ratePerSecond()).isBetween(1_000 / RateSearch.PRECISION, 1_000.0);
        assertThat(found.byDriver()).isFalse();
    }

    @Test
    void givesUpWhenNothingIsSustained() throws Exception {
        assertThat(RateSearch.find(rate -> NO, 5_000).ratePerSecond()).isZero();
        RateSearch.Found boundless = RateSearch.find(rate -> RateSearch.Answer.kept(), 1);
        assertThat(boundless.bound()).isEmpty();
        assertThat(boundless.attempts()).hasSize(40);
    }

    @Test
    void endsWithANoisyServer() throws Exception {
        for (long seed = 1; seed <= 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            RateSearch.Found found = RateSearch.find(
                    rate -> rate <= 1_000 * random.nextDouble(0.9, 1.1)
                            ? RateSearch.Answer.kept()
                            : NO,
                    1_000);
            assertThat(found.ratePerSecond()).as("seed %s", seed).isBetween(700.0, 1_100.0);
        }
    }
}
