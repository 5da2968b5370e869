package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Objects;

/** Proves the wire form: envelope, stuffing, sequence numbers, and line ends of a corpus. */
class WireMessageTest {
    private static final TargetProbe.Announced ALL =
            new TargetProbe.Announced("", true, true, true, 0L);

    @Test
    void stuffsDotsForDataOnly() {
        String content = ".\r\n..a\r\nb.\r\n.\r\n";
        assertThat(wire(content, Transfer.DATA)).isEqualTo("..\r\n...a\r\nb.\r\n..\r\n.\r\n");
        assertThat(wire(content, Transfer.BDAT)).isEqualTo(content);
        assertThat(wire("a\r\n", Transfer.DATA)).isEqualTo("a\r\n.\r\n");
    }

    @Test
    void declaresSizeAndBodyWhereAnnounced() {
        assertThat(envelope("caf\u00e9\r\n", Transfer.DATA, ALL))
                .isEqualTo("MAIL FROM:<a@x> SIZE=6 BODY=8BITMIME\r\nRCPT TO:<b@x>\r\nDATA\r\n");
        assertThat(envelope("ab\r\n", Transfer.BDAT, ALL))
                .isEqualTo("MAIL FROM:<a@x> SIZE=4\r\nRCPT TO:<b@x>\r\nBDAT 4 LAST\r\n");
        assertThat(envelope(
                        "caf\u00e9\r\n",
                        Transfer.DATA,
                        new TargetProbe.Announced("", false, false, false, null)))
                .isEqualTo("MAIL FROM:<a@x>\r\nRCPT TO:<b@x>\r\nDATA\r\n");
    }

    @Test
    void namesEachRecipient() {
        WireMessage message =
                WireMessage.of("a\r\n".getBytes(ISO_8859_1), false, plan(Transfer.DATA, 3), ALL);
        assertThat(text(message.envelope()))
                .endsWith("\r\nRCPT TO:<b@x>\r\nRCPT TO:<b-2@x>\r\nRCPT TO:<b-3@x>\r\nDATA\r\n");
        assertThat(text(message.mail())).isEqualTo("MAIL FROM:<a@x> SIZE=3\r\n");
        assertThat(text(message.rcpt(0))).isEqualTo("RCPT TO:<b@x>\r\n");
        assertThat(text(message.rcpt(2))).isEqualTo("RCPT TO:<b-3@x>\r\n");
        assertThat(text(message.data())).isEqualTo("DATA\r\n");
        message.release();
    }

    @Test
    void putsTheSequenceNumberIntoTheFirstLine() {
        MessageGenerator generator = new MessageGenerator(7, Instant.EPOCH, "a@x", "b@x");
        byte[] content = generator.next(500);
        WireMessage message = WireMessage.of(content, true, plan(Transfer.BDAT), ALL);
        ByteBuf head =
                Objects.requireNonNull(message.head(UnpooledByteBufAllocator.DEFAULT, 90_123));
        ByteBuf tail = message.tail();
        assertThat(head.toString(ISO_8859_1) + tail.toString(ISO_8859_1))
                .isEqualTo(new String(content, ISO_8859_1)
                        .replace("<000000000000.", "<000000090123."));
        head.release();
        tail.release();
        message.release();
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
                WireMessage.of(content.getBytes(ISO_8859_1), false, plan(transfer), ALL);
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
                WireMessage.of(content.getBytes(ISO_8859_1), false, plan(transfer), announced);
        ByteBuf all = message.envelope();
        try {
            return all.toString(ISO_8859_1);
        } finally {
            all.release();
            message.release();
        }
    }

    private static LoadPlan plan(Transfer transfer) {
        return plan(transfer, 1);
    }

    private static LoadPlan plan(Transfer transfer, int recipients) {
        return new LoadPlan(
                InetSocketAddress.createUnresolved("x", 1),
                1,
                new Pace.ClosedLoop(),
                transfer,
                true,
                0,
                0,
                1,
                "a@x",
                "b@x",
                recipients);
    }
}
