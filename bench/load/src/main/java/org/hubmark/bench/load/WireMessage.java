package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;

import org.hubmark.hub.audit.ContentSum;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A message ready to be sent, any number of times and over any number of connections at once: the
 * envelope's commands and the content in its wire form. A generated one is another message each time:
 * its head is copied to carry the number of that message, and what follows is cut of the material
 * where that number says. All else is in direct buffers that are shared and never change.
 *
 * <p>Any thread may send; the owner releases when nobody does any more.
 */
final class WireMessage {
    /** A line of one dot. */
    private static final int END_OCTETS = 3;

    private static final byte[] NO_OCTETS = {};

    private final ByteBuf envelope;
    /** Where MAIL ends, then where each RCPT does. */
    private final int[] ends;

    private final byte[] head;
    private final int[] numbers;
    private final @Nullable Material material;
    private final int cutOctets;
    private final ByteBuf tail;
    private final int contentBytes;
    /** Sum of a message that is the same each time; it is never changed. */
    private final @Nullable ContentSum constant;

    /**
     * Prepares one.
     *
     * @param parameters of MAIL
     * @param tail before stuffing
     */
    private WireMessage(
            String parameters,
            MessageGenerator.Frame frame,
            @Nullable Material material,
            byte[] tail,
            LoadPlan plan) {
        this.head = frame.head().getBytes(US_ASCII);
        this.numbers = numbers(frame.head());
        this.material = material;
        this.cutOctets = frame.cutOctets();
        this.contentBytes = head.length + cutOctets + tail.length;
        this.constant = head.length == 0 && material == null ? ContentSum.of(tail) : null;
        this.tail = switch (plan.dialogue().transfer()) {
            case DATA -> stuffed(tail);
            case BDAT -> direct(tail);
        };
        List<String> forwardPaths = plan.addresses().forwardPaths();
        this.ends = new int[1 + forwardPaths.size()];
        StringBuilder commands = new StringBuilder(
                "MAIL FROM:<" + plan.addresses().sender() + ">" + parameters + "\r\n");
        ends[0] = commands.length();
        for (int i = 0; i < forwardPaths.size(); i++) {
            commands.append("RCPT TO:<").append(forwardPaths.get(i)).append(">\r\n");
            ends[i + 1] = commands.length();
        }
        commands.append(
                switch (plan.dialogue().transfer()) {
                    case DATA -> "DATA\r\n";
                    case BDAT -> "BDAT " + contentBytes + " LAST\r\n";
                });
        // Addresses are ASCII: the command line sees to it.
        this.envelope = direct(commands.toString().getBytes(US_ASCII));
    }

    private static int[] numbers(String head) {
        return Pattern.compile(MessageGenerator.NUMBER, Pattern.LITERAL)
                .matcher(head)
                .results()
                .mapToInt(MatchResult::start)
                .toArray();
    }

    /**
     * Prepares a message that is the same each time.
     *
     * @param content CRLF line ends, the last line ended too
     * @param announced what the server can do
     */
    static WireMessage of(byte[] content, LoadPlan plan, TargetProbe.Announced announced) {
        String body = announced.eightBitMime() ? " BODY=8BITMIME" : "";
        return new WireMessage(
                size(content.length, announced) + body,
                new MessageGenerator.Frame("", 0),
                null,
                content,
                plan);
    }

    /**
     * Prepares generated messages of one size.
     *
     * @param material null where the frame needs none
     */
    static WireMessage of(
            MessageGenerator.Frame frame,
            @Nullable Material material,
            LoadPlan plan,
            TargetProbe.Announced announced) {
        return new WireMessage(
                size(frame.sizeBytes(), announced), frame, material, NO_OCTETS, plan);
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

    /** {@return what comes first, with the number of the message, or null if there is no such part} */
    @Nullable
    ByteBuf head(ByteBufAllocator allocator, long number) {
        if (head.length == 0) {
            return null;
        }
        ByteBuf octets = allocator.directBuffer(head.length);
        octets.writeBytes(head);
        for (int at : numbers) {
            long left = number;
            for (int i = at + MessageGenerator.NUMBER.length() - 1; i >= at; i--) {
                octets.setByte(i, (int) ('0' + left % 10));
                left /= 10;
            }
        }
        return octets;
    }

    /**
     * {@return what was cut of the material, or null if there is no such part}
     *
     * @param random says where
     */
    @Nullable
    ByteBuf cut(long random) {
        return material == null ? null : material.cut(cutOctets, random);
    }

    /** {@return the rest, which is the same in all; it may be empty} */
    ByteBuf tail() {
        return tail.retainedDuplicate();
    }

    /** {@return a sum of the content of the message of that number, as the receiver has it} */
    ContentSum sum(long number, long random) {
        ContentSum known = constant;
        if (known != null) {
            return known;
        }
        ContentSum sum = new ContentSum();
        ByteBuf first = head(PooledByteBufAllocator.DEFAULT, number);
        if (first != null) {
            sum.add(first, first.readerIndex(), first.readableBytes());
            first.release();
        }
        if (material != null) {
            material.addCutTo(sum, cutOctets, random);
        }
        return sum;
    }

    /** {@return octets of content, before stuffing} */
    int contentBytes() {
        return contentBytes;
    }

    void release() {
        envelope.release();
        tail.release();
    }

    private static String size(int contentBytes, TargetProbe.Announced announced) {
        return announced.sizeMax() == null ? "" : " SIZE=" + contentBytes;
    }

    /** RFC 5321 4.5.2: a dot before each line that starts with one, and a line of one dot at the end. */
    private static ByteBuf stuffed(byte[] content) {
        ByteBuf wire = Unpooled.directBuffer(content.length + END_OCTETS);
        int from = 0;
        for (int i = 0; i < content.length; i++) {
            if (content[i] == '.' && (i == 0 || content[i - 1] == '\n')) {
                wire.writeBytes(content, from, i - from).writeByte('.');
                from = i;
            }
        }
        wire.writeBytes(content, from, content.length - from);
        return wire.writeByte('.').writeByte('\r').writeByte('\n');
    }

    private static ByteBuf direct(byte[] octets) {
        return Unpooled.directBuffer(octets.length).writeBytes(octets);
    }
}
