package org.hubmark.hub.pressure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.Receipt;
import org.hubmark.hub.Hub;
import org.hubmark.hub.HubConfiguration;
import org.hubmark.hub.HubConfigurations;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Mail is slowed and then refused before a resource is used up, and each change is said once. Method:
 * resources whose values the test sets, looked at each tenth of a second of a time that the test
 * makes; and a real hub whose limit is four messages.
 */
final class BackPressureTest {
    @TempDir
    private Path folder;

    private final List<String> said = new ArrayList<>();
    private final BackPressure pressure = new BackPressure(change -> said.add(change.text()));
    private long messages;
    private long room = 1_000;
    private long nowNanos;
    private boolean failing;

    BackPressureTest() {
        pressure.watch(
                List.of(
                        new WatchedResource(
                                "queue_length",
                                "the length of the queue",
                                "messages",
                                "the queue is too long",
                                new WatchedResource.Thresholds(10, 20, 30),
                                this::messages),
                        new WatchedResource(
                                "queue_volume",
                                "the room of the queue volume",
                                "MB",
                                "the queue volume is short of room",
                                new WatchedResource.Thresholds(300, 200, 100),
                                () -> room)),
                nowNanos);
    }

    private long messages() {
        if (failing) {
            throw new IllegalStateException("nobody knows");
        }
        return messages;
    }

