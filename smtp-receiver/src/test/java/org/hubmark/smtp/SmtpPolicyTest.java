package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.BodyType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/** What a policy can do to a session: refuse a command or content, or cut the connection. */
final class SmtpPolicyTest {
    /** Refuses what it is told to. */
    private record OneCommand(String verb, SmtpPolicy.Verdict verdict) implements SmtpPolicy {
        @Override
        public Verdict onCommand(String peer, String asked, String argument) {
            return asked.equals(verb) ? verdict : new Verdict.Proceed();
        }
    }

    /** Stops content when so many octets of it have come. */
    private record ContentLimit(long octetsMax, SmtpPolicy.Verdict verdict) implements SmtpPolicy {
        @Override
        public Verdict onContent(String peer, long octets) {
            return octets > octetsMax ? verdict : new Verdict.Proceed();
        }
    }

    @ParameterizedTest
    @CsvSource({"SEVEN_BIT, false, false", "EIGHT_BIT_MIME, true, false", "BINARY_MIME, true, true"
    })
    void takesNoBodyThatCantBePassedOn(BodyType max, boolean eightBit, boolean binary) {
        try (Peer peer = peer(new OpenPolicy(max))) {
            String features = peer.send("EHLO a.example\r\n");
            assertThat(features.contains("8BITMIME")).isEqualTo(eightBit);
            assertThat(features.contains("BINARYMIME")).isEqualTo(binary);
            assertThat(features).contains("CHUNKING").containsPattern("\n250 [A-Z]+\n$");
            assertThat(peer.send("MAIL FROM:<a@x.example> BODY=8BITMIME\r\nRSET\r\n"))
                    .startsWith(eightBit ? "250" : "555 5.6.3");
            assertThat(peer.send("MAIL FROM:<a@x.example> BODY=BINARYMIME\r\nRSET\r\n"))
                    .startsWith(binary ? "250" : "555 5.6.3");
            assertThat(peer.send("MAIL FROM:<a@x.example> BODY=7BIT\r\n")).startsWith("250");
        }
    }

    @Test
    void aRefusedRecipientLeavesTheTransactionOpen() {
        try (Peer peer = peer(new ExampleOnly())) {
            peer.send("EHLO a.example\r\nMAIL FROM:<a@x.example>\r\n");
            assertThat(peer.send("RCPT TO:<b@elsewhere.example>\r\nRCPT TO:<b@example.org>\r\n"))
                    .isEqualTo("550 5.7.1 no relaying\n250 2.1.5 recipient ok\n");
        }
    }

    @Test
    void aReplyOf421EndsTheConnection() {
        try (Peer peer = peer(new OneCommand("MAIL", new SmtpPolicy.Verdict.Refuse("421 bye")))) {
            assertThat(peer.send(Peer.TRANSACTION)).endsWith("BINARYMIME\n421 bye\n");
            assertThat(peer.send("NOOP\r\n")).isEmpty();
        }
    }

    @Test
    void refusedContentIsReadToItsEnd() {
        SmtpPolicy policy = new ContentLimit(300, new SmtpPolicy.Verdict.Refuse("554 5.6.0 no"));
        try (Peer peer = peer(policy)) {
            peer.send(Peer.TRANSACTION + "DATA\r\n");
            assertThat(peer.send("x\r\n".repeat(300))).isEmpty();
            assertThat(peer.send(".\r\nNOOP\r\n")).isEqualTo("554 5.6.0 no\n250 2.0.0 ok\n");
            peer.send("MAIL FROM:<>\r\nRCPT TO:<b@y.example>\r\nBDAT 600\r\n");
            assertThat(peer.send("x\r\n".repeat(200) + "NOOP\r\n"))
                    .isEqualTo("554 5.6.0 no\n250 2.0.0 ok\n");
            assertThat(peer.intake.messages()).isEmpty();
        }
    }

    @Test
    void aConnectionIsCutWithinContent() {
        try (Peer peer = peer(new ContentLimit(400, new SmtpPolicy.Verdict.Disconnect()))) {
            peer.send(Peer.TRANSACTION + "DATA\r\n");
            assertThat(peer.send("x\r\n".repeat(20))).isEmpty();
            assertThat(peer.isOpen()).isTrue();
            assertThat(peer.send("x\r\n".repeat(200) + ".\r\n")).isEmpty();
            assertThat(peer.isOpen()).isFalse();
            assertThat(peer.intake.messages()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "250 ok", "45 no", "451", "451 two\r\nlines", "666 no", "459"})
    void whatIsNoReplyIsRefused(String reply) {
        assertThatThrownBy(() -> new SmtpPolicy.Verdict.Refuse(reply))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("451 4.3.0 try later");
    }

    private static Peer peer(SmtpPolicy policy) {
        Peer peer = new Peer(new MemoryIntake(), Map.of(), policy);
        peer.replies();
        return peer;
    }
}
