package org.hubmark.bench.kit.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;

/** Proves the intervals on published and hand-made numbers. */
class InferenceTest {
    private static final Offset<Double> CLOSE = within(1e-3);

    @Test
    void intervalOfAMean() {
        // t(0.975, 2) = 4.3027; the deviation is 1.
        Interval interval = Objects.requireNonNull(Inference.ofMean(new double[] {-1, 0, 1}));
        assertThat(interval.low()).isEqualTo(-4.3027 / Math.sqrt(3), CLOSE);
        assertThat(interval.high()).isEqualTo(4.3027 / Math.sqrt(3), CLOSE);
        assertThat(Inference.ofMean(new double[] {1})).isNull();
    }

    /** On the scale of the values it would reach from -2,900 to 9,600. */
    @Test
    void aRateIsNeverBelowZero() {
        double[] rates = {1000, 3000, 6000};
        Interval interval = Objects.requireNonNull(Inference.ofMean(rates));
        assertThat(interval.low()).isPositive();
        // The deviation of the logarithms 6.9078, 8.0064 and 8.6995 is 0.9035.
        double half = 4.3027 * 0.9035 / Math.sqrt(3);
        assertThat(Math.log(interval.low())).isEqualTo(7.8712 - half, CLOSE);
        assertThat(Math.log(interval.high())).isEqualTo(7.8712 + half, CLOSE);
    }

    @Test
    void aTrendIsWhatChanceHardlyMakes() {
        assertThat(Inference.trend(new double[] {10_159, 10_828, 13_887})).isEqualTo(0.367, CLOSE);
        assertThat(Inference.trend(new double[] {110, 105, 100})).isNegative();
        // It rises, but by little; it scatters; it is short.
        assertThat(Inference.trend(new double[] {100, 101, 102})).isNull();
        assertThat(Inference.trend(new double[] {100, 130, 120})).isNull();
        assertThat(Inference.trend(new double[] {100, 130})).isNull();
        // Of five, 9 pairs of 10 may rise by chance: p is 0.083. Of seven, 19 of 21: p is 0.011.
        assertThat(Inference.trend(new double[] {1, 2, 3, 5, 4})).isNull();
        assertThat(Inference.trend(new double[] {1, 2, 4, 3, 5, 7, 6})).isPositive();
    }

    @Test
    void aTrendIsSeldomSeenWhereThereIsNone() {
        long seed = 11;
        Random random = new Random(seed);
        int seen = 0;
        for (int run = 0; run < 2000; run++) {
            double[] rates = new double[10];
            Arrays.setAll(rates, i -> 1000 * Math.exp(0.2 * random.nextGaussian()));
            seen += Inference.trend(rates) == null ? 0 : 1;
        }
        assertThat(seen).as("of 2000, seed %d", seed).isBetween(50, 110);
    }

    /** Draws of a normal distribution: the interval of five without two is somewhat short, as its authors say. */
    @Test
    void theIntervalOfATrimmedMeanIsItsOwn() {
        int held = 0;
        int draws = 2_000;
        SplittableRandom random = new SplittableRandom(1);
        for (int draw = 0; draw < draws; draw++) {
            double[] five = new double[5];
            Arrays.setAll(five, i -> 100 + 5 * random.nextGaussian());
            double[] middle = five.clone();
            Arrays.sort(middle);
            Interval interval = Objects.requireNonNull(
                    Inference.ofMiddle(five, Arrays.copyOfRange(middle, 1, 4)));
            held += interval.low() <= 100 && 100 <= interval.high() ? 1 : 0;
        }
        assertThat((double) held / draws).isBetween(0.9, 0.97);
        // Chosen by another figure: Student's, as above.
        Interval others = Objects.requireNonNull(
                Inference.ofMiddle(new double[] {-9, 1, 2, 6, -9}, new double[] {-1, 0, 1}));
        assertThat(others.high()).isEqualTo(4.3027 / Math.sqrt(3), within(1e-3));
        assertThat(Inference.ofMiddle(new double[] {1, 2, 3}, new double[] {2})).isNull();
    }

    /** Two that differ by half. */
    @Test
    void anIntervalThatTellsNothingIsNone() {
        double[] near = {100, 140};
        double[] apart = {100, 150};
        assertThat(Inference.ofMean(near)).isNotNull();
        assertThat(Inference.ofMean(apart)).isNull();
        assertThat(Inference.ofMiddle(apart, apart)).isNull();
        assertThat(Ratio.ofPairs(apart).usableInterval()).isNull();
        // The digits are those of repeats that scatter as much, not those of a single one.
        assertThat(Digits.text(120, apart, 2)).isEqualTo("100");
        // Around 0 a small figure is no less certain than a large one.
        assertThat(Inference.ofMean(new double[] {-1, 2})).isNotNull();
        assertThat(new Interval(0, 0).usable()).isNotNull();
    }

    /** Three and no middle: it lies around the mean, which ends of a geometric mean do not. */
    @Test
    void theIntervalOfAllIsThatOfTheirArithmeticMean() {
        double[] three = {80, 100, 150};
        Interval interval = Objects.requireNonNull(Inference.ofMiddle(three, three));
        assertThat(Math.sqrt(interval.low() * interval.high())).isEqualTo(110, CLOSE);
        double error = Math.sqrt(1300 / 3.0);
        assertThat(Math.log(interval.high() / 110)).isEqualTo(4.3027 * error / 110, within(1e-4));
        int held = 0;
        int draws = 2_000;
        SplittableRandom random = new SplittableRandom(1);
        for (int draw = 0; draw < draws; draw++) {
            double[] values = new double[3];
            Arrays.setAll(values, i -> 100 + 5 * random.nextGaussian());
            Interval drawn = Objects.requireNonNull(Inference.ofMiddle(values, values));
            held += drawn.low() <= 100 && 100 <= drawn.high() ? 1 : 0;
        }
        assertThat((double) held / draws).isBetween(0.935, 0.965);
    }
}
