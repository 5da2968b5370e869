package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.MachineReading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Proves what counts as sustained: two connections to a server that answers after 20 ms get through
 * 100 messages a second at most. In simulated time, and once with a real driver, ten times as many connections
 * and a sink: on a machine too busy for that the driver says that it was late, instead.
 */
@Timeout(60)
class RateTrialTest {
    private static final Duration ANSWER = Duration.ofMillis(20);
    private static final int CONNECTIONS = 2;
    private static final double CAPACITY = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** By the rate, the share that is refused and the limit of the latency: why it is not sustained. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            30  | 0   | 5000 | ''
            400 | 0   | 5000 | mail that waits for a free connection grew by .*
            30  | 0   | 15   | p99 of the latency was .*
            30  | 100 | 5000 | .* were refused or failed
            """)
    void isSustainedBelowTheCapacityWithinTheLimitAndWithoutRefusals(
            double rate, double refusedPercent, int limitMillis, String words) throws Exception {
        for (SimulatedTime time : times()) {
            RateSearch.Answer found = simulated(
                            time, refusedPercent, Duration.ofMillis(limitMillis))
                    .at(rate);
            assertThat(found.sustained()).as("%s", time).isEqualTo(words.isEmpty());
            assertThat(found.words()).as("%s", time).matches(words);
        }
    }

    /** Two a second for 20 s would be 40 messages, which have no p99. */
    @Test
    void goesOnUntilThereIsA99thPercentile() throws Exception {
        SimulatedTime time = new SimulatedTime(1);
        assertThat(simulated(time, 0, PATIENCE).at(2)).isEqualTo(RateSearch.Answer.kept());
        assertThat(time.seconds()).isBetween(75.0, 80.0);
    }

    @Test
    void aSearchEndsAtTheCapacity() throws Exception {
        for (SimulatedTime time : times()) {
            RateSearch.Found found = simulated(time, 0, Duration.ofMillis(250)).search();
            assertThat(found.ratePerSecond())
                    .as("%s", time)
                    .isBetween(CAPACITY / RateSearch.STEP / RateSearch.STEP, CAPACITY * 1.01);
            assertThat(found.byDriver()).as("%s", time).isFalse();
        }
    }

    /** Of a backlog something is said after five samples, in 1,250 ms. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            4000 | 0   | 5000 | 1250  | mail that waits for a free connection grew by .*
            300  | 0   | 5000 | 300   | ''
            300  | 0   | 15   | 300   | p99 of the latency was .*
            300  | 100 | 5000 | 300   | .* were refused or failed
            """)
    void aRealSinkIsJudgedLikeTheSimulatedOne(
            double rate, double refusedPercent, int limitMillis, int countedMillis, String words)
            throws Exception {
        RateSearch.Answer found = real(
                rate,
                refusedPercent,
                Duration.ofMillis(limitMillis),
                Duration.ofMillis(countedMillis));
        assertThat(found.sustained()).isEqualTo(words.isEmpty() && !found.byDriver());
        assertThat(found.words()).matches(words + "|the driver sent late.*");
    }

    private static List<SimulatedTime> times() {
        return LongStream.rangeClosed(1, 20).mapToObj(SimulatedTime::new).toList();
    }

    private static RateTrial simulated(SimulatedTime time, double refusedPercent, Duration limit) {
        return new RateTrial(
                pace -> new Flow(time, pace, CONNECTIONS, ANSWER).refusing(refusedPercent),
                new Instruments(null, () -> MachineReading.UNKNOWN, time),
                asked(limit),
                plan(limit),
                RateTrial.Times.USUAL,
                Progress.SILENT);
    }

    private static Pace.MaxSustained asked(Duration limit) {
        return new Pace.MaxSustained(limit, Arrivals.FIXED, 1);
    }

    private static Measurement.Plan plan(Duration limit) {
        Measurement.LoadTimes unused =
                new Measurement.LoadTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO);
        return new Measurement.Plan(1, "1KB", unused, asked(limit), null, false, false, 2);
    }

    private static RateSearch.Answer real(
            double rate, double refusedPercent, Duration limit, Duration counted) throws Exception {
        SinkServer.Behaviour slow = new SinkServer.Behaviour(ANSWER, refusedPercent, 0, false);
        try (SinkServer sink = SinkServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), slow)) {
            LoadPlan plan = LoadPlan.of(
                    sink.address(), 10 * CONNECTIONS, asked(limit), Transfer.DATA, "a@x", "b@x");
            TargetProbe.Announced announced = TargetProbe.ask(plan.target());
            MessageGenerator generator = new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x");
            RateTrial.Times times =
                    new RateTrial.Times(Duration.ZERO, Duration.ofMillis(100), counted);
            try (MessageSet messages = MessageSet.generate(1_000, generator, plan, announced)) {
                return new RateTrial(
                                pace -> LoadDriver.start(plan.at(pace), messages, announced),
                                new Instruments(
                                        null, null, null, List.of(), Map.of(), Clock.SYSTEM),
                                asked(limit),
                                plan(limit),
                                times,
                                Progress.SILENT)
                        .at(rate);
            }
        }
    }
}
