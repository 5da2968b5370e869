package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What no client does and an attacker would: each ends the connection with its reply and its
 * counter, whatever follows is not executed, and nothing of it is kept. Method: one peer an attack,
 * whole and octet by octet.
 */
final class HostilePeersTest {
    private static final String MAIL =
            "EHLO c\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\nx\r\n.\r\n";

    private static void ends(Ending ending, String octets, String lastReply) {
        ends(Map.of(), ending, octets, lastReply);
    }

    private static void ends(
            Map<String, String> settings, Ending ending, String octets, String lastReply) {
        for (boolean whole : new boolean[] {true, false}) {
            try (Peer peer = new Peer(new MemoryIntake(), settings)) {
                StringBuilder replies = new StringBuilder();
                if (whole) {
                    replies.append(peer.send(octets));
                } else {
                    for (int i = 0; i < octets.length(); i++) {
                        replies.append(peer.send(octets.substring(i, i + 1)));
                    }
                }
                assertThat(replies.toString()).endsWith(lastReply);
                assertThat(peer.isOpen()).as("open after all of it").isFalse();
                assertThat(peer.service.counters().ended(ending).sum()).isOne();
                assertThat(peer.endings()).isOne();
                assertThat(peer.intake.messages()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: mx.example:25\r\nContent-Type: text/plain\r\n\r\n",
                "POST / HTTP/1.0\n\n",
                "GET /x",
                "PUT / HTTP/1.1\r\n",
                "HEAD / HTTP/1.1\r\n",
                "OPTIONS * HTTP/1.1\r\n",
                "CONNECT mx.example:25 HTTP/1.1\r\n",
                "DELETE / HTTP/1.1\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "SSH-2.0-OpenSSH_9.2\r\n",
                "Host: mx.example\r\n",
                "Subject: content of a DATA that was refused\r\n",
                "X-Header:\r\n",
                "{\"json\": 1}\r\n",
                "<xml>\r\n",
                ".\r\n"
            })
    void anotherProtocol(String octets) {
        ends(Ending.NOT_SMTP, octets + MAIL, "554 5.5.1 that is not SMTP, closing\n");
        ends(
                Ending.NOT_SMTP,
                "EHLO c\r\n" + octets + MAIL,
                "554 5.5.1 that is not SMTP, closing\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003",
                "\u0080F\u0001\u0003\u0001",
                "\0\0\0\u0085\u00ffSMB",
                "\u0003\0\0\u0013",
                "\u0005\u0001\0",
                "\u00ff"
            })
    void whatIsNoText(String octets) {
        ends(Ending.NOT_SMTP, octets + MAIL, "220 mx.example ESMTP Hubmark\n");
    }

    @Test
    void slipsAreNoAttacks() {
        try (Peer peer = new Peer()) {
            peer.replies();
            assertThat(peer.send("\r\n NOOP\r\nGET\r\nPOSTMASTER x\r\nMAILFROM:<a@b>\r\nNOOP\r\n"))
                    .isEqualTo("500 5.5.2 command not recognized\n".repeat(5) + "250 2.0.0 ok\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BDAT", "BDAT x", "BDAT -5", "BDAT 5 LOST", "BDAT 5 LAST x", "BDAT  5"})
    void aChunkThatCannotBeCounted(String command) {
        ends(
                Ending.BDAT,
                Peer.TRANSACTION + command + "\r\n" + MAIL,
                "501 5.5.4 BDAT octets [LAST] is the form, closing\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"150000001", "9223372036854775807", "9223372036854775808"})
    void aChunkWithoutEnd(String octets) {
        ends(
                Ending.BDAT,
                Peer.TRANSACTION + "BDAT " + octets + "\r\n" + MAIL,
                "552 5.3.4 chunk too large, closing\n");
    }

    @Test
    void aChunkOfNoTransaction() {
        String reply = "503 5.5.1 BDAT without MAIL, closing\n";
        ends(Ending.BDAT, "EHLO c\r\nBDAT 100\r\n" + MAIL, reply);
        ends(Ending.BDAT, "BDAT 100 LAST\r\n" + MAIL, reply);
        ends(Ending.BDAT, Peer.TRANSACTION + "RSET\r\nBDAT 100\r\n" + MAIL, reply);
    }

    @Test
    void aLineWithoutEnd() {
        String reply = "500 5.5.2 line without an end, closing\n";
        ends(Ending.LINE_ENDLESS, "x".repeat(70_000), reply);
        ends(Ending.LINE_ENDLESS, "NOOP " + "\n".repeat(70_000) + MAIL, reply);
    }

    @Test
    void contentWithoutEnd() {
        Map<String, String> settings = Map.of("smtp.message-size-max", "10KB");
        String line = "x".repeat(98) + "\r\n";
        ends(
                settings,
                Ending.CONTENT_ENDLESS,
                Peer.TRANSACTION + "DATA\r\n" + line.repeat(300),
                "552 5.3.4 message too large, closing\n");
        ends(
                settings,
                Ending.CONTENT_ENDLESS,
                Peer.TRANSACTION + "DATA\r\nx\n" + line.repeat(300),
                "bare CR or bare LF in the content (RFC 5321 2.3.8), closing\n");
        String chunk = "BDAT 10000\r\n" + line.repeat(100);
        ends(
                settings,
                Ending.CONTENT_ENDLESS,
                Peer.TRANSACTION + chunk.repeat(4),
                "503 5.5.1 MAIL first, closing\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOOP\r\n",
                "RSET\r\n",
                "VRFY x\r\n",
                "HELP\r\n",
                "EHLO c\r\n",
                "HELO c\r\n",
                "MAIL FROM:<a@b>\r\nRSET\r\n",
                "MAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nEHLO c\r\n"
            })
    void floods(String commands) {
        ends(
                Ending.COMMANDS,
                "EHLO c\r\n" + commands.repeat(1100),
                "421 4.7.0 too many commands without mail, closing\n");
    }

    @Test
    void floodsWithinATransaction() {
        Map<String, String> settings = Map.of("smtp.recipients-max", "100");
        String reply = "421 4.7.0 too many commands without mail, closing\n";
        String transaction = "EHLO c\r\nMAIL FROM:<a@b>\r\n" + "RCPT TO:<c@d>\r\n".repeat(100);
        ends(settings, Ending.COMMANDS, transaction + "RCPT TO:<c@d>\r\n".repeat(1001), reply);
        ends(settings, Ending.COMMANDS, transaction + "BDAT 0\r\n".repeat(1001), reply);
    }

    @ParameterizedTest
    @ValueSource(strings = {"BOGUS\r\n", "EXPN x\r\n", "MAIL\r\n", "DATA\r\n", "NOOP\0\r\n"})
    void errors(String command) {
        ends(
                Ending.ERRORS,
                "EHLO c\r\n" + command.repeat(30),
                "421 4.7.0 too many errors, closing\n");
    }

    @Test
    void mailKeepsAConnectionGoing() {
        try (Peer peer = new Peer()) {
            for (int i = 0; i < 3; i++) {
                assertThat(peer.send("NOOP\r\nRSET\r\n".repeat(400) + MAIL))
                        .contains("250 2.0.0 queued");
            }
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
    void anEnvelopeIsGivenBackHoweverItsTransactionEnds() throws InterruptedException {
        for (String end :
                new String[] {"RSET\r\n", "EHLO c\r\n", "QUIT\r\n", "POST / \r\n", "DATA\r\nx"}) {
            // Its close checks both budgets.
            try (Peer peer = new Peer()) {
                peer.send(Peer.TRANSACTION + end);
            }
        }
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

    /** The payload of a refused DATA must not run as commands. */
    @Test
    void contentAfterARefusedData() {
        try (Peer peer = new Peer()) {
            peer.send("EHLO c\r\nDATA\r\n");
            peer.channel.writeInbound(
                    Unpooled.copiedBuffer("Subject: x\r\n\r\n" + MAIL, StandardCharsets.US_ASCII));
            assertThat(peer.isOpen()).isFalse();
            assertThat(peer.intake.messages()).isEmpty();
        }
    }

    /**
     * What somebody types into nc: nothing that could follow makes a command of it, and nothing is ever
     * taken for one (RFC 5321 2.3.8).
     */
    @Test
    void aPeerThatEndsItsLinesByABareLfIsToldSoon() {
        for (String said : new String[] {
            "EHLO c.example\n", "QUIT\n", "EHLO c.example\r\nMAIL FROM:<a@b.example>\nQUIT"
        }) {
            try (Peer peer = new Peer()) {
                peer.channel.freezeTime();
                peer.replies();
                peer.send(said);
                peer.channel.advanceTimeBy(999, TimeUnit.MILLISECONDS);
                assertThat(peer.replies()).isEmpty();
                peer.channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
                assertThat(peer.replies()).startsWith("500 5.5.2 a line ends in CR LF");
                assertThat(peer.isOpen()).isFalse();
            }
        }
        try (Peer peer = new Peer()) {
            peer.channel.freezeTime();
            peer.replies();
            peer.send("NOOP\nNOOP");
            peer.channel.advanceTimeBy(900, TimeUnit.MILLISECONDS);
            assertThat(peer.send("\r\n")).startsWith("500 5.5.2 bare CR");
            peer.channel.advanceTimeBy(10, TimeUnit.SECONDS);
            assertThat(peer.replies()).isEmpty();
            assertThat(peer.isOpen()).isTrue();
        }
    }
}
