package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.results.Knee;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves that a sweep sees where waiting sets in: two connections to a server that answers after 20 ms
 * get through 100 messages a second at most. In simulated time, and once with a real driver and sink, ten times
 * as fast, so that half a second has enough messages for a p99.
 */
@Timeout(60)
class KneeSweepTest {
    private static final Duration ANSWER = Duration.ofMillis(20);
    private static final int CONNECTIONS = 2;
    private static final double RATE = 130;
    private static final int FASTER = 10;
    private static final KneeSweep.Settings SETTINGS = new KneeSweep.Settings("1KB", false, 1, 2);

    /** Whatever the machine, no more is answered in the half second than 26 on each connection. */
    private static final KneeSweep.Times SHORT = new KneeSweep.Times(
            Duration.ofMillis(100), Duration.ofMillis(50), Duration.ofMillis(500));

    @Test
    void findsTheRateAboveWhichMessagesWait() throws Exception {
        for (long seed = 1; seed <= 20; seed++) {
            SimulatedTime time = new SimulatedTime(seed);
            Knee knee = new KneeSweep(
                            pace -> new Flow(time, pace, CONNECTIONS, ANSWER),
                            new Instruments(null, () -> MachineReading.UNKNOWN, time),
                            SETTINGS,
                            new Progress(System.err, true))
                    .upTo(RATE);
            assertThat(knee.rateMsgsPerS()).as("%s", time).isNotNull().isBetween(65.0, 91.0);
            assertLastIsTooMuch(knee, 1, time.toString());
        }
    }

    /** A pause of the machine hides where waiting sets in, but not that it does. */
    @Test
    void aRealSinkIsSweptToo() throws Exception {
        SinkServer.Behaviour slow = new SinkServer.Behaviour(ANSWER, 0, 0, false);
        try (SinkServer sink = SinkServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), slow)) {
            LoadPlan plan = LoadPlan.of(
                    sink.address(),
                    FASTER * CONNECTIONS,
                    new Pace.ClosedLoop(),
                    Transfer.DATA,
                    "a@x",
                    "b@x");
            TargetProbe.Announced announced = TargetProbe.ask(plan.target());
            MessageGenerator generator = new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x");
            try (MessageSet messages = MessageSet.generate(1_000, generator, plan, announced)) {
                Knee knee = new KneeSweep(
                                pace -> LoadDriver.start(plan.at(pace), messages, announced),
                                new Instruments(null, null, null, List.of(), Map.of()),
                                SETTINGS,
                                SHORT,
                                new Progress(System.err, true))
                        .upTo(FASTER * RATE);
                assertLastIsTooMuch(knee, FASTER, "a real sink");
            }
        }
    }

    private static void assertLastIsTooMuch(Knee knee, int faster, String of) {
        assertThat(knee.steps())
                .as(of)
                .extracting(step -> Math.round(step.intendedMsgsPerS() / faster))
                .containsExactly(65L, 91L, 104L, 117L, 130L);
        Knee.At last = knee.steps().getLast();
        assertThat(Objects.requireNonNull(last.throughputMsgsPerS()) / faster)
                .as(of)
                .isLessThan(105);
        assertThat(Objects.requireNonNull(last.acceptP99Ms())).as(of).isGreaterThan(40);
    }
}
