package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Outcome;
import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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
        try (Hub hub = start("memory:up", second, Map.of("delivery.retry-min", "1ms"))) {
            send(hub.address());
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
        assertThatThrownBy(() -> start("memory:down", none, Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessage("no queue answers at memory:down");
        assertThatThrownBy(() -> start("memory:up", none, Map.of("memory.messages-max", "0")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memory.messages-max");
    }

    private Hub start(String queue, DeliveryAgent agent, Map<String, String> settings)
            throws IOException {
        return Hub.start(
                HubConfigurations.on(
                        folder, IntakeKind.STORE, new DeliverySpec.Own(agent), settings),
                HubParts.own().withQueue(URI.create(queue)));
    }

    private static void send(InetSocketAddress hub) throws IOException {
        try (Socket socket = new Socket(hub.getAddress(), hub.getPort());
                BufferedReader replies = new BufferedReader(new InputStreamReader(
                        socket.getInputStream(), StandardCharsets.US_ASCII))) {
            assertThat(replies.readLine()).startsWith("220");
            for (String command : new String[] {
                "HELO c.example", "MAIL FROM:<a@x.example>", "RCPT TO:<b@y.example>"
            }) {
                say(socket, command);
                assertThat(replies.readLine()).startsWith("250");
            }
            say(socket, "DATA");
            assertThat(replies.readLine()).startsWith("354");
            say(socket, "Subject: s\r\n\r\ntext\r\n.");
            assertThat(replies.readLine()).startsWith("250");
        }
    }

    private static void say(Socket socket, String line) throws IOException {
        socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }
}
