package org.hubmark.hub.pressure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.hub.Await.await;
import static org.hubmark.hub.TestHubs.metric;

import org.hubmark.core.Receipt;
import org.hubmark.hub.Hub;
import org.hubmark.hub.TestHubs;
import org.hubmark.queue.QueueStore;
import org.hubmark.smtp.client.SmtpClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Mail is slowed and then refused before a resource is used up, and each change is said once. Method:
 * resources whose values the test sets, looked at each tenth of a second of a time that the test
 * makes; and a real hub whose limit is four messages.
 */
final class BackPressureTest {
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

    /**
     * A level begins at its threshold, after a second, and ends at once below the one below; less of a volume is worse.
     * What does not change is looked at less often. The pause grows while the level stays, up to its bound. Steps:
     * {@code m20} and {@code r100} are values of the resources, {@code 1s} is a second of looks and {@code 9!} so many
     * of them, {@code =100} is the time between two of them and {@code p0} the pause, in milliseconds.
     */
    @ParameterizedTest
    @CsvFileSource(resources = "levels.csv", delimiter = '|')
    void doesWhatTheStepsSay(String steps) {
        for (String step : steps.split(" ", -1)) {
            String number = step.replaceAll("[^0-9]", "");
            long value = number.isEmpty() ? 0 : Long.parseLong(number);
            switch (step.replaceAll("[0-9]", "")) {
                case "m" -> messages = value;
                case "r" -> room = value;
                case "s" -> lookForASecond();
                case "!" -> {
                    for (int i = 0; i < value; i++) {
                        look();
                    }
                }
                case "=" -> assertThat(pressure.period()).hasMillis(value);
                case "p" -> assertThat(Duration.ofNanos(pressure.pauseNanos())).hasMillis(value);
                default -> assertThat(pressure.level()).hasToString(step);
            }
        }
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
        String medium = "back pressure is medium, replies to MAIL are slowed: the length of the"
                + " queue is 25 messages (normal 10, medium 20, high 30)";
        assertThat(said)
                .containsExactly(
                        medium,
                        "back pressure is high, MAIL is refused: the room of the queue volume is 90"
                                + " MB (normal 300, medium 200, high 100)",
                        medium,
                        "back pressure is normal again after 4s: the length of the queue is 3"
                                + " messages (normal 10, medium 20, high 30)");
        assertThat(pressure.resources().getFirst().nanosAboveNormal().sum())
                .isEqualTo(Duration.ofMillis(4_100).toNanos());
    }

    /** Through a real hub: medium after two messages, high after four. */
    @Test
    void aHubThatHoldsTooMuchSlowsMailAndThenRefusesIt(@TempDir Path folder) throws IOException {
        try (Hub hub = TestHubs.hold(folder, new PressureSettings(4));
                SmtpClient client = TestHubs.client(hub)) {
            TestHubs.send(hub, "b@y.example");
            assertThat(metric(hub, "hubmark_back_pressure_level")).isZero();
            TestHubs.send(hub, "b@y.example");
            await().until(() -> metric(hub, "hubmark_back_pressure_level") == 1);
            // The first pause is none, since the level has only begun.
            await().until(() -> {
                assertThat(client.command("RSET").isSuccess()).isTrue();
                assertThat(client.command("MAIL FROM:<a@x.example>").isSuccess())
                        .isTrue();
                return metric(hub, "hubmark_smtp_mail_pauses_total") > 0;
            });
            TestHubs.send(hub, "b@y.example");
            TestHubs.send(hub, "b@y.example");
            await().until(() -> metric(hub, "hubmark_back_pressure_level") == 2);
            assertThat(client.command("RSET").isSuccess()).isTrue();
            assertThat(client.command("MAIL FROM:<a@x.example>"))
                    .hasToString("452 4.3.1 the queue is too long, try again later");
            String queue = "{resource=\"queue_length\"}";
            assertThat(metric(hub, "hubmark_back_pressure_resource_level" + queue))
                    .isEqualTo(2);
            assertThat(metric(hub, "hubmark_back_pressure_seconds_total" + queue))
                    .isPositive();
            assertThat(metric(hub, "hubmark_messages_refused_total{reason=\"back_pressure\"}"))
                    .isEqualTo(1);
            QueueStore store = hub.store().orElseThrow();
            store.lease(4).forEach(lease -> store.acknowledge(lease.id()));
            await().until(() -> metric(hub, "hubmark_back_pressure_level") == 0);
            TestHubs.send(hub, "b@y.example");
        }
    }
}
