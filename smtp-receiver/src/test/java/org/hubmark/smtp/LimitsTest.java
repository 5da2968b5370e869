package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.Content;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

/**
 * Each limit and each refusal has its reply, and what is refused leaves nothing behind. Method: one
 * peer a limit, brought to the limit and one beyond.
 */
final class LimitsTest {
    private static Peer peer(String key, String value) {
        return new Peer(new MemoryIntake(), Map.of(key, value));
    }

    @Test
    void commandLine() {
        try (Peer peer = new Peer()) {
            peer.replies();
            assertThat(peer.send("NOOP " + "x".repeat(548) + "\r\n")).startsWith("250 2.0.0");
            assertThat(peer.send("NOOP " + "x".repeat(549) + "\r\n"))
                    .isEqualTo("500 5.5.2 line too long\n");
            assertThat(peer.send("NOOP " + "x".repeat(549) + "\r")).isEmpty();
            assertThat(peer.send("\nNOOP\r\n")).startsWith("500 5.5.2").endsWith("250 2.0.0 ok\n");
            assertThat(peer.send("x".repeat(60_000) + "\nQUIT\n\rQUIT\r")).isEmpty();
            assertThat(peer.send("x\r\nNOOP\r\n"))
                    .isEqualTo("500 5.5.2 line too long\n250 2.0.0 ok\n");
        }
    }

    @Test
    void textLine() {
        try (Peer peer = new Peer()) {
            peer.send(Peer.TRANSACTION + "DATA\r\n");
            assertThat(peer.send("x".repeat(65_535) + "\r\n.\r\n"))
                    .startsWith("554 5.6.0 line too long");
            peer.send(Peer.TRANSACTION + "DATA\r\n");
            assertThat(peer.send("x".repeat(65_534) + "\r\n.\r\n")).startsWith("250 2.0.0 queued");
            assertThat(peer.intake.messages()).hasSize(1);
        }
    }

    @Test
    void recipients() {
        try (Peer peer = peer("smtp.recipients-max", "100")) {
            peer.send("EHLO c\r\nMAIL FROM:<a@b>\r\n");
            for (int i = 0; i < 100; i++) {
                assertThat(peer.send("RCPT TO:<r" + i + "@d>\r\n")).startsWith("250 2.1.5");
            }
            assertThat(peer.send("RCPT TO:<r@d>\r\n")).startsWith("452 4.5.3");
            assertThat(peer.send("DATA\r\n.\r\n")).contains("250 2.0.0 queued");
            assertThat(peer.intake.messages().get(0).envelope().forwardPaths()).hasSize(100);
        }
    }

    @Test
    void messageSize() {
        try (Peer peer = peer("smtp.message-size-max", "1000B")) {
            peer.send("EHLO c\r\n");
            assertThat(peer.send("MAIL FROM:<a@b> SIZE=1001\r\n")).startsWith("552 5.3.4");
            String line = "x".repeat(98) + "\r\n";
            peer.send(Peer.TRANSACTION + "DATA\r\n");
            assertThat(peer.send(line.repeat(10) + ".\r\n")).startsWith("250 2.0.0");
            peer.send(Peer.TRANSACTION + "DATA\r\n");
            assertThat(peer.send(line.repeat(10) + "\r\n.\r\n")).startsWith("552 5.3.4");
            peer.send(Peer.TRANSACTION);
            assertThat(peer.send("BDAT 600\r\n" + "x".repeat(600))).startsWith("250 2.0.0");
            assertThat(peer.send("BDAT 401\r\n" + "x".repeat(401))).startsWith("552 5.3.4");
            assertThat(peer.send("BDAT 1 LAST\r\nx")).startsWith("503 5.5.1");
            assertThat(peer.intake.messages()).hasSize(1);
            assertThat(peer.intake.extentsKept()).isZero();
        }
    }

    @Test
    void errors() {
        try (Peer peer = new Peer()) {
            peer.replies();
            assertThat(peer.send("A\r\n".repeat(20) + "NOOP\r\n"))
                    .endsWith("250 2.0.0 ok\n")
                    .doesNotContain("421");
            assertThat(peer.send("D\r\nNOOP\r\n"))
                    .isEqualTo("421 4.7.0 too many errors, closing\n");
            assertThat(peer.isOpen()).isFalse();
        }
    }

