package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Proves against a server of our own that every message is accounted for in each mode, and that a
 * server that is too slow for the rate shows in the latency instead of slowing the schedule.
 */
@Timeout(60)
class LoadDriverTest {
    private static final int SIZE = 4_000;

    /** Of 200 by each, a quarter is refused. */
    @ParameterizedTest
    @EnumSource(Transfer.class)
    void accountsForEachMessageInEachMode(Transfer transfer) throws Exception {
        for (boolean pipelining : new boolean[] {true, false}) {
            var dialogue = new LoadPlan.Dialogue(transfer, pipelining, null, null);
            for (int perConnection : new int[] {0, 1, 7}) {
                for (int recipients : new int[] {1, 7}) {
                    try (SinkServer sink = sink(SinkServer.Behaviour.willing())) {
                        LoadSnapshot end = Loads.whole(
                                Loads.plan(
                                        sink.address(),
                                        4,
                                        perConnection,
                                        100,
                                        dialogue,
                                        recipients),
                                SIZE,
                                LoadDriver::snapshot);
                        assertThat(end.sent()).isEqualTo(100);
                        assertThat(end.accepted()).isEqualTo(100);
                        assertThat(end.acceptedBytes()).isEqualTo(100L * SIZE);
                        assertThat(end.failed() + end.refused() + end.connectionFailures())
                                .isZero();
                        assertThat(sink.acceptedMessages()).isEqualTo(100);
                        assertThat(sink.acceptedBytes()).isEqualTo(100L * SIZE);
                        assertThat(sink.recipients()).isEqualTo(100L * recipients);
                    }
                }
            }
        }
        try (SinkServer sink = sink(new SinkServer.Behaviour(Duration.ZERO, 25, 0, false))) {
            var dialogue = new LoadPlan.Dialogue(transfer, true, null, null);
            LoadSnapshot end = Loads.whole(
                    Loads.plan(sink.address(), 3, 0, 200, dialogue, 1), SIZE, LoadDriver::snapshot);
            assertThat(end.sent()).isEqualTo(200);
            assertThat(end.refused()).isEqualTo(50);
            assertThat(end.accepted()).isEqualTo(150);
        }
    }

