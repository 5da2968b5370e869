package org.hubmark.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.stream.IntStream;

/** What is the same for each host, and what for all together. */
class ScaleRequestTest {
    private static ScaleRequest.Load load(Scaling scaling, @Nullable Double rate) {
        return new ScaleRequest.Load(scaling, rate, null, 4000, 16, 1);
    }

    @Test
    void weakScalingKeepsTheLoadOfAHost() {
        ScaleRequest.Load load = load(Scaling.WEAK, 30.0);
        assertThat(load.ofAll(3)).isEqualTo(90);
        assertThat(Scaling.WEAK.ofHost(30, 3)).isEqualTo(30);
        assertThat(load.connections(2, 3)).isEqualTo(16);
        assertThat(load(Scaling.WEAK, null).ofAll(3)).isNull();
    }

    @Test
    void strongScalingKeepsTheLoadOfAll() {
        ScaleRequest.Load load = load(Scaling.STRONG, 30.0);
        assertThat(load.ofAll(3)).isEqualTo(30);
        assertThat(Scaling.STRONG.ofHost(30, 3)).isEqualTo(10);
        for (int hosts = 1; hosts <= 5; hosts++) {
            int count = hosts;
            assertThat(IntStream.rangeClosed(1, hosts)
                            .map(host -> load.connections(host, count))
                            .sum())
                    .isEqualTo(16);
        }
    }

    @Test
    void eachHostIsWarmedUpAsLong() {
        ScaleRequest.Times times = new ScaleRequest.Times(
                Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofSeconds(10), 5);
        assertThat(times.loaded(1)).isEqualTo(Duration.ofSeconds(58));
        assertThat(times.loaded(3)).isEqualTo(Duration.ofSeconds(68));
    }
}
