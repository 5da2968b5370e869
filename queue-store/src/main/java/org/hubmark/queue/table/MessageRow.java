package org.hubmark.queue.table;

import org.hubmark.core.BodyType;
import org.hubmark.core.Coded;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.StoreException;
import org.jspecify.annotations.Nullable;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A row of the index: all that the store keeps of a message but its content.
 *
 * <p>Its form, big-endian: format (1 octet), {@link MessageState}, time of receipt in seconds (8) and
 * nanoseconds (4), body type (1), reverse-path, peer, number of forward-paths (4) and each of them,
 * number of extents (4) and each one's length (4) and CRC32C (4). A text is its length (4) and its
 * octets in UTF-8. It is also the head of the record that enqueues the message.
 *
 * @param envelope its envelope
 * @param state what changes
 * @param extents its content, in order; none if it is empty
 */
public record MessageRow(Envelope envelope, MessageState state, List<ContentExtent> extents) {
    /** Stands for an envelope that can't be read any more; no mail transaction has such a one. */
    public static final Envelope ENVELOPE_LOST =
            new Envelope("", List.of("unknown"), BodyType.BINARY_MIME, Instant.EPOCH, "");

    private static final byte FORMAT = 1;
    /** What each extent adds to a row. */
    private static final int EXTENT_BYTES = 2 * Integer.BYTES;

    private static final int FIXED_BYTES = 64;
    private static final int COUNT_MAX = 1 << 24;

    /** Copies the list. */
    public MessageRow {
        extents = List.copyOf(extents);
    }

    /** {@return the octets of its content} */
    public long sizeBytes() {
        long bytes = 0;
        for (ContentExtent extent : extents) {
            bytes += extent.lengthBytes();
        }
        return bytes;
    }

    /** {@return whether it is not known to whom the message goes} */
    public boolean isEnvelopeLost() {
        return envelope.equals(ENVELOPE_LOST);
    }

    /** {@return the row in another state} */
    public MessageRow with(MessageState now) {
        return new MessageRow(envelope, now, extents);
    }

    /** {@return the message that it is the row of} */
    public QueuedMessage message(QueueId id) {
        return new QueuedMessage(
                id,
                envelope,
                sizeBytes(),
                state.kind(),
                state.dueMillis() == MessageState.AT_ONCE
                        ? envelope.receivedAt()
                        : Instant.ofEpochMilli(state.dueMillis()),
                state.attempts(),
                state.reason(),
                state.results());
    }

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(bytesMax());
        encode(out);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** {@return at least the octets that {@link #encode} puts} */
    public int bytesMax() {
        return bytesMax(envelope, state, extents.size());
    }

    /** {@return the same of a row that is yet to be made} */
    public static int bytesMax(Envelope envelope, MessageState state, int extents) {
        // An envelope is ASCII: an octet is a character.
        int octets = envelope.reversePath().length() + envelope.peer().length();
        for (String path : envelope.forwardPaths()) {
            octets += path.length();
        }
        return FIXED_BYTES
                + state.bytesMax()
                + octets
                + envelope.forwardPaths().size() * Integer.BYTES
                + extents * EXTENT_BYTES;
    }

    /** Puts its form, at most {@link #bytesMax} octets. */
    public void encode(ByteBuffer out) {
        out.put(FORMAT);
        state.encode(out);
        Instant receivedAt = envelope.receivedAt();
        long seconds = receivedAt.getEpochSecond();
        int nanos = receivedAt.getNano();
        out.putLong(seconds).putInt(nanos).put((byte) envelope.bodyType().code());
        putText(out, envelope.reversePath());
        putText(out, envelope.peer());
        out.putInt(envelope.forwardPaths().size());
        for (String path : envelope.forwardPaths()) {
            putText(out, path);
        }
        out.putInt(extents.size());
        for (ContentExtent extent : extents) {
            out.putInt(extent.lengthBytes()).putInt(extent.crc32c());
        }
    }

    /**
     * Reads a row whose state may have changed since it was written.
     *
     * @param state of the message now, or null if it is the row's
     */
    static MessageRow decode(long id, byte[] row, byte @Nullable [] state) throws StoreException {
        MessageRow written = decode(id, ByteBuffer.wrap(row));
        try {
            return state == null
                    ? written
                    : written.with(MessageState.decode(ByteBuffer.wrap(state)));
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new StoreException(
                    "the state of " + new QueueId(id) + " is damaged: " + e.getMessage(), e);
        }
    }

    /** Reads a row from a buffer's position on. */
    public static MessageRow decode(long id, ByteBuffer in) throws StoreException {
        try {
            byte format = in.get();
            if (format != FORMAT) {
                throw new StoreException("the index row of " + new QueueId(id) + " has format "
                        + format + ", this version knows " + FORMAT);
            }
            MessageState state = MessageState.decode(in);
            Instant receivedAt = Instant.ofEpochSecond(in.getLong(), in.getInt());
            BodyType bodyType = Coded.of(BodyType.class, in.get());
            String reverse = text(in);
            String peer = text(in);
            int forwardCount = count(in);
            List<String> forward = new ArrayList<>();
            for (int i = 0; i < forwardCount; i++) {
                forward.add(text(in));
            }
            int extentCount = count(in);
            List<ContentExtent> extents = new ArrayList<>();
            for (int i = 0; i < extentCount; i++) {
                extents.add(new ContentExtent(in.getInt(), in.getInt()));
            }
            Envelope envelope = new Envelope(reverse, forward, bodyType, receivedAt, peer);
            return new MessageRow(envelope, state, extents);
        } catch (BufferUnderflowException | IllegalArgumentException | DateTimeException e) {
            throw new StoreException(
                    "the index row of " + new QueueId(id) + " is damaged: " + e.getMessage(), e);
        }
    }

    private static void putText(ByteBuffer out, String text) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        out.putInt(octets.length).put(octets);
    }

    static String text(ByteBuffer in) {
        byte[] text = new byte[count(in)];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static int count(ByteBuffer in) {
        int count = in.getInt();
        // More than the row has octets: a damaged count must not become an allocation.
        if (count < 0 || count > COUNT_MAX || count > in.remaining()) {
            throw new IllegalArgumentException("a count of " + count);
        }
        return count;
    }
}
