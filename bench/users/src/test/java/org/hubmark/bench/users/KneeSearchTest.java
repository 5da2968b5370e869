package org.hubmark.bench.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

final class KneeSearchTest {
    private static final int FIRST = 25;
    private static final int MOST = 10_000;

    /** All numbers that are tried where so many pass and no more. */
    private static List<Integer> tried(KneeSearch search, int holds) {
        List<Integer> tried = new ArrayList<>();
        for (Integer users = search.next(true); users != null; ) {
            tried.add(users);
            users = search.next(users <= holds);
        }
        return tried;
    }

    @Test
    void doublesAndThenHalvesTheGap() {
        assertThat(tried(new KneeSearch(FIRST, MOST), 330))
                .containsExactly(25, 50, 100, 200, 400, 300, 350, 325);
    }

    @Test
    void goesDownWhereTheFirstDoesNotPass() {
        assertThat(tried(new KneeSearch(FIRST, MOST), 7)).containsExactly(25, 12, 6, 9, 7, 8);
    }

    @Test
    void endsWhereNothingPassesAndWhereEverythingDoes() {
        assertThat(tried(new KneeSearch(FIRST, MOST), 0)).containsExactly(25, 12, 6, 3, 2);
        assertThat(tried(new KneeSearch(FIRST, 120), MOST)).containsExactly(25, 50, 100, 120);
        assertThat(tried(new KneeSearch(2, 2), MOST)).containsExactly(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void endsWithinATenthOfTheAnswer(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 10_000; i++) {
            int first = random.nextInt(2, 500);
            int holds = random.nextInt(2, MOST);
            List<Integer> tried = tried(new KneeSearch(first, MOST), holds);
            int passed = tried.stream()
                    .filter(one -> one <= holds)
                    .max(Integer::compare)
                    .orElseThrow();
            int failed = tried.stream()
                    .filter(one -> one > holds)
                    .min(Integer::compare)
                    .orElse(MOST + 1);
            assertThat(tried)
                    .as("seed %d, from %d for %d", seed, first, holds)
                    .doesNotHaveDuplicates();
            assertThat(failed - passed).isLessThanOrEqualTo(Math.max(1, passed / 10));
            assertThat(tried).hasSizeLessThan(25);
        }
    }

    @Test
    void refusesARangeThatIsNone() {
        assertThatThrownBy(() -> new KneeSearch(1, 10))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new KneeSearch(9, 8)).isInstanceOf(IllegalArgumentException.class);
    }
}
