package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.statistics.Interval;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/** Proves that an interval stands beside the mean that it is of, and that an asked rate has none. */
class SpreadTest {
    private static final double[] RATES = {100, 200, 400};

    @Test
    void anIntervalHasTheMeanThatItIsOf() {
        Spread spread = Spread.of(RATES, 3, false);
        assertThat(spread.throughputGeometricMeanMsgsPerS()).isEqualTo(200, within(1e-9));
        Interval interval = Objects.requireNonNull(spread.throughputCi95MsgsPerS());
        assertThat(Math.sqrt(interval.low() * interval.high())).isEqualTo(200, within(1e-9));
    }

    @Test
    void twoRepeatsHaveNone() {
        double[] two = {18_568, 13_438};
        Spread spread = Spread.of(two, 2, false);
        assertThat(spread.throughputCi95MsgsPerS()).isNull();
        assertThat(spread.throughputGeometricMeanMsgsPerS()).isNotNull();
    }

    @Test
    void aRateThatWasAskedForHasNone() {
        Spread spread = Spread.of(RATES, 3, true);
        assertThat(spread.throughputGeometricMeanMsgsPerS()).isNull();
        assertThat(spread.throughputCi95MsgsPerS()).isNull();
    }

    @Test
    void ofSeveralSearchesTheMedianIsTheRate() {
        assertThat(SustainedRate.median(List.of(found(400), found(100), found(200))))
                .isEqualTo(found(200));
        assertThat(SustainedRate.median(List.of(found(200), found(100)))).isEqualTo(found(100));
        assertThat(SustainedRate.median(List.of())).isNull();
    }

    private static SustainedRate found(double rate) {
        return new SustainedRate(rate, "");
    }
}
