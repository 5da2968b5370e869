package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;

/** Type of a record of the intake log: the change of one message. */
public enum RecordType {
    /** The message is ours. Head: envelope, count and size of extents; content: what is no extent. */
    ENQUEUE,
    /** An extent of a message whose end has not come. Head: extent number; content: the extent. */
    EXTENT,
    /** The end of a message with extents will not come. */
    ABANDON,
    /** The message has left. */
    ACKNOWLEDGE,
    /** To be tried again. Head: due time, attempts, reason. */
    DEFER,
    /** No further attempt. Head: when, attempts, reason. */
    DEAD_LETTER,
    /** An operator asked for another attempt. Head: due time. */
    RETRY,
    /** It can't be read or delivered. Head: when, attempts, reason. */
    SET_ASIDE;

    private static final RecordType[] BY_CODE = values();

    /** {@return the number that stands in the record} A new type comes behind the others. */
    int code() {
        return ordinal() + 1;
    }

    static @Nullable RecordType of(int code) {
        return code >= 1 && code <= BY_CODE.length ? BY_CODE[code - 1] : null;
    }
}
