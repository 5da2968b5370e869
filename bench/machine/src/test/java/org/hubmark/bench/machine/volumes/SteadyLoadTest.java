package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves on volumes that are simulated with their clock that a volume is called steady when five windows
 * are near each other and don't climb, and not before.
 */
class SteadyLoadTest {
    private static final long TURN_BYTES = 1 << 20;
    private static final Duration HOUR = Duration.ofMinutes(60);

    @Test
    void aVolumeOfOneRateIsSteadyAfterFiveWindows() throws IOException {
        Steadiness found = run(new SimulatedVolume(Long.MAX_VALUE, 200, 200), HOUR);
        assertThat(found.steady()).isTrue();
        assertThat(found.windows()).hasSize(5);
        assertThat(found.windowLengthS()).isEqualTo(60);
        assertThat(found.writeMbPerS()).isBetween(199.0, 201.0);
        assertThat(found.words())
                .startsWith("steady after 5 windows of 60 s: of the last 5, writing 200 MB/s");
    }

    /** A cache of flash of 20 GB, and a medium behind it that writes at a quarter. */
    @Test
    void aBurstIsWaitedFor() throws IOException {
        Steadiness found = run(new SimulatedVolume(20_000_000_000L, 200, 50), HOUR);
        assertThat(found.steady()).isTrue();
        assertThat(found.windows().getFirst().writeMbPerS()).isGreaterThan(190);
        assertThat(found.writeMbPerS()).isBetween(49.0, 51.0);
    }

    @Test
    void whatNeverIsSteadyIsSaidToBeNot() throws IOException {
        SimulatedVolume restless = new SimulatedVolume(Long.MAX_VALUE, 200, 200);
        restless.swing = true;
        Steadiness found = run(restless, HOUR);
        assertThat(found.steady()).isFalse();
        assertThat(found.windows()).hasSizeBetween(55, 61);
        assertThat(found.words()).startsWith("not steady after ");
    }

    @Test
    void aShortTimeHasShortWindows() throws IOException {
        List<Steadiness.Rates> heard = new ArrayList<>();
        SimulatedVolume volume = new SimulatedVolume(Long.MAX_VALUE, 200, 200);
        Steadiness found = new SteadyLoad(volume, TURN_BYTES, () -> volume.nanos)
                .run(Duration.ofMinutes(6), heard::add);
        assertThat(found.windowLengthS()).isEqualTo(6);
        assertThat(heard).isEqualTo(found.windows());
        assertThat(SteadyLoad.window(Duration.ofHours(10))).isEqualTo(Duration.ofMinutes(1));
    }

    private static Steadiness run(SimulatedVolume volume, Duration atMost) throws IOException {
        return new SteadyLoad(volume, TURN_BYTES, () -> volume.nanos).run(atMost, rates -> {});
    }

    /** Its time goes on while it is written and read, and no other. */
    private static final class SimulatedVolume implements SteadyLoad.Medium {
        private final long burstBytes;
        private final double burstMbPerS;
        private final double mbPerS;
        private boolean swing;
        private long written;
        private long nanos;

        SimulatedVolume(long burstBytes, double burstMbPerS, double mbPerS) {
            this.burstBytes = burstBytes;
            this.burstMbPerS = burstMbPerS;
            this.mbPerS = mbPerS;
        }

        @Override
        public void prepare() {
            nanos += 1_000;
        }

        @Override
        public void write() {
            written += TURN_BYTES;
            pass(written <= burstBytes ? burstMbPerS : mbPerS);
        }

        @Override
        public void read() {
            pass(500);
        }

        private void pass(double rate) {
            boolean slow = swing && nanos / Duration.ofMinutes(1).toNanos() % 2 == 0;
            nanos += (long) (TURN_BYTES * 1e3 / (slow ? rate / 2 : rate));
        }
    }
}
