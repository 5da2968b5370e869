package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Proves that a probe gives no percentile of too few operations, and all others. */
class TimingsTest {
    @Test
    void aPercentileOfTooFewIsNull() {
        Histogram nanos = new Histogram(3);
        nanos.recordValueWithCount(2_000_000, 99);
        Timings few = Timings.of(nanos, 1_000_000_000);
        assertThat(few.p50Ms()).isEqualTo(few.minMs(), within(0.01));
        assertThat(few.p95Ms()).isNotNull();
        assertThat(few.p99Ms()).isNull();
        assertThat(few.p999Ms()).isNull();
        nanos.recordValueWithCount(2_000_000, 901);
        JsonNode all = new ObjectMapper().valueToTree(Timings.of(nanos, 1_000_000_000));
        assertThat(all.path("p99_9_ms").isNumber()).isTrue();
    }
}
