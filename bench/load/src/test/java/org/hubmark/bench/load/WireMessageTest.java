package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.ContentSum;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Proves the wire form: envelope, stuffing, sequence numbers, and line ends of a corpus. */
class WireMessageTest {

    @Test
    void stuffsDotsForDataOnly() {
        String content = ".\r\n..a\r\nb.\r\n.\r\n";
        assertThat(wire(content, Transfer.DATA)).isEqualTo("..\r\n...a\r\nb.\r\n..\r\n.\r\n");
        assertThat(wire(content, Transfer.BDAT)).isEqualTo(content);
        assertThat(wire("a\r\n", Transfer.DATA)).isEqualTo("a\r\n.\r\n");
    }

    @Test
    void declaresSizeAndBodyWhereAnnounced() {
        assertThat(envelope("caf\u00e9\r\n", Transfer.DATA, Loads.ALL))
                .isEqualTo("MAIL FROM:<a@x> SIZE=6 BODY=8BITMIME\r\nRCPT TO:<b@x>\r\nDATA\r\n");
        assertThat(envelope("ab\r\n", Transfer.BDAT, Loads.ALL))
                .isEqualTo(
                        "MAIL FROM:<a@x> SIZE=4 BODY=8BITMIME\r\nRCPT TO:<b@x>\r\nBDAT 4 LAST\r\n");
        assertThat(envelope(
                        "caf\u00e9\r\n",
                        Transfer.DATA,
                        new TargetProbe.Announced("", false, false, false, null, null, null)))
                .isEqualTo("MAIL FROM:<a@x>\r\nRCPT TO:<b@x>\r\nDATA\r\n");
    }

    @Test
    void namesEachRecipient() {
        WireMessage message =
                WireMessage.of("a\r\n".getBytes(ISO_8859_1), plan(Transfer.DATA, 3), Loads.ALL);
        assertThat(text(message.envelope()))
                .endsWith("\r\nRCPT TO:<b@x>\r\nRCPT TO:<b-2@x>\r\nRCPT TO:<b-3@x>\r\nDATA\r\n");
        assertThat(text(message.mail())).isEqualTo("MAIL FROM:<a@x> SIZE=3 BODY=8BITMIME\r\n");
        assertThat(text(message.rcpt(0))).isEqualTo("RCPT TO:<b@x>\r\n");
        assertThat(text(message.rcpt(2))).isEqualTo("RCPT TO:<b-3@x>\r\n");
        assertThat(text(message.data())).isEqualTo("DATA\r\n");
        message.release();
    }

    @Test
    void putsItsNumberIntoTheHead() {
        String number = MessageGenerator.NUMBER;
        MessageGenerator.Frame frame =
                new MessageGenerator.Frame("a " + number + " b " + number + "\r\n", 0);
        WireMessage message = WireMessage.of(frame, null, plan(Transfer.DATA), Loads.ALL);
        ByteBuf head =
                Objects.requireNonNull(message.head(UnpooledByteBufAllocator.DEFAULT, 90_123));
        assertThat(text(head)).isEqualTo("a 000000000000090123 b 000000000000090123\r\n");
        assertThat(message.cut(5)).isNull();
        assertThat(text(message.tail())).isEqualTo(".\r\n");
        assertThat(message.contentBytes()).isEqualTo(frame.sizeBytes());
        assertThat(text(message.mail())).isEqualTo("MAIL FROM:<a@x> SIZE=43\r\n");
        message.release();
    }

    @Test
    void sumsUpWhatTheReceiverMakesOfWhatIsSent() {
        QueueId id = new QueueId(1);
        for (Transfer transfer : Transfer.values()) {
            for (String content : List.of("a\r\n", ".\r\n..a\r\nb.\r\n.\r\n", "x\r\n.y\r\n\r\n")) {
                byte[] octets = content.getBytes(ISO_8859_1);
                WireMessage message = WireMessage.of(octets, plan(transfer), Loads.ALL);
                ContentSum expected = new ContentSum();
                expected.add(octets, 0, octets.length);
                assertThat(message.sum(5, 5).of(id)).as(content).isEqualTo(expected.of(id));
                message.release();
            }
        }
    }

    /** Generated ones are another each time; the dots of the transport are taken out by hand here. */
    @Test
    void sumsUpWhatTheReceiverMakesOfGeneratedMessages() {
        QueueId id = new QueueId(1);
        MessageGenerator generator = new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x");
        for (Transfer transfer : Transfer.values()) {
            for (int size : new int[] {1_000, 4_000, 57_000}) {
                MessageSet messages =
                        MessageSet.generate(size, generator, plan(transfer), Loads.ALL);
                for (long number = 0; number < 20; number++) {
                    String wire = new String(Loads.wire(messages, number), ISO_8859_1);
                    byte[] content = transfer == Transfer.DATA
                            ? wire.substring(0, wire.length() - 3)
                                    .replace("\r\n..", "\r\n.")
                                    .getBytes(ISO_8859_1)
                            : wire.getBytes(ISO_8859_1);
                    ContentSum expected = new ContentSum();
                    expected.add(content, 0, content.length);
                    assertThat(messages.get(number)
                                    .sum(number, messages.random(number))
                                    .of(id))
                            .as("%s, %d octets, message %d", transfer, size, number)
                            .isEqualTo(expected.of(id));
                }
                messages.close();
            }
        }
    }

    @Test
    void makesEveryLineEndCrlf() {
        assertThat(new String(Corpus.crlf("a\nb\rc\r\n\n\r\rd".getBytes(ISO_8859_1)), ISO_8859_1))
                .isEqualTo("a\r\nb\r\nc\r\n\r\n\r\n\r\nd\r\n");
        assertThat(Corpus.crlf(new byte[0])).isEmpty();
    }

    private static String text(ByteBuf octets) {
        try {
            return octets.toString(ISO_8859_1);
        } finally {
            octets.release();
        }
    }

    private static String wire(String content, Transfer transfer) {
        WireMessage message =
                WireMessage.of(content.getBytes(ISO_8859_1), plan(transfer), Loads.ALL);
        ByteBuf tail = message.tail();
        try {
            return tail.toString(ISO_8859_1);
        } finally {
            tail.release();
            message.release();
        }
    }

    private static String envelope(
            String content, Transfer transfer, TargetProbe.Announced announced) {
        WireMessage message =
                WireMessage.of(content.getBytes(ISO_8859_1), plan(transfer), announced);
        ByteBuf all = message.envelope();
        try {
            return all.toString(ISO_8859_1);
        } finally {
            all.release();
            message.release();
        }
    }

    static LoadPlan plan(Transfer transfer) {
        return plan(transfer, 1);
    }

    private static LoadPlan plan(Transfer transfer, int recipients) {
        return Loads.plan(
                InetSocketAddress.createUnresolved("x", 1),
                1,
                0,
                0,
                new LoadPlan.Dialogue(transfer, true, null, null),
                recipients);
    }
}
