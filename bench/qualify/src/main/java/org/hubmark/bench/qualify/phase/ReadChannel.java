package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.machine.volumes.DirectFiles;
import org.hubmark.bench.qualify.pages.FileOperations;
import org.hubmark.bench.qualify.result.IoCounter;

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
    private final FileOperations operations;
    private final IoCounter operation;
    private long position;

    /** Opens a file, whose reads are counted as operations of a kind. */
    ReadChannel(Path file, FileOperations operations, IoCounter operation) throws IOException {
        this.channel = DirectFiles.openForReading(file);
        this.operations = operations;
        this.operation = operation;
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

    /** {@return the next part, valid until the next call; empty at the end} */
    ByteBuffer next() throws IOException {
        ByteBuffer part = read(position, READ_BYTES);
        position += part.remaining();
        return part;
    }

    /** Reads to the end, or until the thread is interrupted. */
    void readAll() throws IOException {
        while (!Thread.currentThread().isInterrupted() && next().hasRemaining()) {
            // Read is all that is wanted.
        }
    }

    /**
     * {@return octets, valid until the next call} A direct read begins and ends at a multiple of a block; at the
     * end of the file it is shorter.
     */
    ByteBuffer read(long from, int length) throws IOException {
        buffer.clear().limit(length);
        long beganNanos = System.nanoTime();
        int read = from >= bytes ? 0 : Math.max(0, channel.read(buffer, from));
        if (read > 0) {
            operations.add(operation, System.nanoTime() - beganNanos, read);
        } else if (from < bytes) {
            throw new EOFException("shorter than it was");
        }
        return buffer.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
