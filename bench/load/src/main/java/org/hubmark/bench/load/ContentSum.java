package org.hubmark.bench.load;

import io.netty.buffer.ByteBuf;

import org.hubmark.core.QueueId;

import java.util.zip.CRC32;

/**
 * The length and CRC32 of a content, octet by octet as they come. Not CRC32C: the store's own checksum
 * would not see what it got wrong itself. One thread.
 */
final class ContentSum {
    private final CRC32 crc = new CRC32();
    private long lengthBytes;
    private boolean lineStart = true;

    /**
     * Adds octets, and leaves them as they are.
     *
     * @param stuffed whether a dot that begins a line was put there for the transport (RFC 5321 4.5.2)
     */
    void add(ByteBuf octets, boolean stuffed) {
        int from = octets.readerIndex();
        int end = octets.writerIndex();
        if (!stuffed) {
            update(octets, from, end);
            return;
        }
        while (from < end) {
            if (lineStart && octets.getByte(from) == '.') {
                from++;
            }
            int newline = octets.indexOf(from, end, (byte) '\n');
            int next = newline < 0 ? end : newline + 1;
            update(octets, from, next);
            lineStart = newline >= 0;
            from = next;
        }
    }

    private void update(ByteBuf octets, int from, int to) {
        crc.update(octets.nioBuffer(from, to - from));
        lengthBytes += to - from;
    }

    /** Adds octets. */
    void add(byte[] octets, int from, int count) {
        crc.update(octets, from, count);
        lengthBytes += count;
    }

    /** {@return what was added, as the content of that message} */
    AuditedContent of(QueueId id) {
        return new AuditedContent(id, lengthBytes, (int) crc.getValue());
    }
}
