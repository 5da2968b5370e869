package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Proves that a mix is drawn as it says, and that one that is not whole is refused. */
class TransactionMixTest {
    private static final int DRAWS = 100_000;

    @Test
    void isDrawnInItsShares() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Integer> drawn = new HashMap<>();
        for (int i = 0; i < DRAWS; i++) {
            drawn.merge(TransactionMix.DEFAULT.draw(random).label(), 1, Integer::sum);
        }
        // Six standard deviations of the largest share.
        TransactionMix.DEFAULT
                .percents()
                .forEach((kind, percent) -> assertThat(100.0 * drawn.getOrDefault(kind, 0) / DRAWS)
                        .as("%s, seed %d", kind, seed)
                        .isCloseTo(percent, within(0.93)));
    }

    @Test
    void whatIsLeftOutIsNone() {
        assertThat(TransactionMix.parse("read=100"))
                .hasToString("insert=0,delete=0,replace=0,read=100");
        assertThat(TransactionMix.parse(TransactionMix.DEFAULT.toString()))
                .isEqualTo(TransactionMix.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "read",
                "read=",
                "read=99",
                "read=101",
                "read=50,read=50",
                "browse=100",
                "read=99.5,insert=0.5",
                "insert=-5,read=105",
                "read=9999"
            })
    void refusesWhatIsNotWhole(String text) {
        assertThatThrownBy(() -> TransactionMix.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + text + "' is not a mix");
    }
}
