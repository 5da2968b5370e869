package org.hubmark.bench.kit.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** Of five, 9 pairs of 10 may rise by chance: p is 0.083. Of seven, 19 of 21: p is 0.011. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            10159 10828 13887 | 0.367
            110 105 100       | -0.091
            1 2 4 3 5 7 6     | 5.25
            # It rises, but by little; it scatters; it is short.
            100 101 102       | -
            100 130 120       | -
            100 130           | -
            1 2 3 5 4         | -
            """)
    void aTrendIsWhatChanceHardlyMakes(String repeats, @Nullable Double trend) {
        Double found = Inference.trend(Arrays.stream(repeats.split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray());
        if (trend == null) {
            assertThat(found).isNull();
        } else {
            assertThat(found).isEqualTo(trend, CLOSE);
        }
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
        assertThat(held(5, 1, 4)).isBetween(0.9, 0.97);
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
        assertThat(held(3, 0, 3)).isBetween(0.935, 0.965);
    }

    /** {@return in what share of draws of a normal distribution the interval of the middle has the mean} */
    private static double held(int repeats, int from, int to) {
        int held = 0;
        int draws = 2_000;
        SplittableRandom random = new SplittableRandom(1);
        for (int draw = 0; draw < draws; draw++) {
            double[] values = new double[repeats];
            Arrays.setAll(values, i -> 100 + 5 * random.nextGaussian());
            double[] middle = values.clone();
            Arrays.sort(middle);
            Interval interval = Objects.requireNonNull(
                    Inference.ofMiddle(values, Arrays.copyOfRange(middle, from, to)));
            held += interval.low() <= 100 && 100 <= interval.high() ? 1 : 0;
        }
        return (double) held / draws;
    }
}
