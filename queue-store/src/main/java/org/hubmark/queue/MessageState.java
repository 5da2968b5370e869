package org.hubmark.queue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What changes of a message while it is in the queue; the head of a record that changes it.
 *
 * <p>Its form, big-endian: kind (1 octet), due in milliseconds (8), attempts (4), octets of the
 * reason (4), the reason in UTF-8.
 *
 * @param kind what is to become of the message
 * @param dueMillis when it is due; for a dead letter, when it died
 * @param attempts how many attempts were made
 * @param reason the last outcome that wasn't a delivery, or empty
 */
record MessageState(QueuedMessage.State kind, long dueMillis, int attempts, String reason) {
    private static final int FIXED_BYTES = 1 + Long.BYTES + 2 * Integer.BYTES;

    /** Reasons are cut off there, so that a record of one has a bound. */
    private static final int REASON_CHARACTERS_MAX = 4096;

    /** Cuts off the reason. */
    MessageState {
        if (reason.length() > REASON_CHARACTERS_MAX) {
            reason = reason.substring(0, REASON_CHARACTERS_MAX);
        }
    }

    /** {@return of a message that has just come} */
    static MessageState fresh(long dueMillis) {
        return new MessageState(QueuedMessage.State.QUEUED, dueMillis, 0, "");
    }

    /** {@return to be tried again at that time} */
    static MessageState due(long dueMillis, int attempts, String reason) {
        return new MessageState(
                attempts == 0 ? QueuedMessage.State.QUEUED : QueuedMessage.State.DEFERRED,
                dueMillis,
                attempts,
                reason);
    }

    /** {@return dead since then} */
    static MessageState dead(long millis, int attempts, String reason) {
        return new MessageState(QueuedMessage.State.DEAD, millis, attempts, reason);
    }

    boolean dead() {
        return kind == QueuedMessage.State.DEAD;
    }

    ScheduleKey key(long id) {
        return new ScheduleKey(dueMillis, id);
    }

    /** {@return at least the octets that {@link #encode} puts} */
    int bytesMax() {
        return FIXED_BYTES + 3 * reason.length();
    }

    void encode(ByteBuffer out) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        out.put(kindCode(kind)).putLong(dueMillis).putInt(attempts);
        out.putInt(text.length).put(text);
    }

    /** Reads one; fails with an IllegalArgumentException or BufferUnderflowException. */
    static MessageState decode(ByteBuffer in) {
        QueuedMessage.State kind = kind(in.get());
        long dueMillis = in.getLong();
        int attempts = in.getInt();
        return new MessageState(kind, dueMillis, attempts, MessageRow.text(in));
    }

    private static byte kindCode(QueuedMessage.State kind) {
        return switch (kind) {
            case QUEUED -> 0;
            case DEFERRED -> 1;
            case DEAD -> 2;
        };
    }

    private static QueuedMessage.State kind(byte code) {
        return switch (code) {
            case 0 -> QueuedMessage.State.QUEUED;
            case 1 -> QueuedMessage.State.DEFERRED;
            case 2 -> QueuedMessage.State.DEAD;
            default -> throw new IllegalArgumentException("kind " + code);
        };
    }
}
