package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.statistics.Interval;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Proves that the search ends near the capacity of a simulated server, whatever it begins with; and, by
 * some hundred searches of servers whose trials end by chance, that neither rate is biased, that the
 * intervals hold the true rates as often as they say, and that a search that stops at a success is
 * too optimistic.
 */
class RateSearchTest {
    private static final RateSearch.Answer NO = new RateSearch.Answer(false, false, "too much");
    private static final double CAPACITY = 10_000;
    private static final int SEARCHES = 200;

    /** Of the curve: 95 % lies 0.9 % to 11 % below half. */
    private static final double[] WIDTHS = {0.003, 0.01, 0.02, 0.04};

    @Test
    void findsTheCapacityFromAnyGuess() throws Exception {
        for (double capacity : new double[] {1.5, 48.85, 9_000, 250_000}) {
            for (double guess : new double[] {0.01, 0.3, 1, 1.04, 30}) {
                RateSearch.Found found = RateSearch.find(
                        rate -> rate <= capacity ? RateSearch.Answer.kept() : NO,
                        guess * capacity,
                        1);
                assertThat(found.ratePerSecond())
                        .as("%s from %s", capacity, guess)
                        .isBetween(capacity / RateSearch.STEP, capacity * 1.01);
                assertThat(found.words()).contains(" not at ").endsWith(": too much");
                assertThat(found.byDriver()).isFalse();
            }
        }
    }

    /** What is tried is settled before the first trial of the ladder, but for where it lies. */
    @Test
    void eachRungIsTriedAsOftenInRandomOrder() throws Exception {
        RateSearch.Found found = RateSearch.find(
                rate -> rate <= CAPACITY ? RateSearch.Answer.kept() : NO, CAPACITY, 7);
        List<Double> ladder = found.attempts().stream()
                .map(RateSearch.Attempt::ratePerSecond)
                .skip(found.attempts().size() - (long) RateSearch.RUNGS * RateSearch.TRIALS)
                .toList();
        for (int block = 0; block < RateSearch.TRIALS; block++) {
            assertThat(ladder.subList(block * RateSearch.RUNGS, (block + 1) * RateSearch.RUNGS))
                    .doesNotHaveDuplicates()
                    .containsExactlyInAnyOrderElementsOf(ladder.subList(0, RateSearch.RUNGS))
                    .isNotEqualTo(ladder.subList(0, RateSearch.RUNGS).stream()
                            .sorted()
                            .toList());
        }
    }

