package org.hubmark.smtp;

import io.netty.buffer.ByteBuf;

import org.hubmark.core.Content;
import org.hubmark.core.QueueId;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/**
 * Reads the content of one message after the other, by DATA or by BDAT chunks (RFC 3030), into a
 * {@link Content} that it owns until {@link #handOver}. What can't be kept is read to its end all
 * the same, with the reason in {@link #refusal}.
 *
 * <p>Used by one event loop.
 */
final class MessageReader {
    private static final int HEADER_OCTETS_LOOKED_AT = 64 << 10;
    private static final int HEADER_BLOCK_OCTETS = 2 << 10;
    private static final byte[] RECEIVED = {'r', 'e', 'c', 'e', 'i', 'v', 'e', 'd', ':'};

    private final Service service;
    private final byte[] scratch;
    private final DataDecoder decoder;
    private @Nullable Content content;
    private @Nullable Reply refusal;
    private int traceOctets;
    private long contentBytesMax;
    private boolean headerChecked;
    private long chunkOctets;
    private long chunkOctetsLeft;
    private long lastMessageBytes;

    MessageReader(Service service, byte[] scratch) {
        this.service = service;
        this.scratch = scratch;
        this.decoder = new DataDecoder(scratch, service.limits().textLineOctetsMax());
    }

    /**
     * Opens a content with a trace field on top.
     *
     * @param declaredBytes what the peer said; if it didn't, the size of its last message is the
     *     guess
     * @return false when there is no memory for it
     */
    boolean open(QueueId id, byte[] traceField, long declaredBytes) {
        discard();
        refusal = null;
        headerChecked = false;
        traceOctets = traceField.length;
        contentBytesMax = traceOctets + service.limits().messageBytesMax();
        long expectedBytes = declaredBytes > 0 ? declaredBytes : lastMessageBytes;
        Content opened = Content.open(id, service.budget(), traceOctets + expectedBytes);
        if (opened != null && !opened.append(traceField, 0, traceOctets)) {
            opened.close();
            opened = null;
        }
        content = opened;
        return opened != null;
    }

    void beginData() {
        decoder.begin(content, contentBytesMax);
    }

    /**
     * Begins a chunk.
     *
     * @param refused what its end is answered with, or null if it is welcome
     */
    void beginChunk(long octets, @Nullable Reply refused) {
        chunkOctets = octets;
        chunkOctetsLeft = octets;
        if (refused != null) {
            refuse(refused);
        } else if (content != null && octets > contentBytesMax - content.sizeBytes()) {
            refuse(Reply.TOO_LARGE);
        }
    }

    /** Takes octets of DATA; true at its end. */
    boolean data(ByteBuf in) {
        boolean ended = decoder.decode(in, octetsToFullPart());
        DataDecoder.Fault fault = decoder.fault();
        if (fault != null && refusal == null) {
            refuse(Reply.to(fault));
        }
        return ended;
    }

    /** Takes octets of a chunk; true when it is whole. */
    boolean chunk(ByteBuf in) {
        int taken =
                (int) Math.min(chunkOctetsLeft, Math.min(in.readableBytes(), octetsToFullPart()));
        if (content != null && taken > 0 && !content.append(in, in.readerIndex(), taken)) {
            refuse(Reply.NO_MEMORY);
        }
        in.skipBytes(taken);
        chunkOctetsLeft -= taken;
        return chunkIsWhole();
    }

    boolean chunkIsWhole() {
        return chunkOctetsLeft == 0;
    }

    long chunkOctets() {
        return chunkOctets;
    }

    /** {@return the octets of the content so far; none when it is refused} */
    long contentOctets() {
        return content == null ? 0 : content.sizeBytes();
    }

    /** {@return why the content can't be taken, or null} */
    @Nullable
    Reply refusal() {
        return refusal;
    }

    /** {@return the content when the intake has to spool what is in memory of it, else null} */
    @Nullable
    Content fullPart() {
        if (content == null || content.memoryBytes() < Content.PART_BYTES_MAX) {
            return null;
        }
        checkHeader();
        return content;
    }

    /** Keeps nothing of the content, and answers its end so. */
    void refuse(Reply reply) {
        refusal = reply;
        discard();
    }

    /** {@return the whole content, owned by the caller from now on} Null if it is refused. */
    @Nullable
    Content handOver() {
        checkHeader();
        Content whole = content;
        if (whole != null) {
            lastMessageBytes = whole.sizeBytes() - traceOctets;
            content = null;
            decoder.keepNothing();
        }
        return whole;
    }

    /** Gives up the content, if there is one. */
    void discard() {
        decoder.keepNothing();
        Content dropped = content;
        content = null;
        if (dropped != null) {
            service.intake().abandon(dropped);
        }
    }

    private int octetsToFullPart() {
        return content == null
                ? Integer.MAX_VALUE
                : Math.max(1, Content.PART_BYTES_MAX - content.memoryBytes());
    }

    private void checkHeader() {
        if (content == null || headerChecked) {
            return;
        }
        headerChecked = true;
        if (receivedFields(content.memory()) > service.limits().receivedFieldsMax()) {
            refuse(Reply.MAIL_LOOP);
        }
    }

    /** Counts the Received fields that the peer sent, in blocks since most headers are short. */
    private int receivedFields(ByteBuffer memory) {
        int fields = 0;
        int matched = 0;
        boolean atLineStart = true;
        int end = Math.min(memory.limit(), traceOctets + HEADER_OCTETS_LOOKED_AT);
        for (int start = traceOctets; start < end; start += HEADER_BLOCK_OCTETS) {
            int octets = Math.min(HEADER_BLOCK_OCTETS, end - start);
            memory.get(start, scratch, 0, octets);
            int at = 0;
            while (at < octets) {
                if (!atLineStart) {
                    at = DataDecoder.nextControl(scratch, at, octets);
                    if (at < octets) {
                        atLineStart = scratch[at++] == '\n';
                        matched = 0;
                    }
                } else if (scratch[at] == '\r' && matched == 0) {
                    return fields;
                } else if ((scratch[at] | (matched < 8 ? 0x20 : 0)) == RECEIVED[matched]) {
                    at++;
                    if (++matched == RECEIVED.length) {
                        fields++;
                        atLineStart = false;
                    }
                } else {
                    atLineStart = false;
                }
            }
        }
        return fields;
    }
}
