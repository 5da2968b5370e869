package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.statistics.Interval;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Proves what is made of repeats that belong together in pairs: ratios, intervals, and who is worse. */
class PairsTest {
    private static final Name LOAD = Name.of("load", "Load");
    private static final Name BUILD = Name.of("build", "Build");
    private static final Counter RATE = new Counter("rate");
    private static final Counter COST = new Counter("cost");
    private static final Column RATIO_OF_RATES = ratio(RATE, Better.MORE);
    private static final Column RATIO_OF_COSTS = ratio(COST, Better.LESS);
    private static final Form FORM = Form.of(
            "rows",
            "Rows",
            List.of(LOAD, BUILD),
            List.of(
                    Column.of(RATE, "", "Rate"),
                    Column.of(COST, "", "Cost"),
                    RATIO_OF_RATES,
                    RATIO_OF_COSTS));

    private static Column ratio(Counter of, Better better) {
        return new Column(
                of.key() + "_to_first",
                "",
                of.key() + " to the first",
                3,
                better,
                new Column.Definition.InPairs(Column.of(of, "", of.key()), BUILD));
    }

    private static Row row(String load, String build, Counter counter, double... values) {
        List<Repeat> repeats = new ArrayList<>();
        for (double value : values) {
            repeats.add(
                    value < 0
                            ? Repeat.counted().made()
                            : Repeat.counted().count(counter, value).made());
        }
        return new Row(Map.of(LOAD.key(), load, BUILD.key(), build), repeats);
    }

    private static Estimate ratio(double[] first, double[] second) {
        Row row = row("large", "B", COST, second);
        return new Table(
                        FORM,
                        List.of(
                                row("small", "A", COST, 7, 7, 7),
                                row("large", "A", COST, first),
                                row))
                .estimate(row, RATIO_OF_COSTS);
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
        Row first = row("large", "A", COST, 1, 2);
        assertThat(new Table(FORM, List.of(first))
                        .estimate(first, RATIO_OF_COSTS)
                        .isKnown())
                .isFalse();
    }
}
