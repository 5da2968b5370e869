package org.hubmark.hub.audit;

import io.netty.buffer.ByteBuf;

import org.hubmark.core.QueueId;

import java.util.zip.CRC32;

/**
 * The length and CRC32 of a content, octet by octet as they come. Not CRC32C: the store's own checksum
 * would not see what it got wrong itself. One thread.
 */
public final class ContentSum {
    private final CRC32 crc = new CRC32();
    private long lengthBytes;

    /** {@return the sum of a whole content} */
    public static ContentSum of(byte[] content) {
        ContentSum sum = new ContentSum();
        sum.add(content, 0, content.length);
        return sum;
    }

    /** Adds octets of a buffer, which is left as it is. */
    public void add(ByteBuf octets, int from, int count) {
        crc.update(octets.nioBuffer(from, count));
        lengthBytes += count;
    }

    /** Adds octets. */
    public void add(byte[] octets, int from, int count) {
        crc.update(octets, from, count);
        lengthBytes += count;
    }

    /** {@return what was added, as the content of that message} */
    public AuditedContent of(QueueId id) {
        return new AuditedContent(id, lengthBytes, (int) crc.getValue());
    }
}
