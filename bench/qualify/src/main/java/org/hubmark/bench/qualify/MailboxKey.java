package org.hubmark.bench.qualify;

import java.nio.ByteBuffer;

/** The key of a row or a content: folder and number of the message, big-endian, so that they sort by both. */
final class MailboxKey {
    private static final int FOLDER_BITS = 16;
    private static final int MESSAGE_BITS = Long.SIZE - FOLDER_BITS;
    private static final int BYTES = Integer.BYTES + Long.BYTES;

    private MailboxKey() {}

    static byte[] of(int folder, long message) {
        return ByteBuffer.allocate(BYTES).putInt(folder).putLong(message).array();
    }

    static int folder(byte[] key) {
        return ByteBuffer.wrap(key).getInt();
    }

    static long message(byte[] key) {
        return ByteBuffer.wrap(key).getLong(Integer.BYTES);
    }

    /**
     * {@return a key as a number that sorts as the key does} Folders and messages are much fewer than the
     * key has room for.
     *
     * @param length that counts; what a shortened key has not is 0
     */
    static long packed(byte[] key, int length) {
        long folder = 0;
        long message = 0;
        for (int i = 0; i < BYTES; i++) {
            long octet = i < length ? key[i] & 0xff : 0;
            if (i < Integer.BYTES) {
                folder = folder << Byte.SIZE | octet;
            } else {
                message = message << Byte.SIZE | octet;
            }
        }
        long foldersMax = (1L << (FOLDER_BITS - 1)) - 1;
        long messagesMax = (1L << MESSAGE_BITS) - 1;
        return folder > foldersMax
                ? Long.MAX_VALUE
                : folder << MESSAGE_BITS
                        | (message < 0 || message > messagesMax ? messagesMax : message);
    }

    static long packed(byte[] key) {
        return packed(key, key.length);
    }
}
