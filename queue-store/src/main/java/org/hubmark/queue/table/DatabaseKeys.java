package org.hubmark.queue.table;

import java.nio.ByteBuffer;

/**
 * The keys of the queue database, as {@code docs/data-format.md} lists them. Numbers are big-endian,
 * so that they sort as such.
 */
final class DatabaseKeys {
    static final byte[] TOTALS = {'t'};
    static final byte[] REPLAY_FROM = {'r'};
    static final byte[] MOVING = {'m'};
    static final byte[] CHECKPOINT = {'c'};
    static final byte INCOMPLETE = 'i';
    static final byte CONTENT_FILE = 'f';

    private DatabaseKeys() {}

    /** {@return that of a message's row; also the form of any number} */
    static byte[] id(long id) {
        return ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    }

    static byte[] extent(long id, int extent) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(id)
                .putInt(extent)
                .array();
    }

    static byte[] incomplete(long id) {
        return mark(INCOMPLETE, id);
    }

    static byte[] contentFile(long number) {
        return mark(CONTENT_FILE, number);
    }

    private static byte[] mark(byte kind, long number) {
        return ByteBuffer.allocate(1 + Long.BYTES).put(kind).putLong(number).array();
    }
}
