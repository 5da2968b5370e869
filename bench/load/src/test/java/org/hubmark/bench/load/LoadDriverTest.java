package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.HdrHistogram.Histogram;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;

/**
 * Proves against a server of our own that every message is accounted for in each mode, and that a
 * server that is too slow for the rate shows in the latency instead of slowing the schedule.
 */
@Timeout(60)
class LoadDriverTest {
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final int SIZE = 4_000;

    @Test
    void sendsExactlyTheAskedNumberInEachMode() throws Exception {
        for (Transfer transfer : Transfer.values()) {
            for (boolean pipelining : new boolean[] {true, false}) {
                for (int perConnection : new int[] {0, 1, 7}) {
                    try (SinkServer sink = sink(SinkServer.Behaviour.willing())) {
                        LoadSnapshot end =
                                send(plan(sink, 4, null, transfer, pipelining, perConnection, 100));
                        assertThat(end.sent()).isEqualTo(100);
                        assertThat(end.accepted()).isEqualTo(100);
                        assertThat(end.acceptedBytes()).isEqualTo(100L * SIZE);
                        assertThat(end.failed() + end.refused() + end.connectionFailures())
                                .isZero();
                        assertThat(sink.acceptedMessages()).isEqualTo(100);
                        assertThat(sink.acceptedBytes()).isEqualTo(100L * SIZE);
                    }
                }
            }
        }
    }

    @Test
    void sendsToSeveralRecipients() throws Exception {
        for (Transfer transfer : Transfer.values()) {
            for (boolean pipelining : new boolean[] {true, false}) {
                try (SinkServer sink = sink(SinkServer.Behaviour.willing())) {
                    LoadSnapshot end = send(plan(sink, 2, null, transfer, pipelining, 0, 50, 7));
                    assertThat(end.accepted()).isEqualTo(50);
                    assertThat(sink.acceptedMessages()).isEqualTo(50);
                    assertThat(sink.recipients()).isEqualTo(350);
                }
            }
        }
    }

    @Test
    void countsRefusals() throws Exception {
        for (Transfer transfer : Transfer.values()) {
            try (SinkServer sink = sink(new SinkServer.Behaviour(Duration.ZERO, 25, 0, false))) {
                LoadSnapshot end = send(plan(sink, 3, null, transfer, true, 0, 200));
                assertThat(end.sent()).isEqualTo(200);
                assertThat(end.refused()).isEqualTo(50);
                assertThat(end.accepted()).isEqualTo(150);
            }
        }
    }

    @Test
    void latenessIsLatencyInAnOpenLoop() throws Exception {
        // One connection, 20 ms an answer: 50 a second at most. At 200 a second each message is
        // intended 5 ms after the last but can go 15 ms later than it, so the last of 40 waits for
        // about 600 ms. A closed loop sees but the 20 ms.
        try (SinkServer sink = sink(new SinkServer.Behaviour(Duration.ofMillis(20), 0, 0, false))) {
            Histogram open = latencies(plan(sink, 1, 200.0, Transfer.DATA, true, 0, 40));
            assertThat(open.getTotalCount()).isEqualTo(40);
            assertThat(open.getMaxValue()).isGreaterThan(500_000_000L);
            Histogram closed = latencies(plan(sink, 1, null, Transfer.DATA, true, 0, 40));
            assertThat(closed.getMinValue()).isGreaterThan(19_000_000L);
            assertThat(closed.getValueAtPercentile(50)).isLessThan(250_000_000L);
        }
    }

    /**
     * A server that stands still for 1 s touches only the one message that is under way, if one looks
     * at it as of its sending; but whoever wanted to send in that second had to wait.
     */
    @Test
    void aStallShowsInTheCorrectedLatencyOnly() throws Exception {
        SinkServer.Behaviour stalling =
                new SinkServer.Behaviour(new Stall(Duration.ofSeconds(1), 250), 0, 0, false);
        try (SinkServer sink = sink(stalling)) {
            LoadPlan plan = plan(sink, 1, 1_000.0, Transfer.DATA, true, 0, 2_000);
            TargetProbe.Announced announced = TargetProbe.ask(plan.target());
            try (MessageSet messages = messages(plan, announced);
                    LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
                driver.begin();
                assertThat(driver.awaitFinished(WAIT)).isTrue();
                Workload.Latency latency = driver.takeLatencies();
                Histogram corrected = latency.intended();
                Histogram uncorrected = latency.actual();
                assertThat(corrected.getTotalCount()).isEqualTo(2_000);
                assertThat(uncorrected.getTotalCount()).isEqualTo(2_000);
                // 1000 of 2000 messages were intended within the stall, evenly over its second.
                assertThat(corrected.getValueAtPercentile(99.9)).isGreaterThan(950_000_000L);
                assertThat(corrected.getValueAtPercentile(75)).isGreaterThan(250_000_000L);
                assertThat(uncorrected.getMaxValue()).isGreaterThan(990_000_000L);
                assertThat(uncorrected.getValueAtPercentile(99.9)).isLessThan(500_000_000L);
            }
        }
    }

