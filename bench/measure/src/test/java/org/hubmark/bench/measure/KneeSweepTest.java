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
 * get through 100 messages a second at most, whatever the machine.
 */
@Timeout(60)
class KneeSweepTest {
    private static final KneeSweep.Times SHORT = new KneeSweep.Times(
            Duration.ofMillis(200), Duration.ofMillis(200), Duration.ofMillis(1500));

    private static final int SWEEPS_MAX = 3;

    @Test
    void findsTheRateAboveWhichMessagesWait() throws Exception {
        SinkServer.Behaviour slow = new SinkServer.Behaviour(Duration.ofMillis(20), 0, 0, false);
        try (SinkServer sink = SinkServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), slow)) {
            LoadPlan plan = new LoadPlan(
                    sink.address(),
                    2,
                    new Pace.ClosedLoop(),
                    Transfer.DATA,
                    true,
                    0,
                    0,
                    1,
                    "a@x",
                    "b@x",
                    1);
            TargetProbe.Announced announced = TargetProbe.ask(plan.target());
            MessageGenerator generator = new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x");
            try (MessageSet messages = MessageSet.generate(1_000, generator, plan, announced)) {
                Knee knee = sweep(plan, messages, announced);
                assertThat(knee.steps())
                        .extracting(Knee.At::intendedMsgsPerS)
                        .containsExactly(65.0, 91.0, 104.0, 117.0, 130.0);
                assertThat(Objects.requireNonNull(knee.rateMsgsPerS())).isBetween(65.0, 91.0);
                Knee.At last = knee.steps().getLast();
                assertThat(Objects.requireNonNull(last.throughputMsgsPerS())).isLessThan(105);
                assertThat(Objects.requireNonNull(last.acceptP99Ms())).isGreaterThan(40);
            }
        }
    }

    /** A pause of the machine during the first step hides what comes after it. */
    private static Knee sweep(LoadPlan plan, MessageSet messages, TargetProbe.Announced announced)
            throws Exception {
        Knee knee;
        int sweeps = 0;
        do {
            knee = new KneeSweep(
                            pace -> LoadDriver.start(plan.at(pace), messages, announced),
                            new Instruments(null, null, null, List.of(), Map.of()),
                            new KneeSweep.Settings("1KB", false, 1, 2),
                            SHORT,
                            new Progress(System.err, true))
                    .upTo(130);
        } while (knee.rateMsgsPerS() == null && ++sweeps < SWEEPS_MAX);
        return knee;
    }
}
