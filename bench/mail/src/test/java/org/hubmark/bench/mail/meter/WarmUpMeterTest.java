package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.mail.document.WarmUp;
import org.hubmark.bench.mail.meter.Measurement.LoadTimes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Proves, in simulated time, that a warm-up ends when the load is shown to be steady, and else when it
 * may last no longer.
 */
class WarmUpMeterTest {
    private static final Duration LEAST = Duration.ofSeconds(5);
    private static final Duration MOST = Duration.ofSeconds(60);

    /**
     * By what a message costs so many seconds after the begin, and how much longer every other second takes: when
     * it ends, whether that is steady, and else why not.
     */
    static Stream<Arguments> warmUps() {
        Flow.Cost falling = seconds -> seconds < 10 ? 4e6 - 3e5 * seconds : 1e6;
        Flow.Cost forLong = seconds -> 4e6 * Math.exp(-seconds / 20);
        // The server's code is compiled after 10 s. More than the ticks of the clock can hide.
        Flow.Cost compiled = seconds -> seconds < 10 ? 16e6 - 12e5 * seconds : 4e6;
        Flow.Cost level = seconds -> 1e6;
        return Stream.of(
                arguments("falls", falling, 0.0, true, 10.0, 59.0, "steady"),
                arguments("level from the begin on", level, 0.0, true, 5.0, 7.5, "steady"),
                arguments(
                        "falls for long", forLong, 0.0, true, 60.0, 60.1, "the server's CPU time"),
                arguments("warm, but not steady", compiled, 2.0, false, 12.0, 30.0, ""),
                arguments("until it is steady", compiled, 2.0, true, 60.0, 60.1, ""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("warmUps")
    void endsWhenTheLoadIsSteadyOrWarmOrItMayLastNoLonger(
            String name,
            Flow.Cost cost,
            double sway,
            boolean untilSteady,
            double from,
            double to,
            String found)
            throws Exception {
        for (long seed = 1; seed <= 10; seed++) {
            WarmUp ended = warmedUp(seed, cost, sway, untilSteady);
            assertThat(ended.seconds()).as("%s, seed %s", name, seed).isBetween(from, to);
            if (found.equals("steady")) {
                assertThat(ended.steady()).as("seed %s: %s", seed, ended).isTrue();
            } else {
                assertThat(ended.steady()).as("seed %s: %s", seed, ended).isNull();
                assertThat(ended.reason()).as("seed %s", seed).startsWith(found);
            }
        }
    }

    /** {@return how the warm-up of a server went that takes so much for a message} */
    private static WarmUp warmedUp(long seed, Flow.Cost cost, double sway, boolean untilSteady)
            throws Exception {
        SimulatedTime time = new SimulatedTime(seed);
        try (Flow flow = new Flow(time, new Pace.ClosedLoop(), 2, Duration.ofMillis(10))) {
            flow.costing(cost).swaying(sway);
            Instruments instruments = new Instruments(
                    null,
                    () -> new MachineReading(
                            time.nanos(),
                            null,
                            8,
                            Map.of(MachineCounter.SERVER_NS, flow.snapshot().threadCpuNanos()),
                            Map.of(),
                            null,
                            Map.of()),
                    time);
            Snapshot begin = instruments.read(flow);
            flow.begin();
            return WarmUpMeter.run(
                    "test",
                    new LoadTimes(Duration.ZERO, LEAST, MOST, untilSteady, Duration.ZERO),
                    flow,
                    instruments,
                    Progress.SILENT,
                    begin);
        }
    }
}