    /** A server that answers nothing: 2 messages are under way, the others wait, each for 10 ms less. */
    @Test
    void whatIsOpenAtTheEndHasTheAgeItHas() throws Exception {
        try (SinkServer sink = sink(new SinkServer.Behaviour(Duration.ofMinutes(5), 0, 0, false))) {
            LoadPlan plan = plan(sink, 2, 100.0, Transfer.DATA, true, 0, 0);
            TargetProbe.Announced announced = TargetProbe.ask(plan.target());
            try (MessageSet messages = messages(plan, announced);
                    LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
                driver.begin();
                while (driver.snapshot().overdue() < 40 || driver.snapshot().sent() < 2) {
                    Thread.onSpinWait();
                }
                long sent = driver.snapshot().sent();
                Workload.Open open = driver.end();
                assertThat(sent).isEqualTo(2);
                assertThat(open.begun()).isEqualTo(2);
                assertThat(open.intended().getTotalCount() - open.begun())
                        .isGreaterThanOrEqualTo(40);
                long oldest = open.intended().getMaxValue();
                assertThat(oldest).isGreaterThan(400_000_000L);
                assertThat(open.intended().getTotalCount())
                        .isCloseTo(oldest / 10_000_000 + 1, within(1L));
                assertThat(open.intended().getMean())
                        .isCloseTo(oldest / 2.0, within(oldest * 0.05));
                assertThat(open.actual().getTotalCount()).isEqualTo(2);
                assertThat(driver.takeLatencies().intended().getTotalCount()).isZero();
                driver.stop(Duration.ofMillis(1));
                assertThat(driver.snapshot().sent()).isEqualTo(2);
            }
        }
    }

    @Test
    void nothingIsOpenWhereAllWasSent() throws Exception {
        try (SinkServer sink = sink(SinkServer.Behaviour.willing())) {
            LoadPlan plan = plan(sink, 2, 1_000.0, Transfer.DATA, true, 0, 50);
            TargetProbe.Announced announced = TargetProbe.ask(plan.target());
            try (MessageSet messages = messages(plan, announced);
                    LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
                driver.begin();
                assertThat(driver.awaitFinished(WAIT)).isTrue();
                assertThat(driver.end().intended().getTotalCount()).isZero();
                assertThat(driver.snapshot().overdue()).isZero();
            }
        }
    }

    @Test
    void keepsToTheRate() throws Exception {
        try (SinkServer sink = sink(SinkServer.Behaviour.willing())) {
            long startNanos = System.nanoTime();
            send(plan(sink, 4, 500.0, Transfer.DATA, true, 0, 250));
            // The last is due after 249 intervals of 2 ms.
            assertThat(System.nanoTime() - startNanos).isGreaterThan(498_000_000L);
        }
    }

    @Test
    void stopsInTimeAndAccountsForWhatIsUnderWay() throws Exception {
        try (SinkServer sink = sink(SinkServer.Behaviour.willing())) {
            LoadPlan plan = plan(sink, 8, null, Transfer.DATA, true, 0, 0);
            TargetProbe.Announced announced = TargetProbe.ask(plan.target());
            try (MessageSet messages = messages(plan, announced);
                    LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
                driver.begin();
                while (driver.snapshot().accepted() < 100) {
                    Thread.onSpinWait();
                }
                driver.stop(WAIT);
                LoadSnapshot end = driver.snapshot();
                assertThat(end.sent()).isEqualTo(end.accepted());
                assertThat(sink.acceptedMessages()).isEqualTo(end.accepted());
            }
        }
    }

    @Test
    void countsWhatABrokenConnectionTookWithIt() throws Exception {
        SinkServer sink = sink(new SinkServer.Behaviour(Duration.ofMinutes(5), 0, 0, false));
        LoadPlan plan = plan(sink, 5, null, Transfer.DATA, true, 0, 0);
        TargetProbe.Announced announced = TargetProbe.ask(plan.target());
        try (MessageSet messages = messages(plan, announced);
                LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
            driver.begin();
            while (driver.snapshot().sent() < 5) {
                Thread.onSpinWait();
            }
            sink.close();
            while (driver.snapshot().failed() < 5) {
                Thread.onSpinWait();
            }
            driver.stop(WAIT);
            LoadSnapshot end = driver.snapshot();
            assertThat(end.sent()).isEqualTo(5);
            assertThat(end.failed()).isEqualTo(5);
        }
    }

