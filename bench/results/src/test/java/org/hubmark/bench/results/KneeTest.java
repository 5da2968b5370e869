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
                List.of(at(500, 500, 2.0, 10.0), at(700, 700, 3.9, 12.0), at(800, 800, 4.1, 13.0)));
        assertThat(knee.rateMsgsPerS()).isEqualTo(700);
        assertThat(knee.before()).isEqualTo(knee.steps().get(1));
        assertThat(knee.after()).isEqualTo(knee.steps().get(2));
    }

    @Test
    void liesBelowTheFirstRateThatWasNotKept() {
        Knee knee = Knee.of(List.of(at(500, 500, 2.0, null), at(700, 690, 2.0, null)));
        assertThat(knee.rateMsgsPerS()).isEqualTo(500);
    }

    @Test
    void theTimeInTheQueueCountsToo() {
        Knee knee = Knee.of(List.of(at(500, 500, 2.0, 10.0), at(700, 700, 2.0, 21.0)));
        assertThat(knee.rateMsgsPerS()).isEqualTo(500);
    }

    @Test
    void isUnknownWhereNothingTurnsUp() {
        Knee knee = Knee.of(List.of(at(500, 500, 2.0, null), at(1000, 1000, 3.0, null)));
        assertThat(knee.rateMsgsPerS()).isNull();
        assertThat(knee.before()).isNull();
        assertThat(knee.after()).isNull();
    }

    @Test
    void isUnknownWhereTheLowestRateWasNotKept() {
        Knee knee = Knee.of(List.of(at(500, 400, 2.0, null), at(700, 400, 90.0, null)));
        assertThat(knee.rateMsgsPerS()).isNull();
    }

    /** A tail that nobody knows can't be said not to have turned up. */
    @Test
    void isUnknownWhereTheLowestRateHasNo99thPercentile() {
        Knee knee = Knee.of(
                List.of(at(20, 20, null, null), at(28, 28, 90.0, null), at(32, 20, 90.0, null)));
        assertThat(knee.rateMsgsPerS()).isNull();
    }

    private static Knee.At at(
            double asked, double accepted, @Nullable Double p99, @Nullable Double residence) {
        return new Knee.At(asked / 1000, asked, accepted, p99, residence, 50.0, null, null);
    }
}
