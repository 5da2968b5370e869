package org.hubmark.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.scale.result.ScaleOut;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Proves that of a host counts what its counters grew by, and of a run the sums of its hosts. */
class RunMeterTest {
    private static Repeat host(int host, long hubNanos, @Nullable Long memoryBytes) {
        HostReading before = new HostReading(Map.of(ScaleOut.HUB_CPU_NS, 1000L), null);
        return new HostReading(Map.of(ScaleOut.HUB_CPU_NS, 1000 + hubNanos), memoryBytes)
                .since(before, host, 10L * host, 4);
    }

    private static Repeat run(Repeat... hosts) {
        return RunMeter.run(Repeat.counted(), 2, Instant.EPOCH, List.of(hosts)).made();
    }

    @Test
    void aRunHasTheSumsOfItsHosts() {
        Repeat run = run(host(1, 300, 5L), host(2, 400, 6L));
        assertThat(run.count(ScaleOut.ACCEPTED)).isEqualTo(30);
        assertThat(run.count(ScaleOut.HUB_CPU_NS)).isEqualTo(700);
        assertThat(run.count(ScaleOut.MEMORY_BYTES)).isEqualTo(11);
        // Of one host that is not known the sum is not either.
        Repeat partly = run(host(1, 300, 5L), host(2, 400, null));
        assertThat(partly.count(ScaleOut.MEMORY_BYTES)).isNaN();
        assertThat(partly.count(ScaleOut.BROKER_CPU_NS)).isNaN();
    }
}
