package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Map;

/** What a session does when its peer closes its side or goes away, and which replies it sends together. */
final class SessionTest {
    private static final int MANY_MESSAGES = 60;
    private static final String CHUNK = "MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nBDAT ";

    private final MemoryIntake intake = new MemoryIntake();

    /** After a FIN all that is in the receive buffer of the socket is read, whatever was asked for. */
    @Test
    void whatAPeerSaidBeforeItClosedItsSideIsKeptAndAnswered() {
        try (Peer peer = new Peer(intake, Map.of())) {
            peer.send("EHLO c.example\r\n");
            intake.holdsAnswers = true;
            peer.closesItsSide(manyMessages());
            assertThat(peer.isOpen()).isTrue();
            assertThat(peer.service.budget().bytesUsed()).isGreaterThan(MANY_MESSAGES * 50_000L);
            StringBuilder replies = new StringBuilder(peer.replies());
            while (!intake.held.isEmpty()) {
                intake.held.remove().run();
                replies.append(peer.replies());
            }
            assertThat(replies.toString().lines())
                    .filteredOn(line -> line.contains("queued as"))
                    .hasSize(MANY_MESSAGES);
            assertThat(replies.toString()).endsWith("221 2.0.0 bye\n");
        }
    }

    @Test
    void whatAPeerSaidBeforeItClosedItsSideIsBoundedByTheBudget() {
        try (Peer peer = new Peer(intake, Map.of("smtp.bytes-in-flight-max", "2MiB"))) {
            peer.send("EHLO c.example\r\n");
            intake.holdsAnswers = true;
            peer.closesItsSide(manyMessages());
            assertThat(peer.isOpen()).isFalse();
            assertThat(intake.held).hasSize(1);
        }
    }

    private static String manyMessages() {
        String content = ("x".repeat(98) + "\r\n").repeat(600);
        String message = CHUNK + content.length() + " LAST\r\n" + content;
        return message.repeat(MANY_MESSAGES) + "QUIT\r\n";
    }

    @Test
    void aPeerThatGoesAwayLeavesNothing() {
        try (Peer peer = new Peer(intake, Map.of())) {
            peer.send(Peer.TRANSACTION + "DATA\r\nnot the end");
        }
        assertThat(intake.abandoned).isEqualTo(1);
        try (Peer peer = new Peer(intake, Map.of())) {
            intake.holdsAnswers = true;
            peer.send(Peer.TRANSACTION + "DATA\r\n" + "x\r\n".repeat(500_000));
            assertThat(intake.held).hasSize(1);
        }
        assertThat(intake.abandoned).isEqualTo(2);
        assertThat(intake.messages()).isEmpty();
    }

    /** What a client pipelines in front of its last chunk costs no packet of its own. */
    @Test
    void repliesBeforeTheEndOfContentGoOutWithItsReply() throws InterruptedException {
        try (Peer peer = new Peer(intake, Map.of())) {
            peer.send("EHLO c.example\r\n");
            intake.holdsAnswers = true;
            assertThat(peer.send(CHUNK + "3 LAST\r\nabc")).isEmpty();
            intake.answer();
            peer.channel.runPendingTasks();
            assertThat(peer.channel.outboundMessages()).hasSize(1);
            assertThat(peer.replies())
                    .matches("250 2.1.0 .*\n250 2.1.5 .*\n250 2.0.0 queued as .*\n");
            // There is more to come: who waits for the replies would wait for ever.
            assertThat(peer.send(CHUNK + "3 LAST\r\na")).matches("250 2.1.0 .*\n250 2.1.5 .*\n");
            assertThat(peer.send("bc")).isEmpty();
            intake.answer();
            assertThat(peer.replies()).startsWith("250 2.0.0 queued as ");
        }
    }

    @Test
    void repliesThatWaitForTheIntakeGoOutWhenTheReceiverStops() throws InterruptedException {
        try (Peer peer = new Peer(intake, Map.of())) {
            peer.send("EHLO c.example\r\n");
            intake.holdsAnswers = true;
            assertThat(peer.send(CHUNK + "3 LAST\r\nabc")).isEmpty();
            peer.channel.pipeline().get(Connection.class).stop();
            intake.answer();
            assertThat(peer.replies())
                    .matches("250 2.1.0 .*\n250 2.1.5 .*\n250 2.0.0 queued as .*\n421 .*\n");
        }
    }
}