    /** A level that was seen last would refuse mail for good; the others still count. */
    @Test
    void whatNobodyKnowsRefusesNothing() {
        messages = 30;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.HIGH);
        failing = true;
        assertThatThrownBy(this::look).hasMessage("nobody knows");
        assertThat(pressure.refusal()).isNull();
        room = 100;
        for (int i = 0; i < WatchedResource.SAMPLES; i++) {
            assertThatThrownBy(this::look).hasMessage("nobody knows");
        }
        assertThat(pressure.refusal()).asString().contains("queue volume");
        failing = false;
        room = 1_000;
        messages = 0;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.NORMAL);
    }

    @Test
    void whatDoesNotChangeIsLookedAtLessOften() {
        assertThat(pressure.period()).isEqualTo(Duration.ofMillis(100));
        lookForASecond();
        assertThat(pressure.period()).isEqualTo(Duration.ofMillis(500));
        messages = 1;
        look();
        assertThat(pressure.period()).isEqualTo(Duration.ofMillis(100));
        messages = 1_000_000;
        lookForASecond();
        assertThat(pressure.period()).isEqualTo(Duration.ofMillis(100));
    }

    /** Looks so often that what it sees lasts for a second. */
    private PressureLevel lookForASecond() {
        for (int i = 0; i < WatchedResource.SAMPLES; i++) {
            look();
        }
        return pressure.level();
    }

    private PressureLevel look() {
        nowNanos += BackPressure.PERIOD.toNanos();
        pressure.look(nowNanos);
        return pressure.level();
    }

    @Test
    void entersALevelAtItsThresholdAndLeavesItAtTheOneBelow() {
        messages = 19;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.NORMAL);
        messages = 20;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.MEDIUM);
        messages = 10;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.MEDIUM);
        messages = 29;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.MEDIUM);
        messages = 30;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.HIGH);
        messages = 20;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.HIGH);
        messages = 19;
        assertThat(look()).isEqualTo(PressureLevel.MEDIUM);
        messages = 9;
        assertThat(look()).isEqualTo(PressureLevel.NORMAL);
        messages = 30;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.HIGH);
        messages = 9;
        assertThat(look()).isEqualTo(PressureLevel.NORMAL);
    }

    @Test
    void lessOfAVolumeIsWorse() {
        room = 201;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.NORMAL);
        room = 200;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.MEDIUM);
        room = 100;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.HIGH);
        room = 200;
        assertThat(look()).isEqualTo(PressureLevel.HIGH);
        room = 300;
        assertThat(look()).isEqualTo(PressureLevel.MEDIUM);
        room = 301;
        assertThat(look()).isEqualTo(PressureLevel.NORMAL);
    }

    @Test
    void aBurstIsNoShortage() {
        for (int i = 0; i < 100; i++) {
            messages = i % WatchedResource.SAMPLES == 0 ? 0 : 1_000;
            assertThat(look()).isEqualTo(PressureLevel.NORMAL);
        }
        assertThat(said).isEmpty();
    }

    @Test
    void thePauseGrowsWhileTheLevelStaysUpToItsBound() {
        messages = 20;
        assertThat(lookForASecond()).isEqualTo(PressureLevel.MEDIUM);
        assertThat(pressure.pauseNanos()).isZero();
        long last = 0;
        for (int i = 0; i < 499; i++) {
            look();
            assertThat(pressure.pauseNanos()).isGreaterThan(last);
            last = pressure.pauseNanos();
        }
        assertThat(last).isEqualTo(Duration.ofMillis(4_990).toNanos());
        lookForASecond();
        assertThat(pressure.pauseNanos()).isEqualTo(BackPressure.PAUSE_MAX.toNanos());
        messages = 0;
        look();
        assertThat(pressure.pauseNanos()).isZero();
        messages = 20;
        lookForASecond();
        assertThat(pressure.pauseNanos()).isZero();
    }

    @Test
    void theShortestResourceDecidesAndEachChangeIsSaidOnce() {
        messages = 25;
        lookForASecond();
        lookForASecond();
        room = 90;
        lookForASecond();
        lookForASecond();
        assertThat(pressure.refusal())
                .isEqualTo(new Receipt.Refused(
                        Receipt.Reason.BACK_PRESSURE,
                        "the queue volume is short of room, try again later"));
        room = 1_000;
        lookForASecond();
        assertThat(pressure.level()).isEqualTo(PressureLevel.MEDIUM);
        assertThat(pressure.refusal()).isNull();
        messages = 3;
        lookForASecond();
        assertThat(said)
                .containsExactly(
                        "back pressure is medium, replies to MAIL are slowed: the length of the"
                                + " queue is 25 messages (normal 10, medium 20, high 30)",
                        "back pressure is high, MAIL is refused: the room of the queue volume is 90"
                                + " MB (normal 300, medium 200, high 100)",
                        "back pressure is medium, replies to MAIL are slowed: the length of the"
                                + " queue is 25 messages (normal 10, medium 20, high 30)",
                        "back pressure is normal again after 4s: the length of the queue is 3"
                                + " messages (normal 10, medium 20, high 30)");
        assertThat(pressure.resources().getFirst().nanosAboveNormal().sum())
                .isEqualTo(Duration.ofMillis(4_100).toNanos());
    }

    @Test
    void theLevelsOfTheQueueAreSharesOfItsLimit() {
        assertThat(new PressureSettings(5).queueLength())
                .isEqualTo(new WatchedResource.Thresholds(2, 2, 5));
    }

    /** Through a real hub: medium after two messages, high after four. */
    @Test
    void aHubThatHoldsTooMuchSlowsMailAndThenRefusesIt() throws IOException {
        HubConfiguration configuration =
                HubConfigurations.on(folder, IntakeKind.STORE, new DeliverySpec.Hold(), Map.of());
        try (Hub hub = HubConfigurations.start(configuration, new PressureSettings(4));
                Client client = new Client(hub)) {
            assertThat(client.send()).startsWith("250 2.0.0 queued");
            assertThat(metric(hub, "hubmark_back_pressure_level")).isZero();
            assertThat(client.send()).startsWith("250 2.0.0 queued");
            await().until(() -> metric(hub, "hubmark_back_pressure_level") == 1);
            // The first pause is none, since the level has only begun.
            await().until(() -> {
                assertThat(client.command("RSET")).startsWith("250 ");
                assertThat(client.command("MAIL FROM:<a@x.example>")).startsWith("250 ");
                return metric(hub, "hubmark_smtp_mail_pauses_total") > 0;
            });
            assertThat(client.command("RSET")).startsWith("250 ");
            assertThat(client.send()).startsWith("250 2.0.0 queued");
            assertThat(client.send()).startsWith("250 2.0.0 queued");
            await().until(() -> metric(hub, "hubmark_back_pressure_level") == 2);
            assertThat(client.command("MAIL FROM:<a@x.example>"))
                    .isEqualTo("452 4.3.1 the queue is too long, try again later");
            assertThat(metric(
                            hub, "hubmark_back_pressure_resource_level{resource=\"queue_length\"}"))
                    .isEqualTo(2);
            assertThat(metric(
                            hub, "hubmark_back_pressure_seconds_total{resource=\"queue_length\"}"))
                    .isPositive();
            assertThat(metric(hub, "hubmark_messages_refused_total{reason=\"back_pressure\"}"))
                    .isEqualTo(1);
            var queue = hub.store().orElseThrow();
            queue.lease(4).forEach(lease -> queue.acknowledge(lease.id()));
            await().until(() -> metric(hub, "hubmark_back_pressure_level") == 0);
            assertThat(client.send()).startsWith("250 2.0.0 queued");
        }
    }

    private static double metric(Hub hub, String name) {
        return hub.metrics()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + name));
    }

    /** A client that waits for each reply. */
    private static final class Client implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;

        Client(Hub hub) throws IOException {
            socket = new Socket(hub.address().getAddress(), hub.address().getPort());
            socket.setSoTimeout(60_000);
            in = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            in.readLine();
            command("HELO c.example");
        }

        String command(String line) throws IOException {
            socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
            return in.readLine();
        }

        String send() throws IOException {
            command("MAIL FROM:<a@x.example>");
            command("RCPT TO:<b@y.example>");
            command("DATA");
            return command("Subject: x\r\n\r\nx\r\n.");
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
