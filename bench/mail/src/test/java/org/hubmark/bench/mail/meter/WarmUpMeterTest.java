package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.mail.document.WarmUp;
import org.hubmark.bench.mail.meter.Measurement.LoadTimes;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

/**
 * Proves, in simulated time, that a warm-up ends when the load is shown to be steady, and else when it
 * may last no longer.
 */
class WarmUpMeterTest {
    private static final Duration LEAST = Duration.ofSeconds(5);
    private static final Duration MOST = Duration.ofSeconds(60);

    @Test
    void endsOnceTheServerTakesNoLessForAMessage() throws Exception {
        for (long seed = 1; seed <= 10; seed++) {
            WarmUp found =
                    warmedUp(seed, seconds -> seconds < 10 ? 4e6 - 3e5 * seconds : 1e6, MOST);
            assertThat(found.steady()).as("seed %s: %s", seed, found).isTrue();
            assertThat(found.seconds()).as("seed %s", seed).isBetween(10.0, 59.0);
        }
    }

    @Test
    void lastsAsLongAsAskedThoughItIsSteadyFromTheFirstMomentOn() throws Exception {
        for (long seed = 1; seed <= 10; seed++) {
            WarmUp found = warmedUp(seed, seconds -> 1e6, MOST);
            assertThat(found.steady()).as("seed %s: %s", seed, found).isTrue();
            assertThat(found.seconds()).as("seed %s", seed).isBetween(5.0, 7.5);
        }
    }

    @Test
    void endsAtTheLatestWhenItMay() throws Exception {
        for (long seed = 1; seed <= 10; seed++) {
            WarmUp found = warmedUp(seed, seconds -> 4e6 * Math.exp(-seconds / 20), MOST);
            assertThat(found.steady()).as("seed %s: %s", seed, found).isNull();
            assertThat(found.reason())
                    .as("seed %s", seed)
                    .startsWith("the server's CPU time a message changed by ");
            assertThat(found.seconds()).as("seed %s", seed).isBetween(60.0, 60.1);
        }
    }

    /** The server's code is compiled after 10 s; the machine goes on to be slow every other second. */
    @Test
    void endsWhenTheServerIsWarmAndTheMachineIsNotSteady() throws Exception {
        // More than the ticks of the clock can hide.
        Flow.Cost cost = seconds -> seconds < 10 ? 16e6 - 12e5 * seconds : 4e6;
        for (long seed = 1; seed <= 10; seed++) {
            WarmUp ended = warmedUp(seed, cost, 2, MOST, false);
            assertThat(ended.steady()).as("seed %s: %s", seed, ended).isNull();
            assertThat(ended.seconds()).as("seed %s", seed).isBetween(12.0, 30.0);
            WarmUp untilSteady = warmedUp(seed, cost, 2, MOST, true);
            assertThat(untilSteady.seconds()).as("seed %s", seed).isBetween(60.0, 60.1);
        }
    }

    @Test
    void saysThatAShortOneTellsNothing() throws Exception {
        WarmUp found = warmedUp(1, seconds -> 1e6, Duration.ofSeconds(2));
        assertThat(found.steady()).isNull();
        assertThat(found.reason()).startsWith("the warm-up was shorter than the 5 s");
    }

    /** {@return how the warm-up of a server went that takes so much for a message} */
    private static WarmUp warmedUp(long seed, Flow.Cost cost, Duration most) throws Exception {
        return warmedUp(seed, cost, 0, most, true);
    }

    private static WarmUp warmedUp(
            long seed, Flow.Cost cost, double sway, Duration most, boolean untilSteady)
            throws Exception {
        SimulatedTime time = new SimulatedTime(seed);
        try (Flow flow = new Flow(time, new Pace.ClosedLoop(), 2, Duration.ofMillis(10))) {
            flow.costing(cost).swaying(sway);
            Instruments instruments = new Instruments(
                    null,
                    () -> Snapshots.reading(
                            time.nanos(),
                            null,
                            flow.snapshot().threadCpuNanos(),
                            Map.of(),
                            null,
                            null),
                    time);
            Snapshot begin = instruments.read(flow);
            flow.begin();
            Duration least = most.compareTo(LEAST) < 0 ? most : LEAST;
            Progress quiet = Progress.SILENT;
            return WarmUpMeter.run(
                    "test",
                    new LoadTimes(Duration.ZERO, least, most, untilSteady, Duration.ZERO),
                    flow,
                    instruments,
                    quiet,
                    begin);
        }
    }
}
