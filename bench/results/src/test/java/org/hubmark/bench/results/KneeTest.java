package org.hubmark.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Proves where waiting is said to set in. */
class KneeTest {
    @Test
    void liesBelowTheFirstRateAtWhichThe99thPercentileHasDoubled() {
        Knee knee = Knee.of(
                List.of(at(500, 500, 2, 10.0), at(700, 700, 3.9, 12.0), at(800, 800, 4.1, 13.0)));
        assertThat(knee.rateMsgsPerS()).isEqualTo(700);
        assertThat(knee.before()).isEqualTo(knee.steps().get(1));
        assertThat(knee.after()).isEqualTo(knee.steps().get(2));
    }

    @Test
    void liesBelowTheFirstRateThatWasNotKept() {
        Knee knee = Knee.of(List.of(at(500, 500, 2, null), at(700, 690, 2, null)));
        assertThat(knee.rateMsgsPerS()).isEqualTo(500);
    }

    @Test
    void theTimeInTheQueueCountsToo() {
        Knee knee = Knee.of(List.of(at(500, 500, 2, 10.0), at(700, 700, 2, 21.0)));
        assertThat(knee.rateMsgsPerS()).isEqualTo(500);
    }

    @Test
    void isUnknownWhereNothingTurnsUp() {
        Knee knee = Knee.of(List.of(at(500, 500, 2, null), at(1000, 1000, 3, null)));
        assertThat(knee.rateMsgsPerS()).isNull();
        assertThat(knee.before()).isNull();
        assertThat(knee.after()).isNull();
    }

    @Test
    void isUnknownWhereTheLowestRateWasNotKept() {
        Knee knee = Knee.of(List.of(at(500, 400, 2, null), at(700, 400, 90, null)));
        assertThat(knee.rateMsgsPerS()).isNull();
    }

    private static Knee.At at(
            double asked, double accepted, double p99, @Nullable Double residence) {
        return new Knee.At(asked / 1000, asked, accepted, p99, residence, 50.0, null, null);
    }
}
