package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.junit.jupiter.api.Test;

import java.util.Map;

/** Proves which counters of a disk are taken to have no times. */
class GrowthTest {
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
