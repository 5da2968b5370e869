package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.hubmark.core.BodyType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a session makes of whole transactions: content at every cut, what the intake gets, waiting
 * for its answer, and octets that are no SMTP at all.
 */
final class SessionTest {
    private static final int MANY_MESSAGES = 60;

    private static final String CONTENT =
            "Subject: cuts\r\n\r\n..\r\n..dots\r\n.odd\r\n" + "x".repeat(90) + "\r\n";
    private static final String RECEIVED_CONTENT =
            "Subject: cuts\r\n\r\n.\r\n.dots\r\nodd\r\n" + "x".repeat(90) + "\r\n";

    @Test
    void dataAtEveryCutGivesTheSameMessageAndReplies() {
        String wire = Peer.TRANSACTION + "DATA\r\n" + CONTENT + ".\r\nRSET\r\n" + "QUIT\r\n";
        atEveryCut(wire, RECEIVED_CONTENT);
    }

    @Test
    void chunksAtEveryCutGiveTheSameMessageAndReplies() {
        String wire = Peer.BINARY_TRANSACTION
                + "BDAT " + CONTENT.length() + "\r\n" + CONTENT
                + "BDAT 7 LAST\r\n\n.\r\n\r.\0RSET\r\nQUIT\r\n";
        atEveryCut(wire, CONTENT + "\n.\r\n\r.\0");
    }

    private static void atEveryCut(String wire, String content) {
        String replies = null;
        for (int cut = 0; cut <= wire.length(); cut++) {
            try (Peer peer = new Peer()) {
                String greeting = peer.replies();
                String given = greeting + peer.send(wire.substring(0, cut));
                given += cut < wire.length() ? peer.send(wire.substring(cut)) : "";
                replies = replies == null ? given : replies;
                assertThat(given)
                        .as("cut at %d", cut)
                        .isEqualTo(replies)
                        .endsWith("221 2.0.0 bye\n");
                assertThat(peer.intake.messages()).as("cut at %d", cut).hasSize(1);
                assertThat(peer.intake.messages().get(0).text())
                        .as("cut at %d", cut)
                        .isEqualTo(content);
            }
        }
    }

    /** White space at the beginning of content would continue our trace field. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                " by mx.example; Mon, 1 Jan 2001 00:00:00 +0000\r\nSubject: x\r\n\r\nx\r\n",
                "\tx\r\n",
                "   \r\n",
                " \r\n.\r\n x\r\n",
                ". x\r\n",
                "Subject: x\r\n y\r\n",
                "\r\n x\r\n"
            })
    void contentNeverContinuesTheTraceField(String content) {
        String expected = MemoryIntake.Message.belowTraceField(content);
        String stuffed = content.startsWith(".") ? "." + content : content;
        String wire = stuffed.replace("\r\n.", "\r\n..") + ".\r\n";
        for (int cut = 0; cut <= content.length(); cut++) {
            try (Peer peer = new Peer()) {
                peer.send(Peer.TRANSACTION + "DATA\r\n" + wire.substring(0, cut));
                peer.send(wire.substring(cut));
                assertThat(peer.intake.messages().get(0).text()).isEqualTo(expected);
                peer.send(Peer.TRANSACTION + "BDAT 0\r\nBDAT " + cut + "\r\n"
                        + content.substring(0, cut) + "BDAT " + (content.length() - cut)
                        + " LAST\r\n" + content.substring(cut));
                assertThat(peer.intake.messages().get(1).text()).isEqualTo(expected);
            }
        }
    }

    /** A dot that DATA has doubled for nothing is none of the content, and what is behind it comes first. */
    @Test
    void aDotBeforeWhiteSpaceHidesNothing() {
        for (String stuffed : new String[] {". x\r\n", ".\tx\r\n"}) {
            for (int cut = 0; cut < stuffed.length(); cut++) {
                try (Peer peer = new Peer()) {
                    peer.send(Peer.TRANSACTION + "DATA\r\n" + stuffed.substring(0, cut));
                    peer.send(stuffed.substring(cut) + ".\r\n");
                    assertThat(peer.intake.messages().get(0).text())
                            .isEqualTo("\r\n" + stuffed.substring(1));
                }
            }
        }
    }

