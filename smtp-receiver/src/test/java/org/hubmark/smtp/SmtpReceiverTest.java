package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.smtp.Await.await;

import org.hubmark.core.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** The receiver keeps its promises to real sockets: replies, waiting, limits that need time, stop. */
@Timeout(120)
final class SmtpReceiverTest {
    private static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final MemoryIntake intake = new MemoryIntake();
    private SmtpReceiver receiver = start(Map.of());

    private SmtpReceiver start(Map<String, String> settings) {
        try {
            Map<String, String> given = new HashMap<>(settings);
            given.put("smtp.host-name", "mx.example");
            return SmtpReceiver.start(ANY_PORT, intake, new Settings(given));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Blocks the one event loop while a NOOP is executed, until the test lets it go on. */
    private record Gate(CountDownLatch reached, CountDownLatch open) implements SmtpPolicy {
        @Override
        public Verdict onCommand(String peer, String verb, String argument) {
            if (verb.equals("NOOP")) {
                reached.countDown();
                try {
                    open.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return new Verdict.Proceed();
        }
    }

    @Test
    void whatIsThereWhenAConnectionIsTakenCameBeforeTheGreeting() throws Exception {
        receiver.close();
        Gate gate = new Gate(new CountDownLatch(1), new CountDownLatch(1));
        Settings settings = new Settings(Map.of("smtp.host-name", "mx.example"));
        Limits read = Limits.read(settings);
        Limits oneLoop = new Limits(
                read.hostName(),
                read.recipientsMax(),
                read.messageBytesMax(),
                read.connectionsMax(),
                read.contentBytesMax(),
                read.envelopeBytesMax(),
                read.times(),
                read.addresses(),
                1);
        receiver = SmtpReceiver.start(
                ANY_PORT, intake, settings, oneLoop, null, gate, null, InstantSource.system());
        try (Client busy = new Client();
                Socket early = new Socket()) {
            busy.send("NOOP\r\n");
            gate.reached.await();
            // The kernel takes the connection and its octets; the event loop is told later.
            early.connect(receiver.address());
            early.setSoTimeout(20_000);
            early.getOutputStream()
                    .write((Peer.TRANSACTION + "DATA\r\nx\r\n.\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            gate.open.countDown();
            String replies =
                    new String(early.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(replies).isEqualTo(Reply.EARLY_TALKER + "\r\n");
            assertThat(receiver.counters().ended(Ending.EARLY_TALKER).sum()).isOne();
            assertThat(intake.messages()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "smtp.connections-max | connectionsRefused"
                        + " | 421 4.7.0 too many connections, try again later",
                "smtp.address.connections-max | addressConnectionsRefused"
                        + " | 421 4.7.0 too many connections from your address, try again later",
                "smtp.address.connections-per-minute-max | addressRateRefused"
                        + " | 421 4.7.0 too many new connections from your address, try again later"
            })
    void aConnectionBeyondALimitIsTurnedAway(String key, String counter, String reply)
            throws Exception {
        restart(Map.of("smtp.address.exceptions", "", key, "1"));
        try (Client first = new Client();
                Client second = new Client()) {
            assertThat(second.line()).isEqualTo(reply);
            assertThat(second.line()).isEqualTo("null");
            first.until("220");
            first.send("NOOP\r\n");
            assertThat(first.line()).startsWith("250");
        }
        assertThat(DialogueTest.counter(receiver.counters(), counter)).isOne();
    }

    /**
     * Till then it counts as open, and a stop waits for it. A peer that does not end it has a second: one that does
     * and was faster shows that nothing waited for that. A busy machine may hold some up.
     */
    @Test
    void aConnectionThatBothHaveEndedIsClosedAtOnce() throws IOException {
        await().until(() -> {
            long ended = receiver.counters().connectionsClosed.sum() + 1;
            long startNanos = System.nanoTime();
            try (Client client = new Client()) {
                client.send("QUIT\r\n");
                client.until("221");
            }
            await().until(() -> receiver.counters().connectionsClosed.sum() == ended);
            return System.nanoTime() - startNanos < Duration.ofSeconds(1).toNanos();
        });
    }

    private void restart(Map<String, String> settings) {
        receiver.close();
        receiver = start(settings);
    }

    @AfterEach
    void everythingIsGivenBack() {
        receiver.close();
        assertThat(receiver.budget().bytesUsed()).isZero();
        assertThat(receiver.envelopeBudget().bytesUsed()).isZero();
        assertThat(receiver.counters().connectionsOpened.sum())
                .isEqualTo(receiver.counters().connectionsClosed.sum());
    }

    /** A trusted client's sender is known: a notification to it is no harm. */
    @Test
    void recipientsOfTrustedClientsAreNotAskedAboutWhereOthersMaySend() throws IOException {
        for (String trusted : new String[] {"127.0.0.0/8", "192.0.2.0/24"}) {
            receiver.close();
            receiver = SmtpReceiver.start(
                    ANY_PORT,
                    intake,
                    new Settings(
                            Map.of("smtp.relay-from", trusted, "smtp.accept-domains", "d.example")),
                    new OpenPolicy(),
                    (path, listener) -> listener.accept(Optional.of("550 nobody")),
                    InstantSource.system());
            try (Client client = new Client()) {
                client.send(Peer.TRANSACTION + "QUIT\r\n");
                client.until("250 2.1.0");
                assertThat(client.line())
                        .startsWith(trusted.startsWith("127") ? "250 " : "550 5.1.1");
            }
        }
    }

    private final class Client implements AutoCloseable {
        final Socket socket;
        final BufferedReader in;
        final OutputStream out;

        Client() throws IOException {
            socket = new Socket(
                    receiver.address().getAddress(), receiver.address().getPort());
            in = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            out = socket.getOutputStream();
            // Waits for the greeting, and leaves it to be read.
            in.mark(1);
            in.read();
            in.reset();
        }

        void send(String octets) throws IOException {
            out.write(octets.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }

        String line() throws IOException {
            return String.valueOf(in.readLine());
        }

        /** Reads up to the line that begins so. */
        String until(String start) throws IOException {
            StringBuilder skipped = new StringBuilder();
            String line = line();
            while (!line.startsWith(start)) {
                skipped.append(line).append('\n');
                assertThat(line).as("instead of %s after %s", start, skipped).isNotEqualTo("null");
                line = line();
            }
            return line;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void aWholeDialogueInOnePacketBeforeTheClientClosesItsSide() throws IOException {
        try (Client client = new Client()) {
            client.send(Peer.TRANSACTION + "DATA\r\nSubject: x\r\n\r\nx\r\n.\r\n" + Peer.TRANSACTION
                    + "BDAT 3 LAST\r\nabcQUIT\r\n");
            client.socket.shutdownOutput();
            String replies = client.in.lines().collect(Collectors.joining("\n"));
            assertThat(replies)
                    .contains("queued as 0000000000001")
                    .contains("queued as 0000000000002");
            assertThat(replies).endsWith("221 2.0.0 bye");
        }
        assertThat(intake.messages()).hasSize(2);
        assertThat(intake.messages().get(0).envelope().peer()).isEqualTo("127.0.0.1");
        assertThat(intake.messages().get(0).traceField())
                .contains("from c.example ([127.0.0.1])\r\n");
        assertThat(receiver.counters().messagesAccepted.sum()).isEqualTo(2);
    }

    @Test
    void aClientThatClosesItsSideGetsTheReplyToItsMessage() throws Exception {
        intake.holdsAnswers = true;
        try (Client client = new Client()) {
            client.send(Peer.TRANSACTION + "DATA\r\nx\r\n.\r\n");
            client.socket.shutdownOutput();
            client.until("354");
            intake.answer();
            assertThat(client.line()).startsWith("250 2.0.0 queued");
            assertThat(client.line()).isEqualTo("null");
        }
    }

    @Test
    void whileACommitIsPendingTheConnectionIsNotRead() throws Exception {
        intake.holdsAnswers = true;
        try (Client client = new Client()) {
            client.send(Peer.TRANSACTION + "DATA\r\nx\r\n.\r\n");
            client.until("354");
            // More than the buffers of both kernels hold: the send ends only when it is read.
            String noop = "NOOP " + "x".repeat(500) + "\r\n";
            int noops = 80_000;
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try {
                    client.send(noop.repeat(noops));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            assertThatThrownBy(() -> sent.get(300, TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            intake.answer();
            assertThat(client.line()).startsWith("250 2.0.0 queued");
            for (int i = 0; i < 1000; i++) {
                assertThat(client.line()).isEqualTo("250 2.0.0 ok");
            }
            assertThat(client.line()).startsWith("421 4.7.0 too many commands");
        }
    }

    @Test
    void silenceIsAnsweredAndEnds() throws IOException {
        restart(Map.of("smtp.timeout.command", "50ms"));
        try (Client idle = new Client()) {
            idle.until("421 4.4.2");
            assertThat(idle.line()).isEqualTo("null");
        }
        assertThat(receiver.counters().timeouts()).isOne();
        assertThat(receiver.counters().ended(Ending.COMMAND_LATE).sum()).isOne();
        restart(Map.of("smtp.timeout.data", "50ms"));
        try (Client inData = new Client()) {
            inData.send(Peer.TRANSACTION + "DATA\r\nx");
            inData.until("354");
            assertThat(inData.line()).startsWith("421 4.4.2");
            assertThat(inData.line()).isEqualTo("null");
        }
        assertThat(receiver.counters().timeouts()).isOne();
        assertThat(receiver.counters().ended(Ending.CONTENT_LATE).sum()).isOne();
    }

    @Test
    void stopLetsTransactionsEnd() throws Exception {
        intake.holdsAnswers = true;
        try (Client idle = new Client();
                Client inData = new Client();
                Client committing = new Client()) {
            idle.until("220");
            inData.send(Peer.TRANSACTION + "DATA\r\nx");
            inData.until("354");
            committing.send(Peer.TRANSACTION + "DATA\r\nx\r\n.\r\n");
            committing.until("354");
            SmtpReceiver stopped = receiver;
            CompletableFuture<Void> stop =
                    CompletableFuture.runAsync(() -> stopped.stop(Duration.ofSeconds(20)));
            assertThat(idle.line()).startsWith("421 4.3.2");
            intake.answer();
            assertThat(committing.line()).startsWith("250 2.0.0");
            assertThat(committing.line()).startsWith("421 4.3.2");
            inData.send("\r\n.\r\n");
            intake.answer();
            assertThat(inData.line()).startsWith("250 2.0.0");
            assertThat(inData.line()).startsWith("421 4.3.2");
            idle.close();
            inData.close();
            committing.close();
            stop.get();
            assertThatThrownBy(Client::new).isInstanceOf(IOException.class);
        }
        assertThat(intake.messages()).hasSize(2);
    }

    @Test
    void stopWithoutGraceEndsWhatIsOpenAndAnAnswerMayComeAfterIt() throws Exception {
        intake.holdsAnswers = true;
        try (Client committing = new Client();
                Client storing = new Client()) {
            committing.send(Peer.TRANSACTION + "DATA\r\nx\r\n.\r\n");
            storing.send(Peer.TRANSACTION + "DATA\r\n" + "x\r\n".repeat(400_000));
            while (intake.held.size() < 2) {
                Thread.onSpinWait();
            }
            receiver.close();
            intake.answer();
            intake.answer();
        }
        assertThat(intake.messages()).hasSize(1);
        assertThat(intake.extentsKept()).isZero();
    }

    @Test
    void anAddressThatIsTakenIsNamed() {
        assertThatThrownBy(
                        () -> SmtpReceiver.start(receiver.address(), intake, Settings.defaults()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(String.valueOf(receiver.address().getPort()));
    }
}
