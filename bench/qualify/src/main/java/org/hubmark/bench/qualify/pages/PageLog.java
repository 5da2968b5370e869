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
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The log of a store, in files of 1 MiB past the page cache. A place in it is told by its LSN, the octets
 * before it since the store was made. A record has its length, its check sum, its LSN and the number of
 * the opening in which it was written, so that none of an earlier life is taken for one of this. What is
 * appended is in memory until somebody syncs; what is synced together begins with a block. Any thread; one
 * at a time appends.
 */
final class PageLog implements Closeable {
    static final String SUFFIX = ".log";
    static final int FILE_BYTES = 1 << 20;

    private static final int BLOCK = DirectFiles.ALIGNMENT_BYTES;
    private static final int HEADER_BYTES = 2 * Integer.BYTES + Long.BYTES + Integer.BYTES;
    private static final int RECORD_BYTES_MAX = 4 * FILE_BYTES;
    /** Files that are kept for what comes: as many as two checkpoints are apart, and some. */
    private static final int SPARE_MAX = 32;

    private final Path folder;
    private final FileOperations operations;
    private final int opening;
    private final Object syncing = new Object();
    private final Queue<Path> spare = new ConcurrentLinkedQueue<>();
    private ByteBuffer stage = ByteBuffer.allocate(FILE_BYTES);
    private volatile long nextLsn;
    private volatile long durableLsn;

    /** Memory from which it is written. */
    private ByteBuffer written = DirectFiles.buffer(FILE_BYTES);

    private @Nullable IOException failure;
    private @Nullable FileChannel file;
    private long fileNumber = -1;
    private long firstFile;

    /**
     * Goes on with a log.
     *
     * @param end of its last record
     */
    PageLog(Path folder, FileOperations operations, int opening, long end) throws IOException {
        this.folder = folder;
        this.operations = operations;
        this.opening = opening;
        this.nextLsn = nextBlock(end);
        this.durableLsn = nextLsn;
        this.firstFile = nextLsn / FILE_BYTES;
        try (Stream<Path> files = Files.list(folder)) {
            files.map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> Long.parseLong(name.substring(0, name.length() - SUFFIX.length())))
                    .forEach(number -> firstFile = Math.min(firstFile, number));
        }
    }

    private static long nextBlock(long lsn) {
        return (lsn + BLOCK - 1) / BLOCK * BLOCK;
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
        stage.putInt(at + Integer.BYTES, crc(stage.slice(at, length)));
        nextLsn += length;
        return nextLsn;
    }

    private static int crc(ByteBuffer record) {
        CRC32C crc = new CRC32C();
        crc.update(record.slice(0, Integer.BYTES));
        crc.update(record.slice(2 * Integer.BYTES, record.limit() - 2 * Integer.BYTES));
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
        long at = durableLsn;
        long end;
        synchronized (this) {
            end = nextBlock(nextLsn);
            int length = (int) (end - at);
            if (written.capacity() < length) {
                written = DirectFiles.buffer(2 * length);
            }
            written.clear().put(stage.flip());
            while (written.position() < length) {
                written.put((byte) 0);
            }
            stage.clear();
            nextLsn = end;
        }
        written.flip();
        while (written.hasRemaining()) {
            int inFile = (int) (at % FILE_BYTES);
            int part = Math.min(written.remaining(), FILE_BYTES - inFile);
            FileChannel channel = file(at / FILE_BYTES);
            long began = System.nanoTime();
            DirectFiles.write(channel, written.slice(written.position(), part), inFile);
            channel.force(false);
            operations.add(IoCounter.LOG_WRITES, System.nanoTime() - began, part);
            written.position(written.position() + part);
            at += part;
        }
        durableLsn = end;
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
        // A crash may have left one that was not made to its end, and has no record.
        if (!Files.exists(path) || Files.size(path) < FILE_BYTES) {
            Path old = spare.poll();
            if (old != null) {
                Files.move(old, path, StandardCopyOption.REPLACE_EXISTING);
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

    private static void make(Path path) throws IOException {
        ByteBuffer zeros = DirectFiles.buffer(FILE_BYTES);
        try (FileChannel channel = DirectFiles.openForWriting(path)) {
            DirectFiles.write(channel, zeros, 0);
            channel.force(true);
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

    private static Path path(Path folder, long number) {
        return folder.resolve(String.format(Locale.ROOT, "%012d", number) + SUFFIX);
    }

    /** Reads a log from a place to its end. One thread. */
    static final class Reader {
        private static final int READ_BYTES = 256 << 10;

        private final Path folder;
        private final FileOperations operations;
        private long lsn;
        private int opening;
        private long fileNumber = -1;
        private final ByteBuffer file = DirectFiles.buffer(FILE_BYTES);

        Reader(Path folder, FileOperations operations, long from) {
            this.folder = folder;
            this.operations = operations;
            this.lsn = from;
        }

        /** {@return where the last record ends} */
        long lsn() {
            return lsn;
        }

        /** {@return the number of the last opening that is in it} */
        int opening() {
            return opening;
        }

        /** {@return the content of the next record; null at the end of what was written whole} */
        @Nullable
        ByteBuffer next() throws IOException {
            ByteBuffer record = record(lsn);
            // The next may have been synced by itself.
            long from = record == null ? nextBlock(lsn) : lsn;
            record = record == null ? record(from) : record;
            if (record == null) {
                return null;
            }
            opening = record.getInt(HEADER_BYTES - Integer.BYTES);
            lsn = from + record.limit();
            return record.slice(HEADER_BYTES, record.limit() - HEADER_BYTES);
        }

        private @Nullable ByteBuffer record(long from) throws IOException {
            ByteBuffer header = read(from, HEADER_BYTES);
            int length = header == null ? 0 : header.getInt(0);
            if (length < HEADER_BYTES || length > RECORD_BYTES_MAX) {
                return null;
            }
            ByteBuffer record = read(from, length);
            return record != null
                            && record.getInt(Integer.BYTES) == crc(record)
                            && record.getLong(2 * Integer.BYTES) == from
                            && record.getInt(HEADER_BYTES - Integer.BYTES) >= opening
                    ? record
                    : null;
        }

        /** {@return octets from a place; null where a file of them is missing} */
        private @Nullable ByteBuffer read(long from, int length) throws IOException {
            ByteBuffer octets = ByteBuffer.allocate(length);
            while (octets.hasRemaining()) {
                long at = from + octets.position();
                if (!load(at / FILE_BYTES)) {
                    return null;
                }
                int inFile = (int) (at % FILE_BYTES);
                octets.put(file.slice(inFile, Math.min(octets.remaining(), FILE_BYTES - inFile)));
            }
            return octets.flip();
        }

        private boolean load(long number) throws IOException {
            Path path = path(folder, number);
            if (number == fileNumber || !Files.exists(path)) {
                return number == fileNumber;
            }
            fileNumber = -1;
            try (FileChannel channel = DirectFiles.openForReading(path)) {
                for (int at = 0; at < FILE_BYTES; at += READ_BYTES) {
                    long began = System.nanoTime();
                    int read = channel.read(file.slice(at, READ_BYTES), at);
                    if (read < READ_BYTES) {
                        return false;
                    }
                    operations.add(IoCounter.LOG_READS, System.nanoTime() - began, read);
                }
            }
            fileNumber = number;
            return true;
        }
    }
}
