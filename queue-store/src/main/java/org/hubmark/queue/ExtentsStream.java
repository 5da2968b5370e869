package org.hubmark.queue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Reads a content extent by extent: one extent in memory. One thread. */
final class ExtentsStream extends InputStream {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final Source source;
    private final int extentCount;
    private ByteBuffer octets = NONE;
    private int nextExtent;

    /** Gives an extent, verified. */
    interface Source {
        ByteBuffer extent(int extent) throws IOException;
    }

    ExtentsStream(Source source, int extentCount) {
        this.source = source;
        this.extentCount = extentCount;
    }

    @Override
    public int read() throws IOException {
        return atEnd() ? -1 : octets.get() & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int lengthBytes) throws IOException {
        Objects.checkFromIndexSize(offset, lengthBytes, target.length);
        if (lengthBytes == 0) {
            return 0;
        }
        if (atEnd()) {
            return -1;
        }
        int copied = Math.min(lengthBytes, octets.remaining());
        octets.get(target, offset, copied);
        return copied;
    }

    private boolean atEnd() throws IOException {
        while (!octets.hasRemaining()) {
            if (nextExtent == extentCount) {
                return true;
            }
            // The one before is not kept meanwhile.
            octets = NONE;
            octets = source.extent(nextExtent);
            nextExtent++;
        }
        return false;
    }
}
