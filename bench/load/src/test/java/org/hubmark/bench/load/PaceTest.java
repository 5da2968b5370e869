package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proves what is a pace, and that lists and ranges of rates are refused with what to do. */
class PaceTest {
    @Test
    void isMaxOrOneRate() {
        assertThat(Pace.parse("max", Arrivals.FIXED, 1)).isEqualTo(new Pace.ClosedLoop());
        assertThat(Pace.parse("0.5", Arrivals.POISSON, 7))
                .isEqualTo(new Pace.OpenLoop(0.5, Arrivals.POISSON, 7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "NaN",
                "1e9",
                "",
                "1,,2",
                "1..",
                "1..2/0s",
                "5/x",
                "5/10s",
                "1000,2000",
                "1000..5000"
            })
    void refusesWhatIsNoRate(String text) {
        assertThatThrownBy(() -> Pace.parse(text, Arrivals.FIXED, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + text + "' is not max, max-sustained or a number")
                .hasMessageContaining("give each rate a run of its own");
    }
}
