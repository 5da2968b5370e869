package org.hubmark.bench.qualify.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;
import java.util.stream.Stream;

/** Proves what is made of rounds that belong together in pairs: ratios and intervals. */
class CachePairsTest {
    private static final Counter COUNTED = new Counter("cost");

    private static Row row(String cache, String values) {
        return new Row(
                Map.of(CacheFigures.CACHE.key(), cache),
                Stream.of(values.split(" ", -1))
                        .map(value -> Repeat.counted()
                                .count(COUNTED, Double.valueOf(value))
                                .made())
                        .toList());
    }

    /**
     * A machine that slows down by half, and a second that needs a tenth more in every round; logarithms 0,
     * 0.5 and 1, of which t(0.975, 2) is 4.3027 and the deviation 0.5; what is not known; and the first itself.
     */
    @ParameterizedTest
    @CsvSource({
        "100 120 150 180 200, on, 110 132 165 198 220, 1.1, 1.1, 1.1",
        "1 1 1, on, 1 1.648721271 2.718281828, 1.648721, 0.476121, 5.709210",
        "1, on, 5, 5,,",
        "1 NaN 1, on, 3 100 3, 3, 3, 3",
        "NaN, on, 5, NaN,,",
        "1 2, off, 1 2, NaN,,",
    })
    void ratiosAreMadeWithinARound(
            String first,
            String cache,
            String second,
            double ratio,
            @Nullable Double low,
            @Nullable Double high) {
        Estimate made = CacheFigures.inPairs(
                row("off", first), row(cache, second), Column.of(COUNTED, "", "Cost"));
        Interval range = made.range();
        assertThat(range == null).isEqualTo(low == null);
        assertThat(Double.isNaN(ratio) ? !made.isKnown() : Math.abs(made.value() - ratio) < 1e-6)
                .isTrue();
        if (range != null) {
            assertThat(range.low()).isCloseTo(low, within(1e-4));
            assertThat(range.high()).isCloseTo(high, within(1e-3));
        }
    }
}
