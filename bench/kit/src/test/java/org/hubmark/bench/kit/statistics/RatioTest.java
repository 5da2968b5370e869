package org.hubmark.bench.kit.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/** Proves Welch's interval of a ratio by hand, and by draws what is said of its power. */
class RatioTest {
    private static final Offset<Double> CLOSE = within(1e-3);

    @Test
    void intervalOfARatio() {
        double[] first = {1, Math.E, Math.exp(2)};
        double[] second = {Math.E, Math.exp(2), Math.exp(3)};
        // Equal variances of 1: 4 degrees of freedom, t(0.975, 4) = 2.7764.
        double half = 2.7764 * Math.sqrt(2.0 / 3);
        Ratio ratio = Ratio.of(first, second);
        Interval interval = Objects.requireNonNull(ratio.interval());
        assertThat(ratio.value()).isEqualTo(Math.E, CLOSE);
        assertThat(Math.log(interval.low())).isEqualTo(1 - half, CLOSE);
        assertThat(Math.log(interval.high())).isEqualTo(1 + half, CLOSE);
        Ratio single = Ratio.of(first, new double[] {1});
        assertThat(single.interval()).isNull();
    }

    /** Two pairs of which one is up as far as the other is down come to nothing. */
    @Test
    void severalPairsHaveTheirMean() {
        double[] low = {99, 101};
        double[] high = {198, 202};
        Ratio ratio = Ratio.mean(List.of(Ratio.of(low, high), Ratio.of(high, low)));
        assertThat(ratio.value()).isEqualTo(1, CLOSE);
        // Four samples of one variance v have the error of their mean, sqrt(4 x v / 2) / 2.
        double variance = Math.pow(Math.log(101.0 / 99), 2) / 2;
        assertThat(ratio.error()).isEqualTo(Math.sqrt(variance / 2), CLOSE);
        assertThat(ratio.degrees()).isEqualTo(4, CLOSE);
    }
}
