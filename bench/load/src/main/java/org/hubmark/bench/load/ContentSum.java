package org.hubmark.bench.load;

import io.netty.buffer.ByteBuf;

import org.hubmark.core.QueueId;

import java.nio.ByteBuffer;
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
        // One view of all: the event loop of a driver does this for each message that is compared.
        ByteBuffer view = octets.nioBuffer();
        int begin = octets.readerIndex();
        int end = octets.writerIndex();
        int from = begin;
        for (int line = begin; stuffed && line < end; ) {
            if (lineStart && octets.getByte(line) == '.') {
                update(view, from - begin, line - begin);
                from = line + 1;
            }
            int newline = octets.indexOf(line, end, (byte) '\n');
            lineStart = newline >= 0;
            line = newline < 0 ? end : newline + 1;
        }
        update(view, from - begin, end - begin);
    }

    private void update(ByteBuffer view, int from, int to) {
        crc.update(view.limit(to).position(from));
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
