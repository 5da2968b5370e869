package org.hubmark.bench.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Proves what grew between two looks at the sizes of groups, and the sums over repeats. */
class LogGroupsTest {
    private static final LogGroups SMALL = new LogGroups(4096, 10, 10, 40_960, 10);
    private static final LogGroups LARGE = new LogGroups(65_536, 2, 3, 100_000, 20);

    @Test
    void whatGrewSinceAnEarlierLook() {
        LogGroups more = new LogGroups(4096, 13, 14, 50_000, 15);
        assertThat(LogGroups.growth(List.of(SMALL), List.of(more, LARGE)))
                .containsExactly(new LogGroups(4096, 3, 4, 9_040, 5), LARGE);
        assertThat(LogGroups.growth(List.of(SMALL), List.of(SMALL))).isEmpty();
    }

    @Test
    void sumsThoseOfOneSize() {
        assertThat(LogGroups.sum(List.of(List.of(SMALL, LARGE), List.of(SMALL))))
                .containsExactly(new LogGroups(4096, 20, 20, 81_920, 20), LARGE);
        assertThat(LogGroups.sum(List.of())).isNull();
    }
}
