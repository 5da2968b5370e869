package org.hubmark.bench.kit.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Random;

/** Proves on lines with known noise that the slope is found, and that 95 of 100 intervals hold it. */
class NearestLineTest {
    private static final int TRIALS = 4000;
    private static final double[] X = {0, 1, 2, 4, 8, 9, 11, 12};

    private static double[] line(double slope, double noise, Random random) {
        double[] y = new double[X.length];
        for (int i = 0; i < X.length; i++) {
            y[i] = 100 + slope * X[i] + noise * random.nextGaussian();
        }
        return y;
    }

    @Test
    void aLineWithoutNoiseIsItself() {
        double[] y = line(-3, 0, new Random(1));
        assertThat(NearestLine.slope(X, y)).isCloseTo(-3, within(1e-9));
        Interval interval = NearestLine.interval(X, y);
        assertThat(interval).isNotNull();
        assertThat(interval.low()).isCloseTo(-3, within(1e-9));
        assertThat(interval.high()).isCloseTo(-3, within(1e-9));
    }

    @Test
    void theIntervalHoldsTheSlopeAsOftenAsItSays() {
        Random random = new Random(2);
        int holds = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            Interval interval = NearestLine.interval(X, line(2, 5, random));
            assertThat(interval).isNotNull();
            holds += interval.low() <= 2 && 2 <= interval.high() ? 1 : 0;
        }
        assertThat((double) holds / TRIALS).isBetween(0.94, 0.96);
    }

    @Test
    void pointsThatAreNotKnownAreLeftOut() {
        double[] x = {0, 1, Double.NaN, 2};
        double[] y = {5, 7, 1000, 9};
        assertThat(NearestLine.slope(x, y)).isCloseTo(2, within(1e-12));
        assertThat(NearestLine.slope(new double[] {0, 1}, new double[] {5, 7})).isNaN();
        assertThat(NearestLine.interval(new double[] {0, 1}, new double[] {5, 7}))
                .isNull();
        assertThat(NearestLine.interval(new double[] {1, 1, 1}, new double[] {5, 6, 7}))
                .isNull();
    }
}
