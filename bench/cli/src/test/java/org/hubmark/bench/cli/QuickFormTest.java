package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Proves what stands for --quick, and that it takes the place of nothing that is given. */
class QuickFormTest {
    @Test
    void setsWhatIsNotGiven() {
        assertThat(QuickForm.expand(new String[] {"run", "--quick", "--duration", "1s"}))
                .startsWith("run", "--quick", "--duration", "1s")
                .contains("--sizes=57KB", "--repeat=2", "--latency-at=off", "--no-ceilings")
                .noneMatch(word -> word.startsWith("--duration="));
    }

    /** These exclude --sizes. */
    @Test
    void leavesMessagesOfOtherSizes() {
        for (String other : new String[] {"--corpus=mail", "--size-mix=1KB=64,11KB=15"}) {
            assertThat(QuickForm.expand(new String[] {"run", "--quick", other}))
                    .contains(other)
                    .noneMatch(word -> word.startsWith("--sizes"));
        }
    }

    @Test
    void leavesWhatIsNotQuick() {
        String[] run = {"run", "--sizes=4KB"};
        assertThat(QuickForm.expand(run)).isSameAs(run);
        String[] load = {"load", "--quick"};
        assertThat(QuickForm.expand(load)).isSameAs(load);
    }
}
