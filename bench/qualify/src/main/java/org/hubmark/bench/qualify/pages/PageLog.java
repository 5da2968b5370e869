package org.hubmark.bench.qualify.pages;

import org.hubmark.bench.machine.volumes.DirectFiles;
import org.hubmark.bench.qualify.result.IoCounter;
import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The log of a store, in files of 1 MiB past the page cache. A place in it is told by its LSN, the octets
 * before it since the store was made. A record has its length, its check sum, its LSN and the number of
 * the opening in which it was written, so that none of an earlier life is taken for one of this. What is
 * appended is in memory until somebody syncs. Any thread; one at a time appends.
 */
final class PageLog implements Closeable {
    static final String SUFFIX = ".log";
    static final int FILE_BYTES = 1 << 20;

    private static final int BLOCK = DirectFiles.ALIGNMENT_BYTES;
    private static final int HEADER_BYTES = 2 * Integer.BYTES + Long.BYTES + Integer.BYTES;
    /** Files that are kept for what comes: as many as two checkpoints are apart, and some. */
    private static final int SPARE_MAX = 32;

    private final Path folder;
    private final FileOperations operations;
    private final int opening;
    private final Object syncing = new Object();
    private final Queue<Path> spare = new ConcurrentLinkedQueue<>();
    private ByteBuffer stage = ByteBuffer.allocate(FILE_BYTES);
    private long stageLsn;
    private volatile long nextLsn;
    private volatile long durableLsn;
    /** What of the last block is written already. */
    private byte[] begun;

    /** Memory from which it is written. */
    private ByteBuffer written = DirectFiles.buffer(FILE_BYTES);

    private @Nullable IOException failure;
    private @Nullable FileChannel file;
    private long fileNumber = -1;
    private long firstFile;

    /**
     * Goes on with a log.
     *
     * @param from where the next record goes
     * @param begun what stands in the block of that place before it
     */
    PageLog(Path folder, FileOperations operations, int opening, long from, byte[] begun)
            throws IOException {
        this.folder = folder;
        this.operations = operations;
        this.opening = opening;
        this.stageLsn = from;
        this.nextLsn = from;
        this.durableLsn = from;
        this.begun = begun;
        List<Long> files = files(folder);
        this.firstFile = files.isEmpty() ? from / FILE_BYTES : files.getFirst();
    }

    long nextLsn() {
        return nextLsn;
    }

    long durableLsn() {
        return durableLsn;
    }

    /** {@return octets in memory alone} */
    synchronized int waitingBytes() {
        return stage.position();
    }

    /** {@return where the record ends} */
    synchronized long append(ByteBuffer record) {
        int length = HEADER_BYTES + record.remaining();
        if (stage.remaining() < length) {
            stage = ByteBuffer.allocate(2 * (stage.position() + length)).put(stage.flip());
        }
        int at = stage.position();
        stage.putInt(length).putInt(0).putLong(nextLsn).putInt(opening).put(record);
        stage.putInt(at + Integer.BYTES, crc(stage, at, length));
        nextLsn += length;
        return nextLsn;
    }

    private static int crc(ByteBuffer from, int at, int length) {
        CRC32C crc = new CRC32C();
        crc.update(from.slice(at, Integer.BYTES));
        crc.update(from.slice(at + 2 * Integer.BYTES, length - 2 * Integer.BYTES));
        return (int) crc.getValue();
    }

    /** Returns when all before a place is durable. */
    void sync(long lsn) throws IOException {
        if (durableLsn >= lsn) {
            return;
        }
        synchronized (syncing) {
            // Another thread may have done it in the meantime.
            IOException its = failure;
            if (its != null) {
                throw new IOException(its.getMessage(), its);
            }
            if (durableLsn < lsn) {
                try {
                    writeAll();
                } catch (IOException e) {
                    failure = new IOException("the log in " + folder + ": " + e.getMessage(), e);
                    throw failure;
                }
            }
        }
    }

    private void writeAll() throws IOException {
        byte[] data;
        long from;
        synchronized (this) {
            from = stageLsn;
            data = new byte[stage.position()];
            stage.flip().get(data);
            stage.clear();
            stageLsn = nextLsn;
        }
        long at = from - begun.length;
        int length = begun.length + data.length;
        ByteBuffer blocks = blocks((length + BLOCK - 1) / BLOCK * BLOCK);
        blocks.put(begun).put(data);
        while (blocks.hasRemaining()) {
            blocks.put((byte) 0);
        }
        blocks.position(0);
        while (blocks.hasRemaining()) {
            int inFile = (int) (at % FILE_BYTES);
            int part = Math.min(blocks.remaining(), FILE_BYTES - inFile);
            FileChannel channel = file(at / FILE_BYTES);
            long began = System.nanoTime();
            PageFile.write(channel, blocks.slice(blocks.position(), part), inFile);
            channel.force(false);
            operations.add(IoCounter.LOG_WRITES, System.nanoTime() - began, part);
            blocks.position(blocks.position() + part);
            at += part;
        }
        byte[] all = new byte[length % BLOCK];
        blocks.get(length - all.length, all);
        begun = all;
        durableLsn = from + data.length;
    }

    private ByteBuffer blocks(int bytes) {
        if (written.capacity() < bytes) {
            written = DirectFiles.buffer(2 * bytes);
        }
        return written.clear().limit(bytes);
    }

