package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.statistics.Interval;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/** Proves that an interval stands beside the mean that it is of, and that an asked rate has none. */
class SpreadTest {
    private static final double[] RATES = {100, 200, 400};
    private static final double[] COSTS = {1, 2, 4};

    @Test
    void anIntervalHasTheMeanThatItIsOf() {
        Spread spread = Spread.of(RATES, COSTS, 3, false);
        assertThat(spread.throughputGeometricMeanMsgsPerS()).isEqualTo(200, within(1e-9));
        Interval interval = Objects.requireNonNull(spread.throughputCi95MsgsPerS());
        assertThat(Math.sqrt(interval.low() * interval.high())).isEqualTo(200, within(1e-9));
        assertThat(spread.costGeometricMeanMcyclesPerMsg()).isEqualTo(2, within(1e-9));
    }

    @Test
    void twoRepeatsHaveNone() {
        double[] two = {18_568, 13_438};
        Spread spread = Spread.of(two, two, 2, false);
        assertThat(spread.throughputCi95MsgsPerS()).isNull();
        assertThat(spread.costCi95McyclesPerMsg()).isNull();
        assertThat(spread.throughputGeometricMeanMsgsPerS()).isNotNull();
    }

    @Test
    void aRateThatWasAskedForHasNone() {
        Spread spread = Spread.of(RATES, COSTS, 3, true);
        assertThat(spread.throughputGeometricMeanMsgsPerS()).isNull();
        assertThat(spread.throughputCi95MsgsPerS()).isNull();
        assertThat(spread.costCi95McyclesPerMsg()).as("its cost is a result").isNotNull();
    }

    @Test
    void ofSeveralSearchesTheGeometricMeanIsTheRate() {
        SustainedRate all = Objects.requireNonNull(
                SustainedRate.median(List.of(found(100), found(200), found(400)), 1));
        Estimate rate = Objects.requireNonNull(all.at95Percent());
        assertThat(all.msgsPerS()).isEqualTo(200);
        assertThat(rate.value()).isEqualTo(200, within(1e-9));
        assertThat(rate.of()).isEqualTo(Estimate.Of.GEOMETRIC_MEAN);
        assertThat(rate.n()).isEqualTo(3);
        assertThat(rate.design()).isEqualTo(Estimate.Design.ONE_SITTING);
        SustainedRate later =
                Objects.requireNonNull(SustainedRate.median(List.of(found(100), found(200)), 2));
        assertThat(Objects.requireNonNull(later.at95Percent()).design())
                .isEqualTo(Estimate.Design.SEVERAL_SITTINGS);
        assertThat(SustainedRate.median(List.of(found(100)), 1)).isEqualTo(found(100));
    }

    private static SustainedRate found(double rate) {
        Estimate fitted = new Estimate(
                rate,
                Estimate.Of.FITTED,
                new Interval(0.9 * rate, 1.1 * rate),
                21,
                Estimate.Design.ONE_RUN,
                List.of());
        return SustainedRate.of(rate, "", fitted);
    }
}