    @Test
    void bytesInFlight() {
        try (Peer peer = peer("smtp.bytes-in-flight-max", "5000B")) {
            String replies = peer.send(Peer.TRANSACTION + "DATA\r\n");
            assertThat(replies).endsWith("354 go ahead, end with CRLF.CRLF\n");
            try (Content other = Content.open(peer.intake.nextId(), peer.service.budget(), 100)) {
                assertThat(other).as("a budget of 5000 has no room for two").isNull();
            }
            String line = "x".repeat(98) + "\r\n";
            assertThat(peer.send(line.repeat(60) + ".\r\n")).startsWith("452 4.3.1");
            assertThat(peer.service.budget().bytesUsed()).isZero();
            peer.send("MAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\n");
            peer.service.budget().reserve(4_000);
            assertThat(peer.send("DATA\r\n"))
                    .isEqualTo("452 4.3.1 too much mail in flight, try again later\n");
            peer.service.budget().release(4_000);
            assertThat(peer.send("BDAT 9000\r\n" + "x".repeat(9000))).startsWith("452 4.3.1");
            assertThat(peer.intake.messages()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BUSY, 451 4.3.2, true",
        "STORAGE_FULL, 452 4.3.1, true",
        "BYTES_IN_FLIGHT, 452 4.3.1, true",
        "BACK_PRESSURE, 452 4.3.1, true",
        "ENVELOPE_TOO_LARGE, 554 5.3.4, true",
        "CLOSING, 421 4.3.2, false",
        "BROKEN, 421 4.3.0, false"
    })
    void refusalsOfTheIntake(Receipt.Reason reason, String reply, boolean staysOpen) {
        try (Peer peer = new Peer()) {
            peer.send("EHLO c\r\n");
            peer.intake.refusal = new Receipt.Refused(reason, "why\r\nnot");
            assertThat(peer.send("MAIL FROM:<a@b>\r\n")).isEqualTo(reply + " why??not\n");
            assertThat(peer.isOpen()).isEqualTo(staysOpen);
        }
        try (Peer peer = new Peer()) {
            peer.send(Peer.TRANSACTION + "DATA\r\n");
            peer.intake.commitRefusal = new Receipt.Refused(reason, "why not");
            assertThat(peer.send("x\r\n.\r\nNOOP\r\n"))
                    .isEqualTo(reply + " why not\n" + (staysOpen ? "250 2.0.0 ok\n" : ""));
            assertThat(peer.isOpen()).isEqualTo(staysOpen);
        }
    }

    @Test
    void mailLoops() {
        try (Peer peer = new Peer()) {
            String hop = "RECEIVED: from a\r\n\tby received: b; date\r\n";
            String rest = "X-Received: 1\r\nReceived-SPF: x\r\n\r\nReceived: in the body\r\n.\r\n";
            peer.send(Peer.TRANSACTION + "DATA\r\n");
            assertThat(peer.send(hop.repeat(100) + rest)).startsWith("250 2.0.0");
            peer.send(Peer.TRANSACTION + "DATA\r\n");
            assertThat(peer.send(hop.repeat(101) + rest)).startsWith("554 5.4.6");
        }
    }

    @Test
    void aLargeMessageIsStoredInExtents() {
        try (Peer peer = new Peer()) {
            String line = "x".repeat(98) + "\r\n";
            peer.send(Peer.TRANSACTION + "DATA\r\n");
            assertThat(peer.send(line.repeat(25_000) + ".\r\n")).startsWith("250 2.0.0");
            peer.send(Peer.TRANSACTION + "BDAT 2500000 LAST\r\n");
            assertThat(peer.send(line.repeat(25_000))).startsWith("250 2.0.0");
            for (MemoryIntake.Message message : peer.intake.messages()) {
                assertThat(message.extents()).isEqualTo(2);
                assertThat(message.text()).isEqualTo(line.repeat(25_000));
            }
            assertThat(peer.service.counters().bytesAccepted.sum()).isGreaterThan(5_000_000);
        }
    }

    @Test
    void aExtentThatIsRefusedIsAnsweredAtTheEnd() {
        try (Peer peer = new Peer()) {
            peer.intake.extentRefusal = new Receipt.Refused(Receipt.Reason.STORAGE_FULL, "full");
            peer.send(Peer.TRANSACTION + "DATA\r\n");
            assertThat(peer.send(("x".repeat(98) + "\r\n").repeat(25_000))).isEmpty();
            assertThat(peer.service.budget().bytesUsed()).isZero();
            assertThat(peer.send(".\r\n")).isEqualTo("452 4.3.1 full\n");
            peer.send(Peer.BINARY_TRANSACTION + "BDAT 2500000 LAST\r\n");
            assertThat(peer.send("x".repeat(2_500_000))).isEqualTo("452 4.3.1 full\n");
            assertThat(peer.intake.abandoned).isEqualTo(2);
        }
    }

    /** RFC 5321 2.3.5: never a nickname of the machine. */
    @Test
    void theNameIsQualifiedOrAnAddress() {
        assertThat(Limits.read(Settings.defaults()).hostName()).containsAnyOf(".", "[");
    }

    @Test
    void settingsThatCannotBeServedAreNamed() {
        assertThatThrownBy(() -> Limits.read(new Settings(Map.of("smtp.recipients-max", "99"))))
                .hasMessageContaining("smtp.recipients-max")
                .hasMessageContaining("100");
        assertThatThrownBy(() -> Limits.read(new Settings(Map.of("smtp.host-name", "a b"))))
                .hasMessageContaining("smtp.host-name");
        assertThatThrownBy(() -> Limits.read(new Settings(Map.of("smtp.timeout.data", "0s"))))
                .hasMessageContaining("smtp.timeout.data");
    }
}
