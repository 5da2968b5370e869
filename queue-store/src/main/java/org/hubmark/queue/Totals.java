package org.hubmark.queue;

import java.nio.ByteBuffer;

/**
 * The length of the queue, kept as one row that changes with every commit, so that opening a store
 * takes as long with a million messages as with none.
 *
 * @param messages messages in the queue, dead ones too
 * @param bytes their content
 * @param deadMessages dead letters among them
 * @param highestId the highest id ever committed, also when its message has left; -1 before the first
 */
record Totals(long messages, long bytes, long deadMessages, long highestId) {
    static final Totals EMPTY = new Totals(0, 0, 0, -1);

    Totals came(long id, long sizeBytes, MessageState state) {
        return new Totals(
                messages + 1,
                bytes + sizeBytes,
                state.dead() ? deadMessages + 1 : deadMessages,
                Math.max(highestId, id));
    }

    Totals left(long sizeBytes, MessageState state) {
        return new Totals(
                messages - 1,
                bytes - sizeBytes,
                state.dead() ? deadMessages - 1 : deadMessages,
                highestId);
    }

    Totals changed(MessageState before, MessageState after) {
        int died = (after.dead() ? 1 : 0) - (before.dead() ? 1 : 0);
        return new Totals(messages, bytes, deadMessages + died, highestId);
    }

    /** {@return both together} */
    Totals plus(Totals other) {
        return new Totals(
                messages + other.messages,
                bytes + other.bytes,
                deadMessages + other.deadMessages,
                Math.max(highestId, other.highestId));
    }

    byte[] encode() {
        return ByteBuffer.allocate(4 * Long.BYTES)
                .putLong(messages)
                .putLong(bytes)
                .putLong(deadMessages)
                .putLong(highestId)
                .array();
    }

    static Totals decode(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        return new Totals(in.getLong(), in.getLong(), in.getLong(), in.getLong());
    }
}
