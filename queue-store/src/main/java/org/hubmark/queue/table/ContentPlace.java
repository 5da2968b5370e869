package org.hubmark.queue.table;

import org.hubmark.core.StoreException;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Place of an extent of a content on the queue volume.
 *
 * <p>Its form, big-endian: number of the content file (8 octets), offset (4), length (4), CRC32C
 * (4).
 *
 * @param file number of the content file
 * @param offset of its first octet in it
 * @param extent its length and checksum
 */
public record ContentPlace(long file, int offset, ContentExtent extent) {
    private static final int BYTES = Long.BYTES + 3 * Integer.BYTES;

    /** {@return its form} */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(file)
                .putInt(offset)
                .putInt(extent.lengthBytes())
                .putInt(extent.crc32c())
                .array();
    }

    /**
     * Reads a place.
     *
     * @throws StoreException if it isn't one
     */
    public static ContentPlace decode(byte[] encoded) throws StoreException {
        try {
            ByteBuffer in = ByteBuffer.wrap(encoded);
            long file = in.getLong();
            int offset = in.getInt();
            ContentExtent extent = new ContentExtent(in.getInt(), in.getInt());
            if (in.hasRemaining() || offset < 0 || extent.lengthBytes() < 0) {
                throw new IllegalArgumentException("offset " + offset + ", " + extent);
            }
            return new ContentPlace(file, offset, extent);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new StoreException("the place of a content is damaged: " + e.getMessage(), e);
        }
    }
}
