package org.hubmark.queue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What changes of a message while it is in the queue; the head of a record that changes it.
 *
 * <p>Its form, big-endian: state (1 octet), due in milliseconds (8), attempts (4), octets of the
 * reason (4), the reason in UTF-8.
 *
 * @param state what is to become of the message
 * @param dueMillis when it is due; for a dead letter, when it died
 * @param attempts how many attempts were made
 * @param reason the last outcome that wasn't a delivery, or empty
 */
record Standing(QueuedMessage.State state, long dueMillis, int attempts, String reason) {
    private static final int FIXED_BYTES = 1 + Long.BYTES + 2 * Integer.BYTES;

    /** Reasons are cut off there, so that a record of one has a bound. */
    private static final int REASON_CHARACTERS_MAX = 4096;

    /** Cuts off the reason. */
    Standing {
        if (reason.length() > REASON_CHARACTERS_MAX) {
            reason = reason.substring(0, REASON_CHARACTERS_MAX);
        }
    }

    /** {@return of a message that has just come} */
    static Standing fresh(long dueMillis) {
        return new Standing(QueuedMessage.State.QUEUED, dueMillis, 0, "");
    }

    /** {@return to be tried again at that time} */
    static Standing due(long dueMillis, int attempts, String reason) {
        return new Standing(
                attempts == 0 ? QueuedMessage.State.QUEUED : QueuedMessage.State.DEFERRED,
                dueMillis,
                attempts,
                reason);
    }

    /** {@return dead since then} */
    static Standing dead(long millis, int attempts, String reason) {
        return new Standing(QueuedMessage.State.DEAD, millis, attempts, reason);
    }

    boolean dead() {
        return state == QueuedMessage.State.DEAD;
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
        out.put(MessageRow.stateCode(state)).putLong(dueMillis).putInt(attempts);
        out.putInt(text.length).put(text);
    }

    /** Reads one; fails with an IllegalArgumentException or BufferUnderflowException. */
    static Standing decode(ByteBuffer in) {
        QueuedMessage.State state = MessageRow.state(in.get());
        long dueMillis = in.getLong();
        int attempts = in.getInt();
        return new Standing(state, dueMillis, attempts, MessageRow.text(in));
    }
}
