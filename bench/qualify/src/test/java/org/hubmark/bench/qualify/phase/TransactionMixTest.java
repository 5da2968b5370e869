package org.hubmark.bench.qualify.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Proves that a mix is drawn as it says, and that one that is not whole is refused. */
class TransactionMixTest {
    private static final int DRAWS = 100_000;

    @Test
    void isDrawnInItsShares() {
        long seed = Long.getLong("hubmark.seed", 1);
        SplittableRandom random = new SplittableRandom(seed);
        Map<TransactionKind, Integer> drawn = new HashMap<>();
        for (int i = 0; i < DRAWS; i++) {
            drawn.merge(TransactionMix.DEFAULT.draw(random), 1, Integer::sum);
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
        assertThat(new TransactionMix(Map.of(TransactionKind.READ, 100)))
                .hasToString("insert=0,delete=0,replace=0,read=100");
    }

    static Stream<Map<TransactionKind, Integer>> notWhole() {
        return Stream.of(
                Map.of(),
                Map.of(TransactionKind.READ, 99),
                Map.of(TransactionKind.READ, 101),
                Map.of(TransactionKind.INSERT, -5, TransactionKind.READ, 105));
    }

    @ParameterizedTest
    @MethodSource
    void notWhole(Map<TransactionKind, Integer> percents) {
        assertThatThrownBy(() -> new TransactionMix(percents))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--mix has percentages");
    }
}