    @Test
    void saysThatTheDriverSetTheBound() throws Exception {
        RateSearch.Found found = RateSearch.find(
                rate -> rate < 500
                        ? RateSearch.Answer.kept()
                        : new RateSearch.Answer(false, true, "the driver"),
                400,
                1);
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
                    900,
                    1);
            assertThat(found.ratePerSecond())
                    .as("the pause in trial %s", pause)
                    .isBetween(1_000 / RateSearch.STEP / RateSearch.STEP, 1_010.0);
            assertThat(found.byDriver()).isFalse();
        }
    }

    @Test
    void givesUpWhenNothingIsSustained() throws Exception {
        RateSearch.Found none = RateSearch.find(rate -> NO, 5_000, 1);
        assertThat(none.ratePerSecond()).isZero();
        assertThat(none.attempts()).hasSize(24);
        assertThat(none.attempts().getLast().ratePerSecond()).isGreaterThan(5_000 / 60.0);
        assertThat(none.words())
                .startsWith("no rate was sustained in 24 trials, not at 98.9 msg/s: ");
        RateSearch.Found boundless = RateSearch.find(rate -> RateSearch.Answer.kept(), 1, 1);
        assertThat(boundless.words()).endsWith("no rate was too much");
        assertThat(boundless.attempts()).hasSize(60);
    }

    /** A server whose trials end by chance: the likelihood falls with the rate along a logistic curve. */
    private record Server(double width, double lapses) {
        double at(double share) {
            return CAPACITY * Math.exp(-Math.log(share / (1 - share)) * width);
        }

        double probability(double rate) {
            return (1 - lapses) / (1 + Math.exp(Math.log(rate / CAPACITY) / width));
        }

        RateSearch.Trial trial(SplittableRandom random) {
            return rate -> random.nextDouble() < probability(rate) ? RateSearch.Answer.kept() : NO;
        }
    }

    /** What some hundred searches of one server make together. */
    private static final class Searches {
        private final Server server;
        private double half;
        private double most;
        private int halfHeld;
        private int mostHeld;
        private double trials;
        private double sustained;

        Searches(Server server) {
            this.server = server;
            // A search needs a processor and nothing else of the machine, so there is one on each.
            LongStream.rangeClosed(1, SEARCHES)
                    .parallel()
                    .mapToObj(this::search)
                    .toList()
                    .forEach(this::add);
        }

        private RateSearch.Found search(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            try {
                return RateSearch.find(
                        server.trial(random), CAPACITY * random.nextDouble(0.7, 1.2), seed);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void add(RateSearch.Found found) {
            SustainedFit fit = Objects.requireNonNull(found.fit());
            half += Math.log(fit.half().value() / server.at(0.5)) / SEARCHES;
            most += Math.log(fit.most().value() / server.at(0.95)) / SEARCHES;
            halfHeld += holds(fit.half(), server.at(0.5)) ? 1 : 0;
            mostHeld += holds(fit.most(), server.at(0.95)) ? 1 : 0;
            trials += (double) found.attempts().size() / SEARCHES;
            sustained += server.probability(found.ratePerSecond()) / SEARCHES;
        }

        private static boolean holds(Estimate estimate, double rate) {
            Interval range = Objects.requireNonNull(estimate.range());
            return range.low() <= rate && rate <= range.high();
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s: bias %.4f and %.4f, held %d and %d of %d, %.1f trials, sustained %.3f",
                    server,
                    half,
                    most,
                    halfHeld,
                    mostHeld,
                    SEARCHES,
                    trials,
                    sustained);
        }
    }

    @Test
    void theRatesAreNotBiasedAndTheirIntervalsHold() {
        for (double width : WIDTHS) {
            for (double lapses : new double[] {0, 0.02, 0.1}) {
                Searches all = new Searches(new Server(width, lapses));
                assertThat(all.half).as("%s", all).isBetween(-0.015, 0.02);
                assertThat(all.most).as("%s", all).isBetween(-0.035, 0.05);
                // An interval of 95 % of some twenty trials; 4 in 100 is what 200 draws scatter by.
                assertThat(all.halfHeld).as("%s", all).isGreaterThan(88 * SEARCHES / 100);
                assertThat(all.mostHeld).as("%s", all).isGreaterThan(78 * SEARCHES / 100);
                assertThat(all.sustained).as("%s", all).isGreaterThan(0.78 * (1 - lapses));
                assertThat(all.trials).as("%s", all).isLessThan(42);
            }
        }
    }

    /** The more the trials scatter, the more a search that takes the first success promises too much. */
    @Test
    void aSearchThatStopsAtASuccessIsTooOptimistic() throws Exception {
        for (double width : new double[] {0.02, 0.04}) {
            Server server = new Server(width, 0);
            double bias = 0;
            double sustained = 0;
            for (long seed = 1; seed <= SEARCHES; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                double found = OldSearch.find(
                        server.trial(random), CAPACITY * random.nextDouble(0.7, 1.2));
                bias += Math.log(found / server.at(0.95)) / SEARCHES;
                sustained += server.probability(found) / SEARCHES;
            }
            Searches all = new Searches(server);
            assertThat(bias).as("%s", all).isGreaterThan(0.025).isGreaterThan(1.8 * all.most);
            assertThat(sustained).as("%s", all).isLessThan(0.75).isLessThan(all.sustained - 0.08);
        }
    }

    /**
     * How a rate was searched before: the first success counts, a failure is tried again, and the highest
     * of all that succeeded is the answer, after one more trial by the same rule.
     */
    @SuppressWarnings("IdentityBinaryExpression")
    private static final class OldSearch {
        private static final double PRECISION = 1.05;
        private final RateSearch.Trial trial;
        private double sustained;
        private double tooMuch = Double.POSITIVE_INFINITY;

        private OldSearch(RateSearch.Trial trial) {
            this.trial = trial;
        }

        static double find(RateSearch.Trial trial, double guess)
                throws IOException, InterruptedException {
            OldSearch search = new OldSearch(trial);
            for (double rate = guess;
                    search.sustained == 0 || Double.isInfinite(search.tooMuch); ) {
                rate *= search.attempt(rate) ? 1.25 : 0.7;
            }
            while (search.tooMuch > search.sustained * PRECISION) {
                search.attempt(Math.sqrt(search.sustained * search.tooMuch));
            }
            double found = search.sustained;
            while (!search.attempt(found)) {
                found /= PRECISION;
            }
            return found;
        }

        private boolean attempt(double rate) throws IOException, InterruptedException {
            boolean kept = trial.at(rate).sustained()
                    || (trial.at(rate).sustained() && trial.at(rate).sustained());
            if (kept) {
                sustained = Math.max(sustained, rate);
            } else {
                tooMuch = Math.min(tooMuch, rate);
            }
            return kept;
        }
    }
}
