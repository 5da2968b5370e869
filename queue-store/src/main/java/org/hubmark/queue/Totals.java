package org.hubmark.queue;

import java.nio.ByteBuffer;

/**
 * The length of the queue, kept as one row that changes with every commit, so that opening a store
 * takes as long with a million messages as with none.
 *
 * @param messages messages in the queue, dead ones too
 * @param bytes their content
 * @param deadMessages dead letters among them
 * @param damagedMessages messages set aside among them
 * @param highestId the highest id ever committed, also when its message has left; -1 before the first
 */
record Totals(long messages, long bytes, long deadMessages, long damagedMessages, long highestId) {
    static final Totals EMPTY = new Totals(0, 0, 0, 0, -1);

    Totals came(long id, long sizeBytes, MessageState state) {
        return new Totals(
                messages + 1,
                bytes + sizeBytes,
                deadMessages + one(state, QueuedMessage.State.DEAD),
                damagedMessages + one(state, QueuedMessage.State.DAMAGED),
                Math.max(highestId, id));
    }

    Totals left(long sizeBytes, MessageState state) {
        return new Totals(
                messages - 1,
                bytes - sizeBytes,
                deadMessages - one(state, QueuedMessage.State.DEAD),
                damagedMessages - one(state, QueuedMessage.State.DAMAGED),
                highestId);
    }

    Totals changed(MessageState before, MessageState after) {
        return new Totals(
                messages,
                bytes,
                deadMessages
                        + one(after, QueuedMessage.State.DEAD)
                        - one(before, QueuedMessage.State.DEAD),
                damagedMessages
                        + one(after, QueuedMessage.State.DAMAGED)
                        - one(before, QueuedMessage.State.DAMAGED),
                highestId);
    }

    private static int one(MessageState state, QueuedMessage.State kind) {
        return state.kind() == kind ? 1 : 0;
    }

    /** {@return both together} */
    Totals plus(Totals other) {
        return new Totals(
                messages + other.messages,
                bytes + other.bytes,
                deadMessages + other.deadMessages,
                damagedMessages + other.damagedMessages,
                Math.max(highestId, other.highestId));
    }

    byte[] encode() {
        return ByteBuffer.allocate(5 * Long.BYTES)
                .putLong(messages)
                .putLong(bytes)
                .putLong(deadMessages)
                .putLong(highestId)
                .putLong(damagedMessages)
                .array();
    }

    static Totals decode(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        long messages = in.getLong();
        long bytes = in.getLong();
        long deadMessages = in.getLong();
        long highestId = in.getLong();
        // The row of a store that was made before lacks it.
        long damagedMessages = in.hasRemaining() ? in.getLong() : 0;
        return new Totals(messages, bytes, deadMessages, damagedMessages, highestId);
    }
}
