package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.queue.QueueReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A whole hub between a client and a scripted next hop: what a next hop answered for one recipient is
 * never asked again, over a kill and a restart too, and what can't be delivered comes back.
 */
final class RelayTest {
    /** What a next hop hasn't answered is cut soon, by a kill too. */
    private static final Map<String, String> SETTINGS =
            Map.of("delivery.next-hop-retry", "0s", "hub.drain-time", "100ms");

    private static final String[] GREETING = TestAgents.greeting("PIPELINING");

    @TempDir
    private Path folder;

    @Test
    void resultsSurviveAKill() throws Exception {
        String[] first = TestAgents.script(
                GREETING,
                "MAIL FROM:<s@x.example>",
                "250 ok",
                "RCPT",
                "250 ok",
                "RCPT",
                "550 5.1.1 nobody",
                "RCPT",
                "451 4.2.1 later",
                "DATA",
                "354 go",
                ".",
                "250 taken");
        // The notification is due before the retry, and over the connection that is there.
        String[] notification = {"MAIL FROM:<>", "250 ok", "RCPT", "250 ok", "DATA", "354 go", "."};
        String[] withNotification = TestAgents.script(first, notification);
        QueueId id;
        try (ScriptedHop hop = ScriptedHop.start(withNotification);
                Hub hub = hub(hop.smtp())) {
            id = send(hub, "a@y.example", "b@y.example", "c@y.example");
            await().until(() -> hop.received().split("\r\n\\.\r\n", -1).length == 3);
            hub.kill();
            assertThat(hop.received()).contains("Final-Recipient: rfc822; b@y.example");
        }
        String[] again = {"MAIL", "250 ok", "RCPT", "250 ok", "DATA", "354 go", ".", "250 taken"};
        try (ScriptedHop hop = ScriptedHop.start(TestAgents.script(GREETING, again, again));
                Hub hub = hub(hop.smtp())) {
            // The notification wasn't answered before the kill, so it comes again; c is retried.
            await().until(() -> hub.store().orElseThrow().statistics().length().messages() == 1);
            assertThat(hop.received()).contains("RCPT TO:<s@x.example>");
            assertThat(hub.store().orElseThrow().retry(id)).isTrue();
            await().until(() -> hop.received().split("\r\n\\.\r\n", -1).length == 3);
            await().until(() -> hub.store().orElseThrow().statistics().length().messages() == 0);
            assertThat(hop.received())
                    .contains("RCPT TO:<c@y.example>")
                    .doesNotContain("RCPT TO:<a@y.example>")
                    .doesNotContain("RCPT TO:<b@y.example>");
        }
    }

    /** The next hop has the content and says nothing of it: nobody knows whether it has taken it. */
    @Test
    void whatHangsWhenTheHubStopsStaysInTheQueueAsItWas() throws Exception {
        String[] hangs = TestAgents.script(
                GREETING, "MAIL", "250 ok", "RCPT", "250 ok", "DATA", "354 go", ".");
        QueueId id;
        try (ScriptedHop hop = ScriptedHop.start(hangs);
                Hub hub = hub(hop.smtp())) {
            id = send(hub, "a@y.example");
            await().until(() -> hop.received().contains("\r\n.\r\n"));
            hub.drain(Duration.ofMillis(1));
        }
        try (QueueReader reader =
                QueueReader.open(folder.resolve("log"), folder.resolve("queue"))) {
            QueuedMessage message = reader.find(id).orElseThrow();
            assertThat(message.state()).isEqualTo(QueuedMessage.State.QUEUED);
            assertThat(message.attempts()).isZero();
            assertThat(reader.check().problems()).isEmpty();
        }
    }

    private Hub hub(NextHop hop) throws IOException {
        return Hub.start(HubConfigurations.on(
                folder,
                IntakeKind.STORE,
                new DeliverySpec.NextHops(List.of(hop), DeliverySpec.Tls.NONE),
                SETTINGS));
    }

    private static QueueId send(Hub hub, String... recipients) throws IOException {
        InetSocketAddress address = hub.address();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
            BufferedReader in = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(in.readLine()).startsWith("220 ");
            say(socket, in, "HELO x.example", "250 ");
            say(socket, in, "MAIL FROM:<s@x.example>", "250 ");
            for (String recipient : recipients) {
                say(socket, in, "RCPT TO:<" + recipient + ">", "250 ");
            }
            say(socket, in, "DATA", "354 ");
            String reply = say(socket, in, "Subject: x\r\n\r\n.", "250 ");
            return QueueId.parse(reply.substring(reply.lastIndexOf(' ') + 1));
        }
    }

    private static String say(Socket socket, BufferedReader in, String text, String expected)
            throws IOException {
        socket.getOutputStream().write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
        String reply = in.readLine();
        assertThat(reply).as(text).startsWith(expected);
        return reply;
    }
}
