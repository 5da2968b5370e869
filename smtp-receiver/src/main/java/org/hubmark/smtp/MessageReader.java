package org.hubmark.smtp;

import io.netty.buffer.ByteBuf;

import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.QueueId;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads the content of one message after the other, by DATA or by BDAT chunks (RFC 3030), into a
 * {@link Content} that it owns until {@link #handOver}. Content that can't be kept is read to its end
 * all the same, with the reason in {@link #refusal}, unless {@link #isEndless}.
 *
 * <p>Used by one event loop.
 */
final class MessageReader {
    private static final int HEADER_OCTETS_LOOKED_AT = 64 << 10;
    private static final int HEADER_BLOCK_OCTETS = 2 << 10;
    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] RECEIVED = {'r', 'e', 'c', 'e', 'i', 'v', 'e', 'd', ':'};

    private final Service service;
    private final ContentBudget budget;
    private final byte[] scratch;
    private final DataDecoder decoder;
    private final long octetsReadMax;
    private @Nullable Content content;
    private @Nullable Reply refusal;
    private byte[] traceField = {};
    private boolean dotSkipped;
    private boolean binary;
    private long octetsRead;
    private long messageOctetsRead;
    private long contentBytesMax;
    private boolean headerChecked;
    private long chunkOctets;
    private long chunkOctetsLeft;
    private long lastMessageBytes;

    MessageReader(Service service, ContentBudget budget, byte[] scratch) {
        this.service = service;
        this.budget = budget;
        this.scratch = scratch;
        this.decoder = new DataDecoder(scratch, Limits.TEXT_OCTETS_MAX);
        this.octetsReadMax = 2 * Math.min(service.limits().messageBytesMax(), Long.MAX_VALUE / 4);
    }

    /** Begins with another message, whose content may never be opened. */
    void beginMessage() {
        refusal = null;
        messageOctetsRead = 0;
    }

    /**
     * Opens a content with a trace field on top. Memory for both is taken when octets come.
     *
     * @param declaredBytes what the peer said; if it didn't, the size of its last message is the
     *     guess
     * @return false when there is no memory for it
     */
    boolean open(QueueId id, byte[] field, long declaredBytes) {
        discard();
        refusal = null;
        headerChecked = false;
        dotSkipped = false;
        traceField = field;
        contentBytesMax = field.length + service.limits().messageBytesMax();
        long expectedBytes = declaredBytes > 0 ? declaredBytes : lastMessageBytes;
        // What a peer declared may be anything, up to the largest number there is.
        content = Content.open(
                id, budget, field.length + Math.min(expectedBytes, Content.EXTENT_BYTES_MAX));
        return content != null;
    }

    void beginData() {
        decoder.begin(content, contentBytesMax);
    }

    /**
     * Begins content that comes in chunks.
     *
     * @param anyOctets whether they are taken as they are: BODY=BINARYMIME; else they are text, and
     *     checked as what comes by DATA is
     */
    void beginChunks(boolean anyOctets) {
        binary = anyOctets;
        decoder.beginChunks(content, contentBytesMax);
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
        int octets = in.readableBytes();
        putTraceField(in, octets, true);
        makeRoom(octets);
        boolean ended = decoder.decode(in, octetsToStop());
        takeFault();
        count(octets - in.readableBytes());
        return ended;
    }

    /** Takes octets of a chunk; true when it is whole. */
    boolean chunk(ByteBuf in) {
        int coming = (int) Math.min(chunkOctetsLeft, in.readableBytes());
        putTraceField(in, coming, false);
        makeRoom(coming);
        int taken = Math.min(coming, octetsToStop());
        if (content == null) {
            in.skipBytes(taken);
        } else if (binary) {
            if (!content.append(in, in.readerIndex(), taken)) {
                refuse(Reply.NO_MEMORY);
            }
            in.skipBytes(taken);
        } else {
            decoder.decode(in, taken);
            takeFault();
        }
        count(taken);
        chunkOctetsLeft -= taken;
        return chunkIsWhole();
    }

    /** Ends content that came in chunks. */
    void endChunks() {
        if (content != null && !binary) {
            decoder.endChunks();
            takeFault();
        }
    }

    boolean chunkIsWhole() {
        return chunkOctetsLeft == 0;
    }

    long chunkOctets() {
        return chunkOctets;
    }

    /** {@return the octets of content that were read, of all messages of the connection} */
    long octetsRead() {
        return octetsRead;
    }

    /**
     * {@return whether so much was read of refused content that its end is not waited for} Content
     * that is not refused can't have as many octets, dots included.
     */
    boolean isEndless() {
        return messageOctetsRead > octetsReadMax;
    }

    /** {@return the octets of the content so far; none when it is refused} */
    long contentOctets() {
        return content == null ? 0 : content.sizeBytes();
    }

    /** {@return whether text has an octet above 127} Binary content is not looked at. */
    boolean isEightBit() {
        return decoder.isEightBit();
    }

    /** {@return why the content can't be taken, or null} */
    @Nullable
    Reply refusal() {
        return refusal;
    }

    /** {@return the content when the intake has to store what is in memory of it, else null} */
    @Nullable
    Content fullExtent() {
        if (content == null || content.memoryBytes() < Content.EXTENT_BYTES_MAX) {
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
        if (content != null && content.sizeBytes() == 0) {
            putTraceField(0);
        }
        checkHeader();
        Content whole = content;
        if (whole != null) {
            lastMessageBytes = whole.sizeBytes() - traceField.length;
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

    /**
     * Puts the trace field in front of the first octet of content. White space there would continue our
     * field (RFC 5322 2.2.3), so the header ends before it, as Postfix's smtpd does.
     *
     * @param stuffed whether a dot that begins a line is none of the content (RFC 5321 4.5.2)
     */
    private void putTraceField(ByteBuf in, int octets, boolean stuffed) {
        if (content == null || content.sizeBytes() > 0 || octets == 0) {
            return;
        }
        int at = in.readerIndex();
        if (stuffed && !dotSkipped && in.getByte(at) == '.') {
            dotSkipped = true;
            if (octets == 1) {
                return;
            }
            at++;
        }
        byte first = in.getByte(at);
        if (first == ' ' || first == '\t') {
            traceField = Arrays.copyOf(traceField, traceField.length + LINE_END.length);
            System.arraycopy(
                    LINE_END, 0, traceField, traceField.length - LINE_END.length, LINE_END.length);
            contentBytesMax += LINE_END.length;
            decoder.allow(LINE_END.length);
            // It has ended: none of the content is header.
            headerChecked = true;
        }
        putTraceField(octets);
    }

    /** Takes memory for it and for octets that have come, at once. */
    private void putTraceField(int octets) {
        Content opened = content;
        if (opened == null) {
            return;
        }
        int needed = traceField.length + Math.min(octets, Content.EXTENT_BYTES_MAX);
        if (!opened.makeRoom(needed) || !opened.append(traceField, 0, traceField.length)) {
            refuse(Reply.NO_MEMORY);
        }
    }

    /** Takes memory for the octets that have come. */
    private void makeRoom(int octets) {
        Content opened = content;
        if (opened == null) {
            return;
        }
        int needed = Math.min(octets, Content.EXTENT_BYTES_MAX - opened.memoryBytes());
        if (!opened.makeRoom(Math.max(0, needed))) {
            refuse(Reply.NO_MEMORY);
        }
    }

    private void takeFault() {
        DataDecoder.Fault fault = decoder.fault();
        if (fault != null && refusal == null) {
            refuse(Reply.to(fault));
        }
    }

    private void count(int octets) {
        octetsRead += octets;
        messageOctetsRead += octets;
    }

    /** {@return how many octets to look at before something has to be done} */
    private int octetsToStop() {
        long toEndless = octetsReadMax + 1 - messageOctetsRead;
        return (int) Math.min(Math.max(1, toEndless), octetsToFullExtent());
    }

    private int octetsToFullExtent() {
        return content == null
                ? Integer.MAX_VALUE
                : Math.max(1, Content.EXTENT_BYTES_MAX - content.memoryBytes());
    }

    private void checkHeader() {
        if (content == null || headerChecked) {
            return;
        }
        headerChecked = true;
        if (receivedFields(content.memory()) > Limits.RECEIVED_FIELDS_MAX) {
            refuse(Reply.MAIL_LOOP);
        }
    }

    /** Counts the Received fields that the peer sent, in blocks since most headers are short. */
    private int receivedFields(ByteBuffer memory) {
        int fields = 0;
        int matched = 0;
        boolean atLineStart = true;
        int end = Math.min(memory.limit(), traceField.length + HEADER_OCTETS_LOOKED_AT);
        for (int start = traceField.length; start < end; start += HEADER_BLOCK_OCTETS) {
            int octets = Math.min(HEADER_BLOCK_OCTETS, end - start);
            memory.get(start, scratch, 0, octets);
            int at = 0;
            while (at < octets) {
                if (!atLineStart) {
                    at = DataDecoder.nextControl(scratch, at, octets, true);
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
