package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Header before the records of one group.
 *
 * <pre>
 *  offset bytes field
 *       0     4 CRC32C of the 60 bytes that follow
 *       4     4 magic "HMGR"
 *       8     8 first half of the store id
 *      16     8 generation of the segment
 *      24     8 sequence of the first record
 *      32     8 synced through
 *      40     4 bytes of the front with this header, without the padding
 *      44     4 bytes of the bodies
 *      48     4 records in the group
 *      52    12 zero
 * </pre>
 *
 * The store id keeps mail that quotes a log from looking like one.
 *
 * @param generation that of the segment when this was written; a recycled file holds older ones
 * @param firstSequence of its first record
 * @param syncedThrough the highest sequence known to be synced when this was written: damage at or
 *     below it is corruption, not a torn tail
 * @param frontBytes with this header, without the padding
 * @param bodyBytes behind the padded front, a multiple of the page
 * @param recordCount at least one
 */
public record GroupHeader(
        long generation,
        long firstSequence,
        long syncedThrough,
        int frontBytes,
        int bodyBytes,
        int recordCount) {
    static final int BYTES = 64;
    private static final int MAGIC = 0x484d4752;

    /** Writes it at an index of the buffer. */
    void encode(ByteBuffer buffer, int index, UUID storeId) {
        buffer.putInt(index + 4, MAGIC)
                .putLong(index + 8, storeId.getMostSignificantBits())
                .putLong(index + 16, generation)
                .putLong(index + 24, firstSequence)
                .putLong(index + 32, syncedThrough)
                .putInt(index + 40, frontBytes)
                .putInt(index + 44, bodyBytes)
                .putInt(index + 48, recordCount)
                .putInt(index + 52, 0)
                .putLong(index + 56, 0);
        buffer.putInt(index, checksum(buffer, index));
    }

    /** {@return the header at an index of the buffer, or null when there is none of this segment} */
    static @Nullable GroupHeader decode(
            ByteBuffer buffer, int index, UUID storeId, long generation) {
        if (buffer.getInt(index + 4) != MAGIC
                || buffer.getLong(index + 8) != storeId.getMostSignificantBits()
                || buffer.getLong(index + 16) != generation
                || buffer.getInt(index) != checksum(buffer, index)) {
            return null;
        }
        return new GroupHeader(
                generation,
                buffer.getLong(index + 24),
                buffer.getLong(index + 32),
                buffer.getInt(index + 40),
                buffer.getInt(index + 44),
                buffer.getInt(index + 48));
    }

    /** {@return the bytes of all the group, or -1 when the header makes no sense} */
    long groupBytes() {
        return frontBytes < BYTES || bodyBytes < 0 || bodyBytes % LogFormat.PAGE_BYTES != 0
                ? -1
                : LogFormat.paddedBytes(frontBytes) + bodyBytes;
    }

    private static int checksum(ByteBuffer buffer, int index) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().limit(index + BYTES).position(index + Integer.BYTES));
        return (int) crc.getValue();
    }
}
