package org.hubmark.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.measure.hub.Program;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** What is the same for each host, and what for all together. */
class ScaleRequestTest {
    private static ScaleRequest request(Scaling scaling, @Nullable Double rate) {
        return new ScaleRequest(
                new Program("0.1", ScaleRequestTest.class, ScaleRequestTest.class),
                List.of(1, 2, 3),
                scaling,
                rate,
                null,
                5,
                4000,
                16,
                null,
                Duration.ofSeconds(5),
                Duration.ofSeconds(3),
                Duration.ofSeconds(10),
                0.3,
                null,
                null,
                "",
                1);
    }

    @Test
    void weakScalingKeepsTheLoadOfAHost() {
        ScaleRequest request = request(Scaling.WEAK, 30.0);
        assertThat(request.offered(3)).isEqualTo(90);
        assertThat(Scaling.WEAK.ofHost(30, 3)).isEqualTo(30);
        assertThat(request.connections(2, 3)).isEqualTo(16);
        assertThat(request(Scaling.WEAK, null).offered(3)).isNull();
    }

    @Test
    void strongScalingKeepsTheLoadOfAll() {
        ScaleRequest request = request(Scaling.STRONG, 30.0);
        assertThat(request.offered(3)).isEqualTo(30);
        assertThat(Scaling.STRONG.ofHost(30, 3)).isEqualTo(10);
        for (int hosts = 1; hosts <= 5; hosts++) {
            int count = hosts;
            assertThat(IntStream.rangeClosed(1, hosts)
                            .map(host -> request.connections(host, count))
                            .sum())
                    .isEqualTo(16);
        }
    }

    @Test
    void eachHostIsWarmedUpAsLong() {
        ScaleRequest request = request(Scaling.WEAK, null);
        assertThat(request.loaded(1)).isEqualTo(Duration.ofSeconds(58));
        assertThat(request.loaded(3)).isEqualTo(Duration.ofSeconds(68));
    }
}
