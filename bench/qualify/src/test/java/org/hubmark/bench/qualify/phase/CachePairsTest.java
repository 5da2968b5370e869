package org.hubmark.bench.qualify.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.statistics.Interval;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Proves what is made of rounds that belong together in pairs: ratios and intervals. */
class CachePairsTest {
    private static final Counter COUNTED = new Counter("cost");
    private static final Column COST = Column.of(COUNTED, "", "Cost");

    private static Row row(String cache, double... values) {
        List<Repeat> rounds = new ArrayList<>();
        for (double value : values) {
            rounds.add(Repeat.counted()
                    .count(COUNTED, value < 0 ? Double.NaN : value)
                    .made());
        }
        return new Row(Map.of(CacheFigures.CACHE.key(), cache), rounds);
    }

    private static Estimate ratio(double[] first, double[] second) {
        return CacheFigures.inPairs(row("off", first), row("on", second), COST);
    }

    @Test
    void ratiosAreMadeWithinARepeat() {
        // The machine slows down by half; the second needs a tenth more in every repeat.
        Estimate ratio = ratio(
                new double[] {100, 120, 150, 180, 200}, new double[] {110, 132, 165, 198, 220});
        assertThat(ratio.value()).isEqualTo(1.1, within(1e-9));
        Interval interval = Objects.requireNonNull(ratio.range());
        assertThat(interval.low()).isEqualTo(1.1, within(1e-9));
        assertThat(interval.high()).isEqualTo(1.1, within(1e-9));
    }

    @Test
    void theIntervalIsStudentsOfTheLogarithms() {
        // Logarithms 0, 0.5, 1: t(0.975, 2) = 4.3027, and the deviation is 0.5.
        Estimate ratio = ratio(new double[] {1, 1, 1}, new double[] {1, Math.exp(0.5), Math.E});
        double half = 4.3027 * 0.5 / Math.sqrt(3);
        assertThat(ratio.value()).isCloseTo(Math.exp(0.5), within(1e-9));
        assertThat(Math.log(Objects.requireNonNull(ratio.range()).low()))
                .isEqualTo(0.5 - half, within(1e-3));
    }

    @Test
    void aSinglePairHasNoIntervalAndWhatIsNotKnownNoRatio() {
        assertThat(ratio(new double[] {1}, new double[] {5}).range()).isNull();
        Estimate leftOut = ratio(new double[] {1, -1, 1}, new double[] {3, 100, 3});
        assertThat(leftOut.value()).isCloseTo(3, within(1e-9));
        assertThat(ratio(new double[] {-1}, new double[] {5}).isKnown()).isFalse();
        Row first = row("off", 1, 2);
        assertThat(CacheFigures.inPairs(first, first, COST).isKnown()).isFalse();
    }
}
