package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.kernel.Growth;
import org.junit.jupiter.api.Test;

import java.util.Map;

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

    /** Some arrays of older kernels count no times; a device that was just made has done too little to tell. */
    @Test
    void whatCountsNoTimesIsToldFromWhatDidLittle() {
        Map<DiskCounter, Long> writes = Map.of(DiskCounter.WRITES, 1_000L);
        assertThat(new DiskCounters(writes).timed()).isFalse();
        assertThat(new DiskCounters(Map.of(DiskCounter.WRITES, 999L)).timed()).isTrue();
        Map<DiskCounter, Long> timed = Map.of(DiskCounter.WRITES, 1_000L, DiskCounter.WRITE_MS, 1L);
        assertThat(new DiskCounters(timed).timed()).isTrue();
    }
}
