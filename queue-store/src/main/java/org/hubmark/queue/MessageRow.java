package org.hubmark.queue;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;

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
 * <p>Its form, big-endian: format (1 octet), state (1), due in milliseconds (8), attempts (4), time of
 * receipt in seconds (8) and nanoseconds (4), body type (1), reason, reverse-path, peer, number of
 * forward-paths (4) and each of them, number of parts (4) and each one's length (4) and CRC32C (4).
 * A text is its length (4) and its octets in UTF-8.
 *
 * @param envelope its envelope
 * @param state what is to become of it
 * @param dueMillis when it is due; for a dead letter, when it died
 * @param attempts how many attempts were made
 * @param reason the last outcome that wasn't a delivery, or empty
 * @param parts its content, in order; none if it is empty
 */
record MessageRow(
        Envelope envelope,
        QueuedMessage.State state,
        long dueMillis,
        int attempts,
        String reason,
        List<ContentPart> parts) {
    private static final byte FORMAT = 1;
    private static final int FIXED_BYTES = 64;
    private static final int COUNT_MAX = 1 << 24;

    /** Copies the list. */
    MessageRow {
        parts = List.copyOf(parts);
    }

    long sizeBytes() {
        long bytes = 0;
        for (ContentPart part : parts) {
            bytes += part.lengthBytes();
        }
        return bytes;
    }

    boolean dead() {
        return state == QueuedMessage.State.DEAD;
    }

    /** {@return the message to be tried again at that time} */
    MessageRow due(long millis, int attemptsNow, String reasonNow) {
        QueuedMessage.State stateNow =
                attemptsNow == 0 ? QueuedMessage.State.QUEUED : QueuedMessage.State.DEFERRED;
        return new MessageRow(envelope, stateNow, millis, attemptsNow, reasonNow, parts);
    }

    /** {@return the message as a dead letter} */
    MessageRow died(long millis, int attemptsNow, String reasonNow) {
        return new MessageRow(
                envelope, QueuedMessage.State.DEAD, millis, attemptsNow, reasonNow, parts);
    }

    QueuedMessage message(QueueId id) {
        return new QueuedMessage(
                id,
                envelope,
                sizeBytes(),
                state,
                Instant.ofEpochMilli(dueMillis),
                attempts,
                reason);
    }

    byte[] encode() {
        byte[] reasonText = utf8(reason);
        byte[] reverse = utf8(envelope.reversePath());
        byte[] peer = utf8(envelope.peer());
        byte[][] forward = new byte[envelope.forwardPaths().size()][];
        int bytes = FIXED_BYTES + reasonText.length + reverse.length + peer.length;
        for (int i = 0; i < forward.length; i++) {
            forward[i] = utf8(envelope.forwardPaths().get(i));
            bytes += Integer.BYTES + forward[i].length;
        }
        bytes += parts.size() * 2 * Integer.BYTES;
        ByteBuffer out = ByteBuffer.allocate(bytes);
        out.put(FORMAT).put(stateCode(state)).putLong(dueMillis).putInt(attempts);
        Instant receivedAt = envelope.receivedAt();
        long seconds = receivedAt.getEpochSecond();
        int nanos = receivedAt.getNano();
        out.putLong(seconds).putInt(nanos).put(bodyCode(envelope.bodyType()));
        putText(out, reasonText);
        putText(out, reverse);
        putText(out, peer);
        out.putInt(forward.length);
        for (byte[] path : forward) {
            putText(out, path);
        }
        out.putInt(parts.size());
        for (ContentPart part : parts) {
            out.putInt(part.lengthBytes()).putInt(part.crc32c());
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /**
     * Reads a row.
     *
     * @throws StoreException if it isn't one; the message names the queue id
     */
    static MessageRow decode(long id, byte[] row) throws StoreException {
        try {
            ByteBuffer in = ByteBuffer.wrap(row);
            byte format = in.get();
            if (format != FORMAT) {
                throw new StoreException("the index row of " + new QueueId(id) + " has format "
                        + format + ", this version knows " + FORMAT);
            }
            QueuedMessage.State state = state(in.get());
            long dueMillis = in.getLong();
            int attempts = in.getInt();
            Instant receivedAt = Instant.ofEpochSecond(in.getLong(), in.getInt());
            BodyType bodyType = body(in.get());
            String reason = text(in);
            String reverse = text(in);
            String peer = text(in);
            int forwardCount = count(in);
            List<String> forward = new ArrayList<>();
            for (int i = 0; i < forwardCount; i++) {
                forward.add(text(in));
            }
            int partCount = count(in);
            List<ContentPart> parts = new ArrayList<>();
            for (int i = 0; i < partCount; i++) {
                parts.add(new ContentPart(in.getInt(), in.getInt()));
            }
            Envelope envelope = new Envelope(reverse, forward, bodyType, receivedAt, peer);
            return new MessageRow(envelope, state, dueMillis, attempts, reason, parts);
        } catch (BufferUnderflowException | IllegalArgumentException | DateTimeException e) {
            throw new StoreException(
                    "the index row of " + new QueueId(id) + " is damaged: " + e.getMessage(), e);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void putText(ByteBuffer out, byte[] text) {
        out.putInt(text.length).put(text);
    }

    private static String text(ByteBuffer in) {
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

    private static byte stateCode(QueuedMessage.State state) {
        return switch (state) {
            case QUEUED -> 0;
            case DEFERRED -> 1;
            case DEAD -> 2;
        };
    }

    private static QueuedMessage.State state(byte code) {
        return switch (code) {
            case 0 -> QueuedMessage.State.QUEUED;
            case 1 -> QueuedMessage.State.DEFERRED;
            case 2 -> QueuedMessage.State.DEAD;
            default -> throw new IllegalArgumentException("state " + code);
        };
    }

    private static byte bodyCode(BodyType body) {
        return switch (body) {
            case SEVEN_BIT -> 0;
            case EIGHT_BIT_MIME -> 1;
            case BINARY_MIME -> 2;
        };
    }

    private static BodyType body(byte code) {
        return switch (code) {
            case 0 -> BodyType.SEVEN_BIT;
            case 1 -> BodyType.EIGHT_BIT_MIME;
            case 2 -> BodyType.BINARY_MIME;
            default -> throw new IllegalArgumentException("body type " + code);
        };
    }
}
