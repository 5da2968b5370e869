package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.smtp.SmtpPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What comes of a delivery to a next hop: a hub of ours that refuses by a policy, or a server that says
 * line by line what the test tells it.
 */
final class NextHopAgentTest {
    /** For peers that are silent on purpose; a busy machine may be silent for longer. */
    private static final NextHopConnection.Timeouts SHORT = new NextHopConnection.Timeouts(
            Duration.ofSeconds(5),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(500));

    @TempDir
    Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> refusals = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }

    @Test
    void deliversContentAsItIsOverOneConnection() throws IOException {
        Hub hub = hub();
        NextHopAgent agent = agent(hub);
        String content = "Subject: dots\r\n\r\n.\r\n..two\r\n.x\r\nno end";
        for (int i = 1; i <= 3; i++) {
            assertThat(agent.deliver(lease(i, content, "a@y.example", "b@y.example")))
                    .isEqualTo(new Outcome.Delivered());
        }
        assertThat(hub.counters().connectionsOpened.sum()).isEqualTo(1);
        assertThat(hub.counters().messagesAccepted.sum()).isEqualTo(3);
        agent.close();
        hub.close();
        List<String> received = received();
        assertThat(received)
                .hasSize(3)
                .allSatisfy(text -> assertThat(text).endsWith(content + "\r\n"));
    }

    @Test
    void aTransientRefusalDefersAndAPermanentOneEnds() throws IOException {
        NextHopAgent agent = agent(hub());
        refusals.add("MAIL=451 4.3.0 busy");
        assertThat(agent.deliver(lease(1, "x\r\n", "a@y.example")))
                .isInstanceOfSatisfying(
                        Outcome.Deferred.class,
                        later -> assertThat(later.reason()).endsWith(": 451 4.3.0 busy"));
        refusals.add("RCPT=550 5.1.1 nobody");
        assertThat(agent.deliver(lease(1, "x\r\n", "a@y.example")))
                .isInstanceOfSatisfying(
                        Outcome.Undeliverable.class,
                        never -> assertThat(never.reason()).endsWith(": 550 5.1.1 nobody"));
        refusals.add("DATA=554 5.3.4 no");
        assertThat(agent.deliver(lease(1, "x\r\n", "a@y.example")))
                .isInstanceOf(Outcome.Undeliverable.class);
        refusals.add("MAIL=421 4.3.2 closing");
        assertThat(agent.deliver(lease(1, "x\r\n", "a@y.example")))
                .isInstanceOf(Outcome.Deferred.class);
        assertThat(agent.deliver(lease(1, "x\r\n", "a@y.example")))
                .isEqualTo(new Outcome.Delivered());
    }

    @Test
    void whoHasItDoesNotGetItAgainWhenAnotherIsDeferred() throws IOException {
        Hub hub = hub();
        NextHopAgent agent = agent(hub);
        Lease lease = lease(1, "x\r\n", "a@y.example", "b@y.example");
        refusals.add("RCPT=451 4.2.1 later");
        assertThat(agent.deliver(lease)).isInstanceOf(Outcome.Deferred.class);
        assertThat(agent.deliver(lease)).isEqualTo(new Outcome.Delivered());
        agent.close();
        hub.close();
        try (var files = Files.list(folder.resolve("out"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".json")))
                    .hasSize(2)
                    .allSatisfy(file -> assertThat(Files.readString(file))
                            .containsPattern("\"forward_paths\":\\[\"[ab]@y.example\"]"));
        }
    }

    @Test
    void aConnectionThatEndedWhileIdleIsNoReasonToDefer() throws IOException {
        NextHopAgent agent = agent(hub());
        assertThat(agent.deliver(lease(1, "x\r\n", "a@y.example")))
                .isEqualTo(new Outcome.Delivered());
        refusals.add("MAIL=cut");
        assertThat(agent.deliver(lease(2, "x\r\n", "a@y.example")))
                .isEqualTo(new Outcome.Delivered());
    }

    @Test
    void nobodyThereDefers() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        NextHopAgent agent = agent(hop(DeliverySpec.NextHop.Protocol.SMTP, port));
        assertThat(agent.deliver(lease(1, "x\r\n", "a@y.example")))
                .isInstanceOfSatisfying(
                        Outcome.Deferred.class,
                        later -> assertThat(later.reason())
                                .startsWith("smtp://127.0.0.1:" + port + ": "));
    }

    @Test
    void lmtpAnswersForEachRecipient() throws IOException {
        int port = server(
                "220 hi",
                "LHLO",
                "250-x",
                "250 PIPELINING",
                "MAIL",
                "250 ok",
                "RCPT",
                "250 ok",
                "RCPT",
                "250 ok",
                "DATA",
                "354 go",
                ".",
                "250 first",
                "451 4.2.2 full");
        NextHopAgent agent = agent(hop(DeliverySpec.NextHop.Protocol.LMTP, port));
        assertThat(agent.deliver(lease(1, "x\r\n", "a@y.example", "b@y.example")))
                .isInstanceOfSatisfying(
                        Outcome.Deferred.class,
                        later -> assertThat(later.reason()).endsWith("451 4.2.2 full"));
    }

    @Test
    void anOldServerIsGreetedWithHeloAndNotPipelined() throws IOException {
        int port = server(
                "220 hi",
                "EHLO",
                "502 what",
                "HELO",
                "250 x",
                "MAIL",
                "250 ok",
                "RCPT",
                "250 ok",
                "DATA",
                "354 go",
                ".",
                "250 taken");
        NextHopAgent agent = agent(hop(DeliverySpec.NextHop.Protocol.SMTP, port));
        assertThat(agent.deliver(lease(1, "x\r\n", "a@y.example")))
                .isEqualTo(new Outcome.Delivered());
    }

    @Test
    void silenceDefers() throws IOException {
        NextHopAgent agent = agent(
                hop(DeliverySpec.NextHop.Protocol.SMTP, server("220 hi", "EHLO", "wait")), SHORT);
        assertThat(agent.deliver(lease(1, "x\r\n", "a@y.example")))
                .isInstanceOf(Outcome.Deferred.class);
    }

    @Test
    void aPeerThatDoesNotReadContentDefers() throws IOException {
        int port = server(
                "220 hi", "EHLO", "250 x", "MAIL", "250 ok", "RCPT", "250 ok", "DATA", "354 go",
                "wait");
        NextHopAgent agent = agent(hop(DeliverySpec.NextHop.Protocol.SMTP, port), SHORT);
        assertThat(agent.deliver(lease(1, "x".repeat(30 << 20) + "\r\n", "a@y.example")))
                .isInstanceOf(Outcome.Deferred.class);
    }

    @Test
    void garbageDefers() throws IOException {
        NextHopAgent agent = agent(
                hop(DeliverySpec.NextHop.Protocol.SMTP, server("\u0007HTTP/1.1 400 Bad Request")));
        assertThat(agent.deliver(lease(1, "x\r\n", "a@y.example")))
                .isInstanceOfSatisfying(
                        Outcome.Deferred.class,
                        later -> assertThat(later.reason())
                                .endsWith(
                                        "answered what is no reply: '?HTTP/1.1 400 Bad Request'"));
    }

    /** Refuses the next command of a kind as the test has said, once each. */
    private SmtpPolicy.Verdict verdict(String verb) {
        String next = refusals.peek();
        if (next == null || !next.startsWith(verb + "=")) {
            return new SmtpPolicy.Verdict.Proceed();
        }
        refusals.remove();
        String reply = next.substring(verb.length() + 1);
        return reply.equals("cut")
                ? new SmtpPolicy.Verdict.Disconnect()
                : new SmtpPolicy.Verdict.Refuse(reply);
    }

    private Hub hub() throws IOException {
        SmtpPolicy policy = new SmtpPolicy() {
            @Override
            public Verdict onCommand(String peer, String verb, String argument) {
                return verdict(verb);
            }
        };
        Hub hub = Hub.start(
                TestHub.configuration(
                        folder,
                        IntakeKind.STORE,
                        new DeliverySpec.Directory(folder.resolve("out")),
                        Map.of()),
                HubParts.own().withPolicy(policy));
        opened.add(hub);
        return hub;
    }

    private NextHopAgent agent(Hub hub) {
        return agent(hop(DeliverySpec.NextHop.Protocol.SMTP, hub.address().getPort()));
    }

    private NextHopAgent agent(DeliverySpec.NextHop hop) {
        return agent(hop, NextHopConnection.Timeouts.OF_THE_RFC);
    }

    private NextHopAgent agent(DeliverySpec.NextHop hop, NextHopConnection.Timeouts timeouts) {
        NextHopAgent agent = new NextHopAgent(hop, "a.example", timeouts);
        opened.add(agent);
        return agent;
    }

    private static DeliverySpec.NextHop hop(DeliverySpec.NextHop.Protocol protocol, int port) {
        return new DeliverySpec.NextHop(protocol, "127.0.0.1", port);
    }

    private List<String> received() throws IOException {
        try (var files = Files.list(folder.resolve("out"))) {
            List<String> all = new ArrayList<>();
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".eml")).toList()) {
                all.add(Files.readString(file));
            }
            return all;
        }
    }

    private static Lease lease(long id, String content, String... recipients) {
        byte[] octets = content.getBytes(StandardCharsets.US_ASCII);
        assertThat(octets.length).isLessThan(Content.PART_BYTES_MAX * 64);
        Envelope envelope = new Envelope(
                "s@x.example", List.of(recipients), BodyType.SEVEN_BIT, Instant.EPOCH, "");
        return new Lease(
                new QueueId(id),
                envelope,
                octets.length,
                0,
                () -> new ByteArrayInputStream(octets));
    }

    /**
     * A server for one connection. Lines that begin with a digit are said; a word is waited for at the
     * beginning of a line; {@code wait} reads nothing more.
     */
    private int server(String... script) throws IOException {
        ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        opened.add(listener);
        CompletableFuture<Void> closing = new CompletableFuture<>();
        Thread thread = new Thread(() -> serve(listener, script, closing), "scripted-server");
        thread.start();
        opened.add(() -> {
            closing.complete(null);
            thread.join();
        });
        return listener.getLocalPort();
    }

    private static void serve(
            ServerSocket listener, String[] script, CompletableFuture<Void> closing) {
        try (Socket socket = listener.accept();
                BufferedReader in = new BufferedReader(new InputStreamReader(
                        socket.getInputStream(), StandardCharsets.US_ASCII))) {
            for (String step : script) {
                if (step.equals("wait")) {
                    closing.join();
                } else if (Character.isDigit(step.charAt(0)) || step.charAt(0) < ' ') {
                    socket.getOutputStream()
                            .write((step + "\r\n").getBytes(StandardCharsets.US_ASCII));
                } else {
                    String line = in.readLine();
                    while (line != null && !line.startsWith(step)) {
                        line = in.readLine();
                    }
                }
            }
            closing.join();
        } catch (IOException e) {
            // The agent has gone, which the test sees by the outcome.
            closing.join();
        }
    }
}
