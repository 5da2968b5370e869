package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.Content;
import org.hubmark.core.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

/**
 * Content and envelopes never take more memory than they may, and all of it is given back. Method: one peer
 * each, brought to the limit and beyond it; the end of each peer looks at the budgets.
 */
final class LimitsTest {
    @Test
    void bytesInFlight() {
        try (Peer peer =
                new Peer(new MemoryIntake(), Map.of("smtp.bytes-in-flight-max", "5000B"))) {
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

    @Test
    void envelopesHaveABudget() {
        try (Peer peer = new Peer(new MemoryIntake(), Map.of("smtp.envelope-bytes-max", "20KB"))) {
            peer.send("EHLO c\r\nMAIL FROM:<a@b>\r\n");
            String replies = peer.send("RCPT TO:<someone@somewhere.example>\r\n".repeat(500));
            assertThat(replies)
                    .startsWith("250 2.1.5 recipient ok\n")
                    .endsWith("452 4.3.1 too many recipients in flight, try again later\n");
            assertThat(peer.service.envelopeBudget().bytesUsed()).isBetween(19_000L, 20_000L);
            assertThat(peer.send("DATA\r\n.\r\n")).contains("250 2.0.0 queued");
            assertThat(peer.service.envelopeBudget().bytesUsed()).isZero();
        }
    }

    @Test
    void aDeclaredSizeTakesNothing() {
        Peer[] peers = new Peer[100];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = new Peer();
            peers[i].send("EHLO c\r\nMAIL FROM:<a@b> SIZE=150000000\r\nRCPT TO:<c@d>\r\nDATA\r\n");
            peers[i].send("x");
            assertThat(peers[i].service.budget().bytesUsed()).isLessThanOrEqualTo(4_096);
            peers[i].close();
        }
    }

    @Test
    void anEnvelopeIsTheIntakesUntilItAnswers() throws InterruptedException {
        try (Peer peer = new Peer()) {
            peer.intake.holdsAnswers = true;
            peer.send(Peer.TRANSACTION + "DATA\r\nx\r\n.\r\n");
            assertThat(peer.service.envelopeBudget().bytesUsed()).isPositive();
            var unused = peer.channel.close();
            assertThat(peer.service.envelopeBudget().bytesUsed())
                    .as("the intake still has it")
                    .isPositive();
            peer.intake.answer();
            assertThat(peer.service.envelopeBudget().bytesUsed()).isZero();
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

    /** RFC 5321 2.3.5: never a nickname of the machine. */
    @Test
    void theNameIsQualifiedOrAnAddress() {
        assertThat(Limits.read(Settings.defaults()).hostName()).containsAnyOf(".", "[");
    }

    @ParameterizedTest
    @CsvSource({
        "smtp.recipients-max, 99, 100",
        "smtp.host-name, a b, smtp.host-name",
        "smtp.timeout.data, 0s, smtp.timeout.data"
    })
    void settingsThatCannotBeServedAreNamed(String key, String value, String named) {
        assertThatThrownBy(() -> Limits.read(new Settings(Map.of(key, value))))
                .hasMessageContainingAll(key, named);
    }
}