    /** The line end that is put there counts for nothing. */
    @Test
    void contentThatBeginsWithWhiteSpaceMayBeAsLargeAsAnyOther() {
        Map<String, String> settings = Map.of("smtp.message-size-max", "1000B");
        for (int octets : new int[] {1000, 1001}) {
            try (Peer peer = new Peer(new MemoryIntake(), settings)) {
                String content = " " + "x".repeat(octets - 3) + "\r\n";
                assertThat(peer.send(Peer.TRANSACTION + "DATA\r\n" + content + ".\r\n"))
                        .contains(octets == 1000 ? "250 2.0.0 queued" : "552 5.3.4");
            }
        }
    }

    @Test
    void anAcceptedMessageForgivesErrors() {
        String bogus = "BOGUS\r\n".repeat(20);
        try (Peer peer = new Peer()) {
            for (int i = 0; i < 3; i++) {
                String replies = peer.send(Peer.TRANSACTION + bogus + "DATA\r\nx\r\n.\r\n");
                assertThat(replies).contains("500 5.5.2", "250 2.0.0 queued");
            }
            assertThat(peer.send(bogus + "BOGUS\r\n"))
                    .endsWith("421 4.7.0 too many errors, closing\n");
        }
    }

    /** The one good recipient of a hundred gets the message; a search for names ends all the same. */
    @Test
    void badRecipientsAreNoErrors() {
        try (Peer peer = new Peer()) {
            for (int i = 0; i < 2; i++) {
                String replies = peer.send(
                        Peer.TRANSACTION + "RCPT TO:<c>\r\n".repeat(990) + "DATA\r\nx\r\n.\r\n");
                assertThat(replies).contains("501 5.1.3", "250 2.0.0 queued");
            }
            assertThat(peer.send(Peer.TRANSACTION + "RCPT TO:<c>\r\n".repeat(1001)))
                    .endsWith("421 4.7.0 too many commands without mail, closing\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[IPV6:2a01:cb06:b841:bf5d:38ff:861a:1646:ab77]",
                "[2001:7c0:2041:8::19]",
                "127.0.0.1",
                "PC_1",
                "cabinet-maitre-.domain",
                "[IPv6:fe80::1%12]",
                "host.example.test.",
                "[127.0.0.1] laptop",
                " two  words",
                "jos\u00c3\u00a9-pc",
                "x(y)<z>\";\\\u0001\u007f"
            })
    void clientsCallThemselvesAsTheyLike(String name) {
        for (String verb : new String[] {"HELO ", "EHLO "}) {
            try (Peer peer = new Peer()) {
                assertThat(peer.send(verb + name + "\r\n"))
                        .startsWith("220 mx.example ESMTP Hubmark\n250");
                peer.send("MAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\n.\r\n");
                assertThat(peer.intake.messages().get(0).traceField())
                        .matches(
                                "(?s)Received: from [!-~&&[^()<>\"\\\\;,@]]+ \\(\\[unknown]\\)\r\n.*");
            }
        }
    }

    /** Whatever a peer in front of us took for the end: one reply, 5xx, and no message. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n.\n",
                "\n.\r\n",
                "\r.\r\n",
                "\r\n.\n",
                "\r\n.\r",
                "\r.\r",
                "\n\n.\r\n",
                "\r\n\0.\r\n",
                "\r\n.\0\r\n",
                "\r\r\n.\r\r\n",
                "\n.\r",
                "\r.\n"
            })
    void smugglingByChunksIsRefusedOnce(String end) {
        String text = "Subject: x\r\n\r\nx" + end + "MAIL FROM:<s@b>\r\n";
        for (int cut = 0; cut < text.length(); cut++) {
            try (Peer peer = new Peer()) {
                peer.send(Peer.TRANSACTION);
                String replies = peer.send("BDAT " + cut + "\r\n" + text.substring(0, cut) + "BDAT "
                        + (text.length() - cut) + " LAST\r\n" + text.substring(cut) + "NOOP\r\n");
                List<String> codes =
                        replies.lines().map(line -> line.substring(0, 9)).toList();
                assertThat(codes)
                        .as("cut at %d", cut)
                        .isIn(
                                List.of("250 2.0.0", "554 5.6.0", "250 2.0.0"),
                                List.of("554 5.6.0", "503 5.5.1", "250 2.0.0"));
                assertThat(peer.intake.messages()).isEmpty();
            }
        }
    }

    /** Dots mean nothing in chunks, and a last line without its end gets one. */
    @ParameterizedTest
    @ValueSource(strings = {"", ".", "\r\n", "\r\n.\r\n", "..\r\n.x", "a\r\n.\r\nRSET", "\u00e4"})
    void textInChunksIsKeptAsItIs(String text) {
        String whole = "Subject: x\r\n\r\n" + text;
        for (int cut = 0; cut <= whole.length(); cut++) {
            try (Peer peer = new Peer()) {
                peer.send(Peer.TRANSACTION + "BDAT " + cut + "\r\n" + whole.substring(0, cut));
                peer.send("BDAT " + (whole.length() - cut) + " LAST\r\n" + whole.substring(cut));
                assertThat(peer.intake.messages().get(0).text())
                        .as("cut at %d", cut)
                        .isEqualTo(whole.endsWith("\r\n") ? whole : whole + "\r\n");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r", "a\r", "a\r\n\r"})
    void halfALineEndAtTheEndIsRefused(String text) {
        try (Peer peer = new Peer()) {
            peer.send(Peer.TRANSACTION);
            assertThat(peer.send("BDAT " + text.length() + " LAST\r\n" + text))
                    .startsWith("554 5.6.0 bare CR");
        }
    }

    @Test
    void binaryChunksAreTakenAsTheyAre() {
        String octets = "\0\r\n.\r\n\n.\n\r";
        try (Peer peer = new Peer()) {
            peer.send(Peer.BINARY_TRANSACTION);
            assertThat(peer.send("BDAT " + octets.length() + " LAST\r\n" + octets))
                    .startsWith("250 2.0.0 queued");
            assertThat(peer.intake.messages().get(0).text()).isEqualTo(octets);
        }
    }

    /** Whatever a peer in front of us took for the end: one reply, 5xx, and no message. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n.\n",
                "\n.\r\n",
                "\r.\r\n",
                "\r\n.\n",
                "\r\n.\r",
                "\r.\r",
                "\n\n.\r\n",
                "\r\n\0.\r\n",
                "\r\n.\0\r\n",
                "\r\r\n.\r\r\n",
                "\n.\r",
                "\r.\n"
            })
    void smugglingIsRefusedOnce(String end) {
        String smuggled = "MAIL FROM:<s@b>\r\nRCPT TO:<v@d>\r\nDATA\r\nsmuggled\r\n.\r\n";
        try (Peer peer = new Peer()) {
            peer.send(Peer.TRANSACTION + "DATA\r\n");
            assertThat(peer.send("Subject: x\r\n\r\nx" + end + smuggled + "NOOP\r\n"))
                    .matches("554 5\\.6\\.0 [^\n]*\n250 2\\.0\\.0 ok\n");
            assertThat(peer.intake.messages()).isEmpty();
        }
    }

    @Test
    void anEnvelopeAndATraceField() {
        try (Peer peer = new Peer()) {
            peer.send("HELO c.example\r\n");
            peer.send("MAIL FROM:<@r.example:\"a b\"@b.example> BODY=8BITMIME\r\n");
            peer.send("RCPT TO:<@r.example:c@d.example>\r\nDATA\r\nx\r\n.\r\n");
            peer.send(Peer.TRANSACTION + "RCPT TO:<Postmaster>\r\nDATA\r\nx\r\n.\r\n");
            MemoryIntake.Message one = peer.intake.messages().get(0);
            assertThat(one.envelope().reversePath()).isEqualTo("\"a b\"@b.example");
            assertThat(one.envelope().forwardPaths()).containsExactly("c@d.example");
            assertThat(one.envelope().bodyType()).isEqualTo(BodyType.EIGHT_BIT_MIME);
            String date = "\\w{3}, \\d{1,2} \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d \\+0000";
            assertThat(one.traceField().lines().toList())
                    .hasSize(3)
                    .startsWith(
                            "Received: from c.example ([unknown])",
                            "\tby mx.example with SMTP id 0000000000001")
                    .last(InstanceOfAssertFactories.STRING)
                    .matches("\tfor <c@d\\.example>; " + date);
            MemoryIntake.Message two = peer.intake.messages().get(1);
            assertThat(two.envelope().forwardPaths()).containsExactly("c@d.example", "Postmaster");
            assertThat(two.envelope().bodyType()).isEqualTo(BodyType.SEVEN_BIT);
            assertThat(two.traceField())
                    .contains("with ESMTP id 0000000000002;")
                    .doesNotContain("for <");
            assertThat(two.traceField().lines()).allMatch(line -> line.length() <= 78);
        }
    }

    /** A next hop has to be told of 8-bit content, whatever was said of it here (RFC 6152 3). */
    @ParameterizedTest
    @ValueSource(strings = {"", " BODY=7BIT", " BODY=8BITMIME"})
    void contentOfEightBitsIsDeclaredSo(String declared) {
        try (Peer peer = new Peer()) {
            peer.send("EHLO c.example\r\n");
            for (String text : new String[] {"caf\u00e9", "x".repeat(100) + "\u0080", "cafe"}) {
                peer.send("MAIL FROM:<a@b.example>" + declared + "\r\nRCPT TO:<c@d.example>\r\n");
                peer.send(
                        "BDAT 3\r\nx\r\nBDAT " + (text.length() + 2) + " LAST\r\n" + text + "\r\n");
                peer.send("MAIL FROM:<a@b.example>" + declared + "\r\nRCPT TO:<c@d.example>\r\n");
                peer.send("DATA\r\n");
                peer.send(text + "\r\nx\r\n.\r\n");
            }
            BodyType plain =
                    declared.endsWith("8BITMIME") ? BodyType.EIGHT_BIT_MIME : BodyType.SEVEN_BIT;
            assertThat(peer.intake.messages())
                    .extracting(message -> message.envelope().bodyType())
                    .containsExactly(
                            BodyType.EIGHT_BIT_MIME,
                            BodyType.EIGHT_BIT_MIME,
                            BodyType.EIGHT_BIT_MIME,
                            BodyType.EIGHT_BIT_MIME,
                            plain,
                            plain);
        }
    }

    @Test
    void nothingIsAnsweredBeforeTheIntakeHasAnswered() throws InterruptedException {
        try (Peer peer = new Peer()) {
            peer.intake.holdsAnswers = true;
            String replies = peer.send(Peer.TRANSACTION + "DATA\r\nx\r\n.\r\nNOOP\r\n");
            assertThat(replies).endsWith("354 go ahead, end with CRLF.CRLF\n");
            assertThat(peer.channel.config().isAutoRead()).isFalse();
            peer.intake.answer();
            assertThat(peer.replies())
                    .isEqualTo("250 2.0.0 queued as 0000000000001\n250 2.0.0 ok\n");
            assertThat(peer.channel.config().isAutoRead()).isTrue();
        }
    }

    /** After a FIN all that is in the receive buffer of the socket is read, whatever was asked for. */
    @Test
    void whatAPeerSaidBeforeItClosedItsSideIsKeptAndAnswered() {
        MemoryIntake intake = new MemoryIntake();
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
        MemoryIntake intake = new MemoryIntake();
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
        String message = "MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nBDAT "
                + content.length() + " LAST\r\n" + content;
        return message.repeat(MANY_MESSAGES) + "QUIT\r\n";
    }

    @Test
    void aPeerThatGoesAwayLeavesNothing() {
        MemoryIntake intake = new MemoryIntake();
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
        assertThat(intake.extentsKept()).isZero();
    }

    /** Whatever comes, the session neither throws nor hangs nor keeps memory. */
    @Test
    void garbage() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String[] words = {
            "EHLO x",
            "MAIL FROM:<a@b>",
            "RCPT TO:<c@d>",
            "DATA",
            "BDAT 5",
            "BDAT 3 LAST",
            "RSET",
            "\r\n",
            "\r\n",
            "\r\n",
            "\r\n",
            ".",
            "\r",
            "\n",
            "\0",
            "<",
            "@",
            "BODY=BINARYMIME",
            " ",
            "SIZE=10",
            "BDAT 0 LAST",
            "BDAT 99999999999999999999",
            "\u00ff\u0080"
        };
        for (int round = 0; round < 3000; round++) {
            try (Peer peer = new Peer()) {
                for (int i = random.nextInt(30); i > 0; i--) {
                    StringBuilder read = new StringBuilder();
                    for (int k = random.nextInt(12); k > 0; k--) {
                        read.append(words[random.nextInt(words.length)]);
                    }
                    byte[] noise = new byte[random.nextInt(20)];
                    random.nextBytes(noise);
                    if (random.nextInt(4) == 0) {
                        read.append(new String(noise, StandardCharsets.ISO_8859_1));
                    }
                    if (peer.isOpen()) {
                        peer.channel.writeInbound(
                                Unpooled.copiedBuffer(read, StandardCharsets.ISO_8859_1));
                        peer.channel.checkException();
                    }
                }
                assertThat(peer.replies()).as("seed %d, round %d", seed, round).startsWith("220 ");
                assertThat(peer.isOpen() || peer.endings() == 1)
                        .as("open, or ended for a reason: seed %d, round %d", seed, round)
                        .isTrue();
            }
        }
    }

    /** What a client pipelines in front of its last chunk costs no packet of its own. */
    @Test
    void repliesBeforeTheEndOfContentGoOutWithItsReply() throws InterruptedException {
        MemoryIntake intake = new MemoryIntake();
        try (Peer peer = new Peer(intake, Map.of())) {
            peer.send("EHLO c.example\r\n");
            intake.holdsAnswers = true;
            String transaction = "MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\n";
            assertThat(peer.send(transaction + "BDAT 3 LAST\r\nabc")).isEmpty();
            intake.answer();
            peer.channel.runPendingTasks();
            assertThat(peer.channel.outboundMessages()).hasSize(1);
            assertThat(peer.replies())
                    .matches("250 2.1.0 .*\n250 2.1.5 .*\n250 2.0.0 queued as .*\n");
            // There is more to come: who waits for the replies would wait for ever.
            assertThat(peer.send(transaction + "BDAT 3 LAST\r\na"))
                    .matches("250 2.1.0 .*\n250 2.1.5 .*\n");
            assertThat(peer.send("bc")).isEmpty();
            intake.answer();
            assertThat(peer.replies()).startsWith("250 2.0.0 queued as ");
        }
    }

    @Test
    void repliesThatWaitForTheIntakeGoOutWhenTheReceiverStops() throws InterruptedException {
        MemoryIntake intake = new MemoryIntake();
        try (Peer peer = new Peer(intake, Map.of())) {
            peer.send("EHLO c.example\r\n");
            intake.holdsAnswers = true;
            assertThat(peer.send("MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\n"
                            + "BDAT 3 LAST\r\nabc"))
                    .isEmpty();
            peer.channel.pipeline().get(Connection.class).stop();
            intake.answer();
            assertThat(peer.replies())
                    .matches("250 2.1.0 .*\n250 2.1.5 .*\n250 2.0.0 queued as .*\n421 .*\n");
        }
    }
}
