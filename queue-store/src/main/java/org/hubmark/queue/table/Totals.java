package org.hubmark.queue.table;

import org.hubmark.core.QueuedMessage;
import org.hubmark.core.StoreException;

import java.nio.ByteBuffer;

/**
 * The length of the queue, kept as one row that changes with every commit, so that opening a store
 * takes as long with a million messages as with none.
 *
 * @param messages messages in the queue, dead ones too
 * @param bytes their content
 * @param deadMessages dead letters among them
 * @param deadBytes their content
 * @param damagedMessages messages set aside among them
 * @param highestId the highest id ever committed, also when its message has left; -1 before the first
 */
public record Totals(
        long messages,
        long bytes,
        long deadMessages,
        long deadBytes,
        long damagedMessages,
        long highestId) {
    /** Totals of no messages. */
    public static final Totals EMPTY = new Totals(0, 0, 0, 0, 0, -1);

    private static final int BYTES = 6 * Long.BYTES;

    /** {@return these and a message more} */
    public Totals came(long id, long sizeBytes, MessageState state) {
        return with(1, id, sizeBytes, state);
    }

    Totals left(long sizeBytes, MessageState state) {
        return with(-1, highestId, sizeBytes, state);
    }

    Totals changed(long sizeBytes, MessageState before, MessageState after) {
        return left(sizeBytes, before).came(highestId, sizeBytes, after);
    }

    private Totals with(long count, long id, long sizeBytes, MessageState state) {
        long dead = state.kind().isDead() ? count : 0;
        return new Totals(
                messages + count,
                bytes + count * sizeBytes,
                deadMessages + dead,
                deadBytes + dead * sizeBytes,
                damagedMessages + (state.kind() == QueuedMessage.State.DAMAGED ? count : 0),
                Math.max(highestId, id));
    }

    /** {@return whether these count the same, whatever the highest id is} */
    public boolean isLike(Totals other) {
        return new Totals(
                        messages, bytes, deadMessages, deadBytes, damagedMessages, other.highestId)
                .equals(other);
    }

    /** {@return both together} */
    Totals plus(Totals other) {
        return new Totals(
                messages + other.messages,
                bytes + other.bytes,
                deadMessages + other.deadMessages,
                deadBytes + other.deadBytes,
                damagedMessages + other.damagedMessages,
                Math.max(highestId, other.highestId));
    }

    /** {@return the form of a row} */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(messages)
                .putLong(bytes)
                .putLong(deadMessages)
                .putLong(highestId)
                .putLong(damagedMessages)
                .putLong(deadBytes)
                .array();
    }

    /**
     * Reads a row.
     *
     * @throws StoreException if it isn't one
     */
    public static Totals decode(byte[] row) throws StoreException {
        if (row.length != BYTES) {
            throw new StoreException("the totals of the queue database have " + row.length
                    + " octets instead of " + BYTES + "; restore the queue volume from a copy");
        }
        ByteBuffer in = ByteBuffer.wrap(row);
        return new Totals(
                in.getLong(0),
                in.getLong(8),
                in.getLong(16),
                in.getLong(40),
                in.getLong(32),
                in.getLong(24));
    }
}