    private FileChannel file(long number) throws IOException {
        FileChannel open = file;
        if (open != null && fileNumber == number) {
            return open;
        }
        if (open != null) {
            open.close();
        }
        Path path = path(folder, number);
        if (!Files.exists(path)) {
            Path old = spare.poll();
            if (old != null) {
                Files.move(old, path);
            } else {
                make(path);
            }
            try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
                names.force(true);
            }
        }
        open = DirectFiles.openForWriting(path);
        file = open;
        fileNumber = number;
        return open;
    }

    private void make(Path path) throws IOException {
        ByteBuffer zeros = DirectFiles.buffer(FILE_BYTES);
        try (FileChannel channel = DirectFiles.openForWriting(path)) {
            long began = System.nanoTime();
            PageFile.write(channel, zeros, 0);
            channel.force(true);
            operations.add(IoCounter.GROWTH_WRITES, System.nanoTime() - began, FILE_BYTES);
        }
    }

    /** Forgets what is before a place: its files are for what comes. */
    void forgetBefore(long lsn) throws IOException {
        while (firstFile < lsn / FILE_BYTES) {
            Path path = path(folder, firstFile++);
            if (spare.size() >= SPARE_MAX) {
                Files.deleteIfExists(path);
            } else if (Files.exists(path)) {
                spare.add(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (syncing) {
            if (file != null) {
                file.close();
            }
        }
    }

    static Path path(Path folder, long number) {
        return folder.resolve(String.format(Locale.ROOT, "%012d", number) + SUFFIX);
    }

    private static List<Long> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> Long.parseLong(name.substring(0, name.length() - SUFFIX.length())))
                    .sorted()
                    .toList();
        }
    }

    /** A record as it is read again. */
    record Entry(long endLsn, ByteBuffer content) {}

    /** Reads a log from a place to its end. One thread. */
    static final class Reader {
        private static final int READ_BYTES = 256 << 10;

        private final Path folder;
        private final FileOperations operations;
        private ByteBuffer data = ByteBuffer.allocate(4 * FILE_BYTES).limit(0);
        /** Of the first octet in the data. */
        private long dataLsn;

        private long readLsn;
        private int opening;

        Reader(Path folder, FileOperations operations, long from) {
            this.folder = folder;
            this.operations = operations;
            this.dataLsn = from / BLOCK * BLOCK;
            this.readLsn = dataLsn;
            this.from = from;
        }

        private long from;

        /** {@return where the next record begins: at the end the place for what comes} */
        long lsn() {
            return from;
        }

        /** {@return what stands in the last block before that place} */
        byte[] begun() throws IOException {
            byte[] begun = new byte[(int) (from % BLOCK)];
            if (begun.length > 0 && fill(from - begun.length, begun.length)) {
                data.get((int) (from - begun.length - dataLsn), begun);
            }
            return begun;
        }

        /** {@return the number of the last opening that is in it} */
        int opening() {
            return opening;
        }

        /** {@return the next record; null at the end of what was written whole} */
        @Nullable
        Entry next() throws IOException {
            if (!fill(from, HEADER_BYTES)) {
                return null;
            }
            int at = (int) (from - dataLsn);
            int length = data.getInt(at);
            if (length < HEADER_BYTES
                    || data.getLong(at + 2 * Integer.BYTES) != from
                    || !fill(from, length)) {
                return null;
            }
            at = (int) (from - dataLsn);
            int its = data.getInt(at + 2 * Integer.BYTES + Long.BYTES);
            if (data.getInt(at + Integer.BYTES) != crc(data, at, length) || its < opening) {
                return null;
            }
            opening = its;
            from += length;
            return new Entry(from, data.slice(at + HEADER_BYTES, length - HEADER_BYTES));
        }

        /** Sees to it that so many octets from a place are in memory. */
        private boolean fill(long lsn, int length) throws IOException {
            while (readLsn < lsn + length) {
                int inFile = (int) (readLsn % FILE_BYTES);
                int part = Math.min(READ_BYTES, FILE_BYTES - inFile);
                Path path = path(folder, readLsn / FILE_BYTES);
                if (length > 2 * FILE_BYTES || !Files.exists(path)) {
                    return false;
                }
                ByteBuffer read = DirectFiles.buffer(part);
                try (FileChannel channel = DirectFiles.openForReading(path)) {
                    long began = System.nanoTime();
                    while (read.hasRemaining()) {
                        if (channel.read(read, inFile + read.position()) < 0) {
                            return false;
                        }
                    }
                    operations.add(IoCounter.LOG_READS, System.nanoTime() - began, part);
                }
                add(read.flip(), lsn);
                readLsn += part;
            }
            return true;
        }

        private void add(ByteBuffer read, long needed) {
            if (data.capacity() - data.limit() < read.remaining()) {
                // A block before what is needed stays for the one who asks how it begins.
                int keep = (int) (Math.max(dataLsn, needed - BLOCK) - dataLsn);
                data = ByteBuffer.allocate(data.capacity())
                        .put(data.slice(keep, data.limit() - keep))
                        .flip();
                dataLsn += keep;
            }
            int end = data.limit();
            data.limit(end + read.remaining()).put(end, read, 0, read.remaining());
        }
    }
}
