package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpServer;

import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.measure.hub.HubClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

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

    /** A hub that has another checkpoint each eighth time it is asked, so each 2 s. */
    @Test
    void goesOnUntilItHasSeenCheckpoints() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        HttpServer hub =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        hub.createContext("/metrics", exchange -> {
            int checkpoints = asked.incrementAndGet() / 8;
            byte[] text = ("hubmark_checkpoints_total " + checkpoints + "\n").getBytes(US_ASCII);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        hub.start();
        try {
            RateTrial.Times times = new RateTrial.Times(
                    Duration.ZERO,
                    Duration.ofMillis(100),
                    Duration.ofMillis(300),
                    Duration.ofSeconds(40),
                    Duration.ofMillis(300));
            HubClient client = new HubClient("127.0.0.1:" + hub.getAddress().getPort());
            RateSearch.Answer verdict = trial(30, 0, Duration.ofSeconds(5), client, times);
            assertThat(verdict.sustained() || verdict.byDriver())
                    .as("%s", verdict)
                    .isTrue();
        } finally {
            hub.stop(0);
        }
        assertThat(asked.get() / 8).isGreaterThanOrEqualTo(RateTrial.CHECKPOINTS_MIN);
    }

    private static RateSearch.Answer trial(double rate, double deferPercent, Duration limit)
            throws Exception {
        return trial(rate, deferPercent, limit, null, SHORT);
    }

    private static RateSearch.Answer trial(
            double rate,
            double deferPercent,
            Duration limit,
            @Nullable HubClient hub,
            RateTrial.Times times)
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
                                new Instruments(hub, null, null, List.of(), Map.of()),
                                new RateTrial.Settings("1KB", asked, false, null, 2),
                                times,
                                new Progress(System.err, true))
                        .at(rate);
            }
        }
    }
}
