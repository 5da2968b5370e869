package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Receipt;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * An intake that asks for pauses has mail come in more slowly, and one that refuses has none: in both
 * cases what a client has pipelined is answered in order. Method: a channel whose time stands still
 * until the test moves it on.
 */
final class MailPauseTest {
    private static final String CLIENT = "EHLO c.example\r\n";
    private static final String MESSAGE =
            "MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n";
    private static final String CONTENT = "x\r\n.\r\n";

    private final MemoryIntake intake = new MemoryIntake();

    private Peer peer() {
        Peer peer = new Peer(intake, Map.of());
        peer.send(CLIENT);
        peer.channel.freezeTime();
        intake.pauseNanos = TimeUnit.SECONDS.toNanos(2);
        return peer;
    }

    private static String advance(Peer peer, long millis) {
        peer.channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        return peer.replies();
    }

    @Test
    void whatIsPipelinedIsAnsweredInOrderAfterThePause() {
        try (Peer peer = peer()) {
            assertThat(peer.send("NOOP\r\n" + MESSAGE)).isEqualTo("250 2.0.0 ok\n");
            assertThat(peer.channel.config().isAutoRead()).isFalse();
            assertThat(advance(peer, 1_999)).isEmpty();
            assertThat(advance(peer, 1)).isEqualTo("""
                            250 2.1.0 sender ok
                            250 2.1.5 recipient ok
                            354 go ahead, end with CRLF.CRLF
                            """);
            assertThat(peer.channel.config().isAutoRead()).isTrue();
            assertThat(peer.send(CONTENT)).startsWith("250 2.0.0 queued");
            assertThat(peer.service.counters().mailPauses.sum()).isEqualTo(1);
            // Each message has its own pause.
            assertThat(peer.send(MESSAGE)).isEmpty();
            intake.pauseNanos = 0;
            assertThat(advance(peer, 2_000)).startsWith("250 2.1.0").contains("354 ");
            assertThat(peer.send(CONTENT + MESSAGE)).contains("queued", "250 2.1.0", "354 ");
        }
    }

    @Test
    void aRefusalIsDecidedAfterThePause() {
        try (Peer peer = peer()) {
            assertThat(peer.send(MESSAGE + "NOOP\r\n")).isEmpty();
            intake.refusal =
                    new Receipt.Refused(Receipt.Reason.BACK_PRESSURE, "the queue is too long");
            assertThat(advance(peer, 2_000)).isEqualTo("""
                            452 4.3.1 the queue is too long
                            503 5.5.1 MAIL first
                            503 5.5.1 MAIL first
                            250 2.0.0 ok
                            """);
            assertThat(peer.service.envelopeBudget().bytesUsed()).isZero();
        }
    }

    @Test
    void chunksBehindARefusedMailAreReadAndRefused() {
        try (Peer peer = peer()) {
            intake.refusal =
                    new Receipt.Refused(Receipt.Reason.BACK_PRESSURE, "the queue is too long");
            peer.send(
                    "MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nBDAT 6 LAST\r\nRSET\r\n");
            assertThat(advance(peer, 2_000)).isEqualTo("""
                            452 4.3.1 the queue is too long
                            503 5.5.1 MAIL first
                            503 5.5.1 MAIL first
                            """);
        }
    }

    @Test
    void aPeerThatLeavesInAPauseLeavesNothing() {
        try (Peer peer = peer()) {
            assertThat(peer.send(MESSAGE)).isEmpty();
            var unused = peer.channel.close();
            assertThat(advance(peer, 2_000)).isEmpty();
            assertThat(intake.messages()).isEmpty();
            peer.channel.checkException();
        }
    }

    @Test
    void aReceiverThatStopsAnswersAfterThePause() {
        try (Peer peer = peer()) {
            assertThat(peer.send(MESSAGE)).isEmpty();
            peer.channel.pipeline().get(Connection.class).stop();
            assertThat(advance(peer, 1_999)).isEmpty();
            assertThat(advance(peer, 1)).isEqualTo("421 4.3.2 shutting down, try again later\n");
        }
    }

    @Test
    void aMailThatIsMalformedIsNotHeldBack() {
        try (Peer peer = peer()) {
            assertThat(peer.send("MAIL FROM:nonsense\r\n")).startsWith("501 5.");
            assertThat(peer.service.counters().mailPauses.sum()).isZero();
        }
    }
}
