package org.hubmark.queue.table;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Index entry of one extent of a content.
 *
 * @param lengthBytes its octets, one extent's limit at most
 * @param crc32c the CRC32C (RFC 3720 B.4) of its octets
 */
public record ContentExtent(int lengthBytes, int crc32c) {
    /** Describes the octets between position and limit, which stay where they are. */
    public static ContentExtent of(ByteBuffer octets) {
        CRC32C checksum = new CRC32C();
        checksum.update(octets.duplicate());
        return new ContentExtent(octets.remaining(), (int) checksum.getValue());
    }

    /** {@return whether these are the octets described} */
    boolean matches(byte[] octets) {
        return equals(of(ByteBuffer.wrap(octets)));
    }
}
