package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.hubmark.core.QueueId;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Proves that replies are found however the bytes are split, and that nonsense is recognised. */
class ReplyParserTest {
    private static final String REPLIES =
            "220 hello\r\n250-a\r\n250-200 b\r\n250 c\r\n354\r\n250 2.0.0 queued\r\n421 4.3.2 bye\r\n";

    @Test
    void findsTheSameRepliesAtEverySplit() {
        for (int split = 0; split <= REPLIES.length(); split++) {
            ReplyParser parser = new ReplyParser();
            List<Integer> codes = new ArrayList<>();
            feed(parser, REPLIES.substring(0, split), codes);
            feed(parser, REPLIES.substring(split), codes);
            assertThat(codes).as("split at %s", split).containsExactly(220, 250, 354, 250, 421);
        }
    }

    @Test
    void keepsTheLastLineOfARefusal() {
        ReplyParser parser = new ReplyParser();
        List<Integer> codes = new ArrayList<>();
        feed(parser, "250 ok\r\n452-4.3.1 first\r\n452 4.3.1 disk full\r\n", codes);
        assertThat(codes).containsExactly(250, 452);
        assertThat(parser.text()).isEqualTo("452 4.3.1 disk full");
    }

    @Test
    void findsTheQueueIdAtTheEndOfAReplyWhoseTextIsKept() {
        QueueId id = new QueueId(90_123);
        assertThat(queueId("250 2.0.0 queued as " + id + "\r\n", true)).isEqualTo(90_123);
        assertThat(queueId("250 " + id + "  \r\n", true)).isEqualTo(90_123);
        assertThat(queueId("250-" + id + "\r\n250 2.0.0 ok\r\n", true)).isNegative();
        assertThat(queueId("250\r\n", true)).isNegative();
        assertThat(queueId("250 " + id.toString().substring(1) + "\r\n", true)).isNegative();
        assertThat(queueId("250 2.0.0 queued as " + id + "\r\n", false)).isNegative();
    }

    private static long queueId(String reply, boolean keepsText) {
        ReplyParser parser = new ReplyParser();
        ByteBuf in = Unpooled.copiedBuffer(reply, ISO_8859_1);
        while (in.isReadable()) {
            assertThat(parser.next(in, keepsText)).isEqualTo(250);
        }
        in.release();
        return parser.queueId();
    }

    @Test
    void recognisesWhatIsNoReply() {
        for (String nonsense : List.of(
                "HTTP/1.1 400\r\n", "\r\n", "25\r\n", "2500 x\r\n", "250" + "-".repeat(9999))) {
            List<Integer> codes = new ArrayList<>();
            feed(new ReplyParser(), nonsense, codes);
            assertThat(codes).as(nonsense).containsExactly(ReplyParser.MALFORMED);
        }
    }

    private static void feed(ReplyParser parser, String text, List<Integer> codes) {
        ByteBuf in = Unpooled.copiedBuffer(text, ISO_8859_1);
        int code;
        do {
            code = parser.next(in, false);
            if (code != ReplyParser.INCOMPLETE) {
                codes.add(code);
            }
        } while (code > 0);
        in.release();
    }
}
