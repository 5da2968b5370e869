package org.hubmark.hub.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** Proves that a sample is what it says, wherever the ids of a queue begin and however they grow. */
class AuditShareTest {
    @Test
    void samplesOneInAHundredAndTwentyEight() {
        for (long first : new long[] {0, 1L << 20, 1L << 40, Long.MAX_VALUE >> 1}) {
            for (long step : new long[] {1, 2, 3, 32, 128, 1_000}) {
                int taken = 0;
                for (int i = 0; i < 128_000; i++) {
                    taken += AuditShare.SAMPLED.takes(first + i * step) ? 1 : 0;
                }
                // Binomial: 1000 with a standard deviation of 31.5.
                assertThat(taken).as("from %s by %s", first, step).isBetween(840, 1_160);
            }
        }
    }

    @Test
    void takesAllOrNone() {
        for (long id = 0; id < 1_000; id++) {
            assertThat(AuditShare.ALL.takes(id)).isTrue();
            assertThat(AuditShare.OFF.takes(id)).isFalse();
        }
    }

    @Test
    void readsItsNames() {
        for (AuditShare share : AuditShare.values()) {
            assertThat(AuditShare.parse(share.toString())).isEqualTo(share);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AuditShare.parse("some"))
                .withMessage("'some' is not sampled, all or off");
    }
}
