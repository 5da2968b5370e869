package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

import org.jspecify.annotations.Nullable;

/**
 * One message ready to be sent, any number of times and over any number of connections at once: the
 * envelope's commands and the content in its wire form, in direct buffers that are shared and never
 * change. Only the first line is copied for each sending, to carry its own sequence number.
 *
 * <p>Any thread may send; the owner releases when nobody does any more.
 */
final class WireMessage {
    private final ByteBuf envelope;
    private final int mailEnd;
    private final int rcptEnd;
    private final byte @Nullable [] head;
    private final ByteBuf tail;
    private final int contentBytes;

    private WireMessage(
            ByteBuf envelope,
            int mailEnd,
            int rcptEnd,
            byte @Nullable [] head,
            ByteBuf tail,
            int contentBytes) {
        this.envelope = envelope;
        this.mailEnd = mailEnd;
        this.rcptEnd = rcptEnd;
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
        String rcpt = "RCPT TO:<" + plan.recipient() + ">\r\n";
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
        byte[] commands = (mail + rcpt + data).getBytes(UTF_8);
        int mailEnd = mail.getBytes(UTF_8).length;
        return new WireMessage(
                direct(commands, 0, commands.length),
                mailEnd,
                mailEnd + rcpt.getBytes(UTF_8).length,
                head,
                wire,
                content.length);
    }

    /** {@return MAIL, RCPT and DATA or BDAT} The caller releases, as with all buffers from here. */
    ByteBuf envelope() {
        return envelope.retainedDuplicate();
    }

    ByteBuf mail() {
        return envelope.retainedSlice(0, mailEnd);
    }

    ByteBuf rcpt() {
        return envelope.retainedSlice(mailEnd, rcptEnd - mailEnd);
    }

    ByteBuf data() {
        return envelope.retainedSlice(rcptEnd, envelope.writerIndex() - rcptEnd);
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
