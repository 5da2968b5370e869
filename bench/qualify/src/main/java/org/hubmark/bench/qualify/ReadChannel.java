package org.hubmark.bench.qualify;

import org.hubmark.bench.machine.volumes.DirectFiles;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Reads a file from one end to the other past the page cache, 256 KiB at a time as backup and
 * maintenance of the source do, and times each read. One thread.
 */
final class ReadChannel implements Closeable {
    static final int READ_BYTES = 256 << 10;

    private final FileChannel channel;
    private final long bytes;
    private final ByteBuffer buffer = DirectFiles.buffer(READ_BYTES);
    private final ReadCounter counter;
    private long position;

    /** Gets each read. */
    @FunctionalInterface
    interface ReadCounter {
        void read(long nanos, long bytes);
    }

    ReadChannel(Path file, ReadCounter counter) throws IOException {
        this.channel = DirectFiles.openForReading(file);
        this.counter = counter;
        try {
            this.bytes = channel.size();
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** {@return its length} */
    long bytes() {
        return bytes;
    }

    /** {@return where the next read begins} */
    long position() {
        return position;
    }

    /** {@return the next part, valid until the next call; empty at the end} */
    ByteBuffer next() throws IOException {
        ByteBuffer part = read(position, READ_BYTES);
        position += part.remaining();
        return part;
    }

    /** A direct read begins and ends at a multiple of a block; at the end of the file it is shorter. */
    private ByteBuffer read(long from, int length) throws IOException {
        buffer.clear().limit(length);
        long beganNanos = System.nanoTime();
        int read = from >= bytes ? 0 : Math.max(0, channel.read(buffer, from));
        if (read > 0) {
            counter.read(System.nanoTime() - beganNanos, read);
        } else if (from < bytes) {
            throw new EOFException("shorter than it was");
        }
        return buffer.flip();
    }

    /** {@return octets from anywhere, in memory of their own} */
    ByteBuffer part(long offset, int length) throws IOException {
        if (offset < 0 || length < 0 || offset + length > bytes) {
            throw new IllegalArgumentException("beyond the file");
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        long at = offset - offset % DirectFiles.ALIGNMENT_BYTES;
        while (all.hasRemaining()) {
            ByteBuffer read = read(at, READ_BYTES);
            int skip = (int) Math.max(0, offset - at);
            at += read.remaining();
            read.position(skip);
            read.limit(Math.min(read.limit(), skip + all.remaining()));
            all.put(read);
        }
        return all.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
