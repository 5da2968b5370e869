package org.hubmark.queue.log;

import java.nio.ByteBuffer;

/**
 * The layout of what stands before each record's payload. Not an object: the committer writes and
 * the scan reads one for each record.
 *
 * <pre>
 *  offset bytes field
 *       0     4 CRC32C of the rest of the header and of the payload's head
 *       4     4 bytes of the payload
 *       8     8 generation of the segment
 *      16     8 sequence
 *      24     8 message id
 *      32     1 type
 *      33     3 zero
 *      36     4 bytes of the payload's head, which is what isn't content
 *      40     4 CRC32C of the content
 *      44     4 bytes of the content that lie in the body, from its first on
 * </pre>
 *
 * Two checksums, so that an envelope can be read and verified without its content, and so that the
 * content's goes with it to the queue database.
 */
public final class RecordHeader {
    public static final int BYTES = 48;
    public static final int CHECKSUM_BYTES = Integer.BYTES;

    private RecordHeader() {}

    static void encode(
            ByteBuffer buffer,
            int index,
            RecordType type,
            long id,
            long generation,
            long sequence,
            int headBytes,
            int contentBytes,
            int bodyBytes,
            int contentChecksum) {
        buffer.putInt(index + 4, headBytes + contentBytes)
                .putLong(index + 8, generation)
                .putLong(index + 16, sequence)
                .putLong(index + 24, id)
                .putInt(index + 32, type.code() << 24)
                .putInt(index + 36, headBytes)
                .putInt(index + 40, contentChecksum)
                .putInt(index + 44, bodyBytes);
    }

    static void setChecksum(ByteBuffer buffer, int index, int checksum) {
        buffer.putInt(index, checksum);
    }

    static int checksum(ByteBuffer buffer, int index) {
        return buffer.getInt(index);
    }

    static int payloadBytes(ByteBuffer buffer, int index) {
        return buffer.getInt(index + 4);
    }

    static long generation(ByteBuffer buffer, int index) {
        return buffer.getLong(index + 8);
    }

    static long sequence(ByteBuffer buffer, int index) {
        return buffer.getLong(index + 16);
    }

    static long id(ByteBuffer buffer, int index) {
        return buffer.getLong(index + 24);
    }

    static int typeCode(ByteBuffer buffer, int index) {
        return buffer.get(index + 32);
    }

    static int headBytes(ByteBuffer buffer, int index) {
        return buffer.getInt(index + 36);
    }

    static int contentChecksum(ByteBuffer buffer, int index) {
        return buffer.getInt(index + 40);
    }

    static int bodyBytes(ByteBuffer buffer, int index) {
        return buffer.getInt(index + 44);
    }
}