    @Test
    void saysWhatIsWrongWithATarget() throws Exception {
        // Bound, so that nobody else gets the port, and not listening.
        try (Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            InetSocketAddress closed = (InetSocketAddress) bound.getLocalSocketAddress();
            assertThatThrownBy(() -> TargetProbe.ask(closed))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("can't be reached");
        }
        try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answer = Thread.ofVirtual().start(() -> {
                try (var peer = web.accept()) {
                    peer.getOutputStream()
                            .write("HTTP/1.1 400 Bad\r\n"
                                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            InetSocketAddress address = (InetSocketAddress) web.getLocalSocketAddress();
            assertThatThrownBy(() -> TargetProbe.ask(address))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(
                            "not an SMTP server: it answered with a line that is not a reply: 'HTTP/1.1");
            answer.join();
        }
    }

    /** RFC 3207 4: 454, TLS not available due to temporary reason. */
    @Test
    void saysThatATargetRefusesToBeginTls() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            Thread answer = Thread.ofVirtual().start(() -> refuseTls(server));
            InetSocketAddress target = (InetSocketAddress) server.getLocalSocketAddress();
            String refusal = "454 4.7.0 no key at hand";
            assertThatThrownBy(() -> TargetProbe.ask(target, ClientTls.trustingAll(), null))
                    .isInstanceOf(UserError.class)
                    .hasMessage("target " + target.getHostString() + ":" + target.getPort()
                            + " announces STARTTLS, which" + " --tls needs, but answers it with: "
                            + refusal);
            // A server that has run out of keys since it was asked.
            TargetProbe.Announced announced = TargetProbe.ask(target);
            LoadPlan plan = LoadPlan.of(
                            target, 2, new Pace.ClosedLoop(), Transfer.DATA, "a@x", "b@x")
                    .by(ClientTls.trustingAll());
            try (MessageSet messages = messages(plan, announced)) {
                assertThatThrownBy(() ->
                                LoadDriver.start(plan, messages, announced, Duration.ofSeconds(2)))
                        .isInstanceOf(UserError.class)
                        .hasMessage("target " + target.getHostString() + ":" + target.getPort()
                                + " takes only 0 of 2"
                                + " connections, and answers: " + refusal
                                + "; give it fewer (--connections)");
            }
            server.close();
            answer.join();
        }
    }

    private static void refuseTls(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket peer = server.accept()) {
                OutputStream out = peer.getOutputStream();
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(peer.getInputStream(), US_ASCII));
                out.write("220 mail.example\r\n".getBytes(US_ASCII));
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    String reply = line.startsWith("EHLO")
                            ? "250-mail.example\r\n250 STARTTLS\r\n"
                            : "454 4.7.0 no key at hand\r\n";
                    out.write(reply.getBytes(US_ASCII));
                }
            } catch (IOException e) {
                // The peer has gone, or the test is over: the loop sees which.
            }
        }
    }

    private static LoadSnapshot send(LoadPlan plan) throws InterruptedException {
        TargetProbe.Announced announced = TargetProbe.ask(plan.target());
        try (MessageSet messages = messages(plan, announced);
                LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
            driver.begin();
            assertThat(driver.awaitFinished(WAIT)).isTrue();
            return driver.snapshot();
        }
    }

    private static Histogram latencies(LoadPlan plan) throws InterruptedException {
        TargetProbe.Announced announced = TargetProbe.ask(plan.target());
        try (MessageSet messages = messages(plan, announced);
                LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
            driver.begin();
            assertThat(driver.awaitFinished(WAIT)).isTrue();
            return driver.takeLatencies().intended();
        }
    }

    private static MessageSet messages(LoadPlan plan, TargetProbe.Announced announced) {
        return MessageSet.generate(
                SIZE, new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x"), plan, announced);
    }

    private static SinkServer sink(SinkServer.Behaviour behaviour) throws IOException {
        return SinkServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), behaviour);
    }

    private static LoadPlan plan(
            SinkServer sink,
            int connections,
            @org.jspecify.annotations.Nullable Double rate,
            Transfer transfer,
            boolean pipelining,
            long perConnection,
            long count) {
        return plan(sink, connections, rate, transfer, pipelining, perConnection, count, 1);
    }

    private static LoadPlan plan(
            SinkServer sink,
            int connections,
            @org.jspecify.annotations.Nullable Double rate,
            Transfer transfer,
            boolean pipelining,
            long perConnection,
            long count,
            int recipients) {
        return new LoadPlan(
                sink.address(),
                connections,
                2,
                rate == null ? new Pace.ClosedLoop() : new Pace.OpenLoop(rate, Arrivals.FIXED, 1),
                perConnection,
                count,
                new LoadPlan.Dialogue(transfer, pipelining, null, null),
                new LoadPlan.Addresses("a@x", "b@x", recipients));
    }
}
