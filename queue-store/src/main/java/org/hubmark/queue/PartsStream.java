package org.hubmark.queue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Reads a content part by part: one part in memory. One thread. */
final class PartsStream extends InputStream {
    private final Source source;
    private final int partCount;
    private ByteBuffer octets = ByteBuffer.allocate(0);
    private int nextPart;

    /** Gives a part, verified. */
    interface Source {
        ByteBuffer part(int part) throws IOException;
    }

    PartsStream(Source source, int partCount) {
        this.source = source;
        this.partCount = partCount;
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

    @Override
    public int available() {
        return octets.remaining();
    }

    private boolean atEnd() throws IOException {
        while (!octets.hasRemaining()) {
            if (nextPart == partCount) {
                return true;
            }
            octets = source.part(nextPart);
            nextPart++;
        }
        return false;
    }
}
