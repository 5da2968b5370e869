package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.OneProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves that a load is followed until the server does nothing more, by one that works on for a while:
 * a simulated one, and a real process.
 */
@Timeout(60)
class RestTest {
    /** So often is looked, half a second apart, while the server works. */
    private static final int LOOKS = 2;

    @TempDir
    Path folder;

    /** Nothing is sent any more. Tells the server to rest when it was looked at some times. */
    private static final class Ended implements Workload {
        private final Path rest;
        private int looks;

        Ended(Path rest) {
            this.rest = rest;
        }

        @Override
        public LoadSnapshot snapshot() {
            if (++looks == LOOKS) {
                try {
                    Files.createFile(rest);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return new LoadSnapshot(0, 0, 0, 0, 0, 0, 0, 0, null);
        }

        @Override
        public void begin() {}

        @Override
        public Map<String, Latency> takeLatencies() {
            return Map.of();
        }

        @Override
        public boolean awaitFinished(Duration timeout) {
            return true;
        }

        @Override
        public void stop(Duration timeout) {}

        @Override
        public void close() {}
    }

    @Test
    void waitsUntilTheServerHasComeToRest() throws Exception {
        Path rest = folder.resolve("rest");
        Process server = new ProcessBuilder(
                        "sh",
                        "-c",
                        "while [ ! -e \"$0\" ]; do :; done; exec sleep 60",
                        rest.toString())
                .start();
        try (Ended work = new Ended(rest)) {
            Instruments instruments =
                    new Instruments(null, new OneProcess(server.pid()), null, List.of(), Map.of());
            Rest found = Objects.requireNonNull(Rest.await(work, instruments));
            assertThat(work.looks).isGreaterThan(LOOKS);
            assertThat(found.reached()).isTrue();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void endsWithTheFirstSampleInWhichNothingIsDone() throws Exception {
        for (long seed = 1; seed <= 50; seed++) {
            SimulatedTime time = new SimulatedTime(seed);
            double workSeconds = time.random().nextDouble(15);
            long beginNanos = time.nanoTime();
            Rest found = Objects.requireNonNull(rest(time, workSeconds));
            double seconds = (found.at().nanos() - beginNanos) / 1e9;
            assertThat(found.reached()).as("%s", time).isTrue();
            // A sample in which it worked for a moment only is quiet, and else there is one more.
            assertThat(seconds - workSeconds).as("%s", time).isBetween(0.4, 1.1);
        }
    }

    @Test
    void saysWhenTheServerDidNotComeToRest() throws Exception {
        for (long seed = 1; seed <= 50; seed++) {
            SimulatedTime time = new SimulatedTime(seed);
            Rest found = Objects.requireNonNull(rest(time, 1e9));
            assertThat(found.reached()).as("%s", time).isFalse();
            assertThat(time.seconds()).as("%s", time).isBetween(20.0, 20.6);
        }
    }

    @Test
    void doesNotWaitForAServerOfWhichNothingIsKnown() throws Exception {
        SimulatedTime time = new SimulatedTime(1);
        try (Flow work = idle(time)) {
            assertThat(Rest.await(work, new Instruments(null, () -> MachineReading.UNKNOWN, time)))
                    .isNull();
        }
        assertThat(time.seconds()).isLessThan(1);
    }

    /** Of a server that keeps one core busy until then. */
    private static @Nullable Rest rest(SimulatedTime time, double workSeconds) throws Exception {
        try (Flow work = idle(time)) {
            return Rest.await(
                    work,
                    new Instruments(
                            null,
                            () -> Snapshots.reading(
                                    time.nanoTime(),
                                    null,
                                    Math.round(Math.min(time.seconds(), workSeconds) * 1e9),
                                    Map.of(),
                                    null,
                                    null),
                            time));
        }
    }

    private static Flow idle(SimulatedTime time) {
        return new Flow(time, new Pace.ClosedLoop(), 1, Duration.ofMillis(1));
    }
}
