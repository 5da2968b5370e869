package org.hubmark.queue;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Where a part of a content lies on the queue volume.
 *
 * <p>Its form, big-endian: number of the content file (8 octets), offset (4), length (4), CRC32C
 * (4).
 *
 * @param file number of the content file
 * @param offset of its first octet in it
 * @param part its length and checksum
 */
record ContentPlace(long file, int offset, ContentPart part) {
    private static final int BYTES = Long.BYTES + 3 * Integer.BYTES;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(file)
                .putInt(offset)
                .putInt(part.lengthBytes())
                .putInt(part.crc32c())
                .array();
    }

    /**
     * Reads a place.
     *
     * @throws StoreException if it isn't one
     */
    static ContentPlace decode(byte[] encoded) throws StoreException {
        try {
            ByteBuffer in = ByteBuffer.wrap(encoded);
            long file = in.getLong();
            int offset = in.getInt();
            ContentPart part = new ContentPart(in.getInt(), in.getInt());
            if (in.hasRemaining() || offset < 0 || part.lengthBytes() < 0) {
                throw new IllegalArgumentException("offset " + offset + ", " + part);
            }
            return new ContentPlace(file, offset, part);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new StoreException("the place of a content is damaged: " + e.getMessage(), e);
        }
    }
}
