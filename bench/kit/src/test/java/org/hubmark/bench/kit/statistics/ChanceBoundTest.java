package org.hubmark.bench.kit.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Proves what a count of trials says of the next one, on values of the literature. */
class ChanceBoundTest {
    @Test
    void theChanceIsBoundedByTheCount() {
        assertThat(ChanceBound.of(0, 0)).isEqualTo(new ChanceBound(Double.NaN, null));
        assertThat(ChanceBound.of(0, 60)).isEqualTo(new ChanceBound(0.05, "rule of three"));
        assertThat(ChanceBound.of(0, 2).upper()).isEqualTo(1.0);
        // Clopper and Pearson, one-sided: 1 of 20 is below 21.6 %, 20 of 20 says nothing.
        ChanceBound one = ChanceBound.of(1, 20);
        assertThat(one.method()).isEqualTo("exact binomial");
        assertThat(one.upper()).isCloseTo(0.216, within(0.001));
        assertThat(ChanceBound.of(20, 20).upper()).isEqualTo(1.0);
    }
}