    /**
     * A server that stands still for 1 s touches only the one message that is under way, if one looks
     * at it as of its sending; but whoever wanted to send in that second had to wait.
     */
    @Test
    void aStallShowsInTheCorrectedLatencyOnly() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        AtomicLong until = new AtomicLong();
        LongSupplier stall = () -> {
            long now = System.nanoTime();
            int before = ended.getAndIncrement();
            until.compareAndSet(0, before == 250 ? now + 1_000_000_000 : 0);
            return before < 250 ? 0 : Math.max(0, until.get() - now);
        };
        try (SinkServer sink = sink(new SinkServer.Behaviour(stall, 0, 0, false))) {
            var unused =
                    Loads.whole(Loads.plan(sink.address(), 1, 1_000.0, 2_000), SIZE, driver -> {
                        // Nothing is open where all was sent.
                        assertThat(driver.end().intended().getTotalCount()).isZero();
                        assertThat(driver.snapshot().overdue()).isZero();
                        Workload.Latency latency = driver.takeLatencies();
                        Histogram corrected = latency.intended();
                        Histogram uncorrected = latency.actual();
                        assertThat(corrected.getTotalCount()).isEqualTo(2_000);
                        assertThat(uncorrected.getTotalCount()).isEqualTo(2_000);
                        // 1000 of 2000 messages were intended within the stall, evenly over its
                        // second.
                        assertThat(corrected.getValueAtPercentile(99.9))
                                .isGreaterThan(950_000_000L);
                        assertThat(corrected.getValueAtPercentile(75)).isGreaterThan(250_000_000L);
                        assertThat(uncorrected.getMaxValue()).isGreaterThan(990_000_000L);
                        assertThat(uncorrected.getValueAtPercentile(99.9)).isLessThan(500_000_000L);
                        return driver;
                    });
        }
    }

    /** A server that answers nothing: 2 messages are under way, the others wait, each for 10 ms less. */
    @Test
    void whatIsOpenAtTheEndHasTheAgeItHas() throws Exception {
        try (SinkServer sink = sink(new SinkServer.Behaviour(Duration.ofMinutes(5), 0, 0, false))) {
            var unused = Loads.run(Loads.plan(sink.address(), 2, 100.0, 0), SIZE, driver -> {
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
                return driver;
            });
        }
    }

    @Test
    void stopsInTimeAndAccountsForWhatIsUnderWay() throws Exception {
        try (SinkServer sink = sink(SinkServer.Behaviour.willing())) {
            var unused = Loads.run(Loads.plan(sink.address(), 8, null, 0), SIZE, driver -> {
                while (driver.snapshot().accepted() < 100) {
                    Thread.onSpinWait();
                }
                driver.stop(Loads.WAIT);
                LoadSnapshot end = driver.snapshot();
                assertThat(end.sent()).isEqualTo(end.accepted());
                assertThat(sink.acceptedMessages()).isEqualTo(end.accepted());
                return driver;
            });
        }
    }

    @Test
    void countsWhatABrokenConnectionTookWithIt() throws Exception {
        SinkServer sink = sink(new SinkServer.Behaviour(Duration.ofMinutes(5), 0, 0, false));
        var unused = Loads.run(Loads.plan(sink.address(), 5, null, 0), SIZE, driver -> {
            while (driver.snapshot().sent() < 5) {
                Thread.onSpinWait();
            }
            sink.close();
            while (driver.snapshot().failed() < 5) {
                Thread.onSpinWait();
            }
            driver.stop(Loads.WAIT);
            LoadSnapshot end = driver.snapshot();
            assertThat(end.sent()).isEqualTo(5);
            assertThat(end.failed()).isEqualTo(5);
            return driver;
        });
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
        try (PlayedServer web = new PlayedServer("HTTP/1.1 400 Bad", () -> line -> null)) {
            assertThatThrownBy(() -> TargetProbe.ask(web.address()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(
                            "not an SMTP server: it answered with a line that is not a reply:"
                                    + " 'HTTP/1.1");
        }
    }

    /** RFC 3207 4: 454, TLS not available due to temporary reason. */
    @Test
    void saysThatATargetRefusesToBeginTls() throws Exception {
        String refusal = "454 4.7.0 no key at hand";
        PlayedServer.Dialogue refuses =
                line -> line.startsWith("EHLO") ? "250-mail.example\r\n250 STARTTLS" : refusal;
        try (PlayedServer server = new PlayedServer("220 mail.example", () -> refuses)) {
            InetSocketAddress target = server.address();
            String name = "target " + target.getHostString() + ":" + target.getPort();
            assertThatThrownBy(() -> TargetProbe.ask(target, ClientTls.trustingAll(), null))
                    .isInstanceOf(UserError.class)
                    .hasMessage(
                            name + " announces STARTTLS, which --tls needs, but answers it with: "
                                    + refusal);
            // A server that has run out of keys since it was asked.
            TargetProbe.Announced announced = TargetProbe.ask(target);
            LoadPlan plan = Loads.plan(target, 2, null, 0).by(ClientTls.trustingAll());
            try (MessageSet messages = Loads.messages(SIZE, plan, announced)) {
                assertThatThrownBy(() ->
                                LoadDriver.start(plan, messages, announced, Duration.ofSeconds(2)))
                        .isInstanceOf(UserError.class)
                        .hasMessage(name + " takes only 0 of 2 connections, and answers: " + refusal
                                + "; give it fewer (--connections)");
            }
        }
    }

    private static SinkServer sink(SinkServer.Behaviour behaviour) throws IOException {
        return SinkServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), behaviour);
    }
}
