package org.hubmark.bench.qualify.pages;

import org.hubmark.bench.machine.volumes.DirectFiles;
import org.hubmark.bench.qualify.result.IoCounter;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** The file of a store's pages, past the page cache. Any thread. */
final class PageFile implements Closeable {
    private static final int GROW_BYTES = 1 << 20;

    private final FileChannel channel;
    private final FileOperations operations;
    private final Path path;
    private final ByteBuffer zeros = DirectFiles.buffer(GROW_BYTES);
    private long bytes;

    PageFile(Path path, FileOperations operations) throws IOException {
        this.path = path;
        this.operations = operations;
        this.channel = DirectFiles.openForWriting(path);
        this.bytes = channel.size();
    }

    /** Reads pages side by side into memory that is aligned and has room for them. */
    void read(long page, ByteBuffer into) throws IOException {
        long at = page * Page.BYTES;
        int length = into.remaining();
        long began = System.nanoTime();
        while (into.hasRemaining()) {
            if (channel.read(into, at + length - into.remaining()) < 0) {
                throw new EOFException(path + " ends before page " + page);
            }
        }
        operations.add(IoCounter.DB_READS, System.nanoTime() - began, length);
    }

    /** Writes pages side by side from memory that is aligned. */
    void write(long page, ByteBuffer from) throws IOException {
        long at = page * Page.BYTES;
        int length = from.remaining();
        long began = System.nanoTime();
        write(from, at);
        operations.add(IoCounter.DB_WRITES, System.nanoTime() - began, length);
    }

    /** Sees to it that a page has its place in the file, so that to write it moves nothing else. */
    synchronized void require(long page) throws IOException {
        while (bytes < (page + 1) * Page.BYTES) {
            write(zeros.clear(), bytes);
            bytes += GROW_BYTES;
        }
    }

    private void write(ByteBuffer from, long at) throws IOException {
        try {
            DirectFiles.write(channel, from, at);
        } catch (IOException e) {
            throw new IOException(path + ": " + e.getMessage(), e);
        }
    }

    void force() throws IOException {
        channel.force(false);
    }

    @Override
    public String toString() {
        return path.toString();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
