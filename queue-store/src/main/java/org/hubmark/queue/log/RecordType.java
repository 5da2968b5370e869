package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;

/** Type of a record of the intake log: the change of one message. */
public enum RecordType {
    /** The message is ours. Head: envelope, count and size of extents; content: what is no extent. */
    ENQUEUE(1),
    /** An extent of a message whose end has not come. Head: extent number; content: the extent. */
    EXTENT(2),
    /** The end of a message with extents will not come. */
    ABANDON(3),
    /** The message has left. */
    ACKNOWLEDGE(4),
    /** To be tried again. Head: due time, attempts, reason. */
    DEFER(5),
    /** No further attempt. Head: when, attempts, reason. */
    DEAD_LETTER(6),
    /** An operator asked for another attempt. Head: due time. */
    RETRY(7),
    /** It can't be read or delivered. Head: when, attempts, reason. */
    SET_ASIDE(8);

    private static final RecordType[] BY_CODE = values();

    private final int code;

    RecordType(int code) {
        this.code = code;
    }

    /** {@return the number that stands in the record} */
    int code() {
        return code;
    }

    static @Nullable RecordType of(int code) {
        return code >= 1 && code <= BY_CODE.length ? BY_CODE[code - 1] : null;
    }
}
