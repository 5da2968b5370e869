package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Proves what counts as sustained: two connections to a server that answers after 20 ms get through
 * 100 messages a second at most, whatever the machine. On a machine too busy for the test the driver
 * says that it was late, instead.
 */
@Timeout(60)
class RateTrialTest {
    private static final RateTrial.Times SHORT = new RateTrial.Times(
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofMillis(1500),
            Duration.ofMillis(1500),
            Duration.ofMillis(1500));

    @Test
    void aRateBelowTheCapacityIsSustained() throws Exception {
        RateSearch.Answer verdict = trial(30, 0, Duration.ofSeconds(5));
        assertThat(verdict.sustained() || verdict.byDriver()).as("%s", verdict).isTrue();
    }

    @Test
    void aRateAboveTheCapacityIsNot() throws Exception {
        RateSearch.Answer verdict = trial(400, 0, Duration.ofSeconds(5));
        assertThat(verdict.sustained()).isFalse();
        assertThat(verdict.words())
                .matches("mail that waits for a free connection grew by .*|the driver sent late.*");
    }

    @Test
    void neitherIsOneWhoseLatencyIsTooLong() throws Exception {
        RateSearch.Answer verdict = trial(30, 0, Duration.ofMillis(15));
        assertThat(verdict.sustained()).isFalse();
        assertThat(verdict.words()).matches("p99 of the latency was .*|the driver sent late.*");
    }

    @Test
    void norOneAtWhichMessagesAreRefused() throws Exception {
        RateSearch.Answer verdict = trial(30, 100, Duration.ofSeconds(5));
        assertThat(verdict.sustained()).isFalse();
        assertThat(verdict.words()).matches(".* were refused or failed|the driver sent late.*");
    }

    private static RateSearch.Answer trial(double rate, double deferPercent, Duration limit)
            throws Exception {
        SinkServer.Behaviour slow =
                new SinkServer.Behaviour(Duration.ofMillis(20), deferPercent, 0, false);
        try (SinkServer sink = SinkServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), slow)) {
            Pace.MaxSustained asked = new Pace.MaxSustained(limit, Arrivals.FIXED, 1);
            LoadPlan plan = new LoadPlan(
                    sink.address(), 2, asked, Transfer.DATA, true, 0, 0, 1, "a@x", "b@x", 1);
            TargetProbe.Announced announced = TargetProbe.ask(plan.target());
            MessageGenerator generator = new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x");
            try (MessageSet messages = MessageSet.generate(1_000, generator, plan, announced)) {
                return new RateTrial(
                                pace -> LoadDriver.start(plan.at(pace), messages, announced),
                                new Instruments(null, null, null, List.of(), Map.of()),
                                new RateTrial.Settings("1KB", asked, false, null, 2),
                                SHORT,
                                new Progress(System.err, true))
                        .at(rate);
            }
        }
    }
}
