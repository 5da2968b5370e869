package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.kernel.Growth;
import org.junit.jupiter.api.Test;

/** Proves that a counter that wraps goes on, and that one that begins anew is not known. */
class GrowthTest {
    private static final long WRAP = 1L << 32;

    @Test
    void growsByTheDifference() {
        assertThat(Growth.of(5L, 5L)).isZero();
        assertThat(Growth.of(WRAP, WRAP + 7)).isEqualTo(7);
    }

    @Test
    void whatFellBeganAnew() {
        assertThat(Growth.of(5L, 4L)).isNull();
        assertThat(Growth.of(null, 4L)).isNull();
        assertThat(Growth.of(4L, null)).isNull();
    }
}
