package org.hubmark.bench.machine.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Proves on values made by hand that the rule is of five windows, of their range and of their slope. */
class SteadyWindowsTest {
    private static boolean isSteady(Double... values) {
        return SteadyWindows.of(List.of(values)).isSteady();
    }

    @Test
    void theRuleIsOfRangeAndSlope() {
        assertThat(isSteady(100.0, 100.0, 100.0, 100.0)).isFalse();
        assertThat(isSteady(100.0, 109.0, 91.0, 109.0, 91.0)).isTrue();
        // One is 12 % above the mean.
        assertThat(isSteady(97.0, 97.0, 112.0, 97.0, 97.0)).isFalse();
        // Each within 10 % of the mean, and 12 % from the first to the last.
        assertThat(isSteady(94.0, 97.0, 100.0, 103.0, 106.0)).isFalse();
        assertThat(isSteady(96.0, 98.0, 100.0, 102.0, 104.0)).isTrue();
        assertThat(isSteady(0.0, 0.0, 0.0, 0.0, 0.0)).isFalse();
        assertThat(isSteady()).isFalse();
    }

    @Test
    void sharesAreOfTheMean() {
        SteadyWindows falling = SteadyWindows.of(List.of(220.0, 210.0, 200.0, 190.0, 180.0));
        assertThat(falling.mean()).isEqualTo(200);
        assertThat(falling.rangeShare()).isCloseTo(0.1, within(1e-9));
        assertThat(falling.slopeShare()).isCloseTo(0.2, within(1e-9));
    }
}
