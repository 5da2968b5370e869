package org.hubmark.queue.table;

import java.nio.ByteBuffer;

/**
 * The place of a message in its lane of the schedule: the longest due first, then the oldest id.
 *
 * @param dueMillis when it is due, in milliseconds since the epoch
 * @param id the queue id's value
 */
public record ScheduleKey(long dueMillis, long id) implements Comparable<ScheduleKey> {
    // Octets are compared unsigned; a clock may be set before the epoch.
    private static final long SIGN = Long.MIN_VALUE;

    /** Before every message. */
    public static final ScheduleKey START = new ScheduleKey(Long.MIN_VALUE, 0);

    /** Before every message that waits for a time, and after those that are due at once. */
    static final ScheduleKey FIRST_TIMED = new ScheduleKey(MessageState.AT_ONCE + 1, 0);

    /** After every message. */
    public static final ScheduleKey END = new ScheduleKey(Long.MAX_VALUE, Long.MAX_VALUE);

    @Override
    public int compareTo(ScheduleKey other) {
        int byDue = Long.compare(dueMillis, other.dueMillis);
        return byDue != 0 ? byDue : Long.compare(id, other.id);
    }

    /** {@return the key in 16 octets that sort like it} */
    byte[] encode() {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(dueMillis ^ SIGN)
                .putLong(id)
                .array();
    }

    static ScheduleKey decode(byte[] octets) {
        ByteBuffer in = ByteBuffer.wrap(octets);
        return new ScheduleKey(in.getLong() ^ SIGN, in.getLong());
    }
}
