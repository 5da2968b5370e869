package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One message ready to be sent, any number of times and over any number of connections at once: the
 * envelope's commands and the content in its wire form, in direct buffers that are shared and never
 * change. Only the first line is copied for each sending, to carry its own sequence number.
 *
 * <p>Any thread may send; the owner releases when nobody does any more.
 */
final class WireMessage {
    private final ByteBuf envelope;
    /** Where MAIL ends, then where each RCPT does. */
    private final int[] ends;

    private final byte @Nullable [] head;
    private final ByteBuf tail;
    private final int contentBytes;

    private WireMessage(
            ByteBuf envelope, int[] ends, byte @Nullable [] head, ByteBuf tail, int contentBytes) {
        this.envelope = envelope;
        this.ends = ends;
        this.head = head;
        this.tail = tail;
        this.contentBytes = contentBytes;
    }

    /**
     * Prepares a message.
     *
     * @param content CRLF line ends, the last line ended too
     * @param numbered whether the first line carries a sequence number at {@link
     *     MessageGenerator#SEQUENCE_INDEX}
     * @param announced what the server can do
     */
    static WireMessage of(
            byte[] content, boolean numbered, LoadPlan plan, TargetProbe.Announced announced) {
        String mail = "MAIL FROM:<" + plan.sender() + ">"
                + (announced.sizeMax() == null ? "" : " SIZE=" + content.length)
                + (announced.eightBitMime() && eightBit(content) ? " BODY=8BITMIME" : "") + "\r\n";
        String data = switch (plan.transfer()) {
            case DATA -> "DATA\r\n";
            case BDAT -> "BDAT " + content.length + " LAST\r\n";
        };
        ByteBuf wire = switch (plan.transfer()) {
            case DATA -> stuffed(content);
            case BDAT -> direct(content, 0, content.length);
        };
        byte[] head = null;
        if (numbered) {
            // The first line starts with no dot, so it is the same on the wire.
            head = new byte[wire.indexOf(0, wire.writerIndex(), (byte) '\n') + 1];
            wire.readBytes(head);
        }
        StringBuilder commands = new StringBuilder(mail);
        List<String> forwardPaths = plan.forwardPaths();
        int[] ends = new int[1 + forwardPaths.size()];
        ends[0] = mail.length();
        for (int i = 0; i < forwardPaths.size(); i++) {
            commands.append("RCPT TO:<").append(forwardPaths.get(i)).append(">\r\n");
            ends[i + 1] = commands.length();
        }
        // Addresses are ASCII: the command line sees to it.
        byte[] octets = commands.append(data).toString().getBytes(US_ASCII);
        return new WireMessage(direct(octets, 0, octets.length), ends, head, wire, content.length);
    }

    /** {@return MAIL, each RCPT, and DATA or BDAT} The caller releases, as with all from here. */
    ByteBuf envelope() {
        return envelope.retainedDuplicate();
    }

    ByteBuf mail() {
        return envelope.retainedSlice(0, ends[0]);
    }

    /** {@return a RCPT, the first being 0} */
    ByteBuf rcpt(int number) {
        return envelope.retainedSlice(ends[number], ends[number + 1] - ends[number]);
    }

    ByteBuf data() {
        int from = ends[ends.length - 1];
        return envelope.retainedSlice(from, envelope.writerIndex() - from);
    }

    /** {@return the first line with that sequence number, or null if this message carries none} */
    @Nullable
    ByteBuf head(ByteBufAllocator allocator, long sequence) {
        if (head == null) {
            return null;
        }
        ByteBuf line = allocator.directBuffer(head.length);
        line.writeBytes(head);
        long left = sequence;
        for (int i = MessageGenerator.SEQUENCE_DIGITS - 1; i >= 0 && left > 0; i--) {
            line.setByte(MessageGenerator.SEQUENCE_INDEX + i, (int) ('0' + left % 10));
            left /= 10;
        }
        return line;
    }

    /** {@return all after the first line} */
    ByteBuf tail() {
        return tail.retainedDuplicate();
    }

    /** {@return octets of content, before stuffing} */
    int contentBytes() {
        return contentBytes;
    }

    void release() {
        envelope.release();
        tail.release();
    }

    /** RFC 5321 4.5.2: a dot before each line that starts with one, and a line of one dot at the end. */
    private static ByteBuf stuffed(byte[] content) {
        int dots = 0;
        for (int i = 0; i < content.length; i++) {
            if (content[i] == '.' && (i == 0 || content[i - 1] == '\n')) {
                dots++;
            }
        }
        ByteBuf wire = Unpooled.directBuffer(content.length + dots + 3);
        int from = 0;
        for (int i = 0; dots > 0 && i < content.length; i++) {
            if (content[i] == '.' && (i == 0 || content[i - 1] == '\n')) {
                wire.writeBytes(content, from, i - from).writeByte('.');
                from = i;
            }
        }
        wire.writeBytes(content, from, content.length - from);
        return wire.writeByte('.').writeByte('\r').writeByte('\n');
    }

    private static ByteBuf direct(byte[] octets, int index, int length) {
        return Unpooled.directBuffer(length).writeBytes(octets, index, length);
    }

    private static boolean eightBit(byte[] content) {
        for (byte octet : content) {
            if (octet < 0) {
                return true;
            }
        }
        return false;
    }
}
