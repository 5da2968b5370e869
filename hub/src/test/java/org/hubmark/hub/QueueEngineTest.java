package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Outcome;
import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A hub takes mail into a queue of another engine and delivers from it, as from its own store, and
 * touches no volume for it; what is wrong with the address is said at the start.
 */
final class QueueEngineTest {
    @TempDir
    private Path folder;

    @Test
    void mailGoesThroughAnotherQueue() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        DeliveryAgent second = lease -> attempts.incrementAndGet() == 1
                ? new Outcome.Deferred("not yet")
                : new Outcome.Delivered();
        try (Hub hub = start("folder:" + other(), second, Map.of("delivery.retry-min", "1ms"))) {
            TestHubs.send(hub, "b@y.example");
            await().until(() -> attempts.get() == 2);
            await().until(() -> hub.metrics().contains("\nhubmark_messages_delivered_total 1"));
            assertThat(hub.store()).isEmpty();
        }
        assertThat(folder.resolve("log")).doesNotExist();
        assertThat(folder.resolve("queue")).doesNotExist();
    }

    @Test
    void whatIsWrongIsSaidAtTheStart() {
        DeliveryAgent none = lease -> new Outcome.Delivered();
        assertThatThrownBy(() -> start("carrier-pigeon://roof", none, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no engine for the queue 'carrier-pigeon://roof'");
        assertThatThrownBy(() -> start("folder:" + folder + "/absent", none, Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessage("no queue answers at folder:" + folder + "/absent");
        assertThatThrownBy(
                        () -> start("folder:" + other(), none, Map.of("folder.messages-max", "0")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("folder.messages-max");
    }

    private Path other() throws IOException {
        return Files.createDirectories(folder.resolve("other"));
    }

    private Hub start(String queue, DeliveryAgent agent, Map<String, String> settings)
            throws IOException {
        return Hub.start(
                TestHubs.on(folder, IntakeKind.STORE, new DeliverySpec.Own(agent), settings),
                HubParts.own().withQueue(URI.create(queue)));
    }
}
