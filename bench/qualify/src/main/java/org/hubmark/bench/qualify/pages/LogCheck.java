package org.hubmark.bench.qualify.pages;

import org.hubmark.bench.machine.volumes.DirectFiles;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks the records of the log of a store that is closed: all that there are files of, up to the last
 * checkpoint. A record goes on where the one before it ends, so that none can be missing.
 */
public final class LogCheck {
    /** The latest so many: a store keeps fewer. */
    private static final int FILES_MAX = 128;

    private LogCheck() {}

    /**
     * What was found in a log.
     *
     * @param bytes that were checked
     * @param bad places at which a record should begin and none does
     */
    public record Found(long bytes, long records, long bad) {}

    /** Is told of each read. */
    @FunctionalInterface
    public interface Reads {
        /** A part was read. */
        void read(long nanos, long bytes);
    }

    /**
     * Checks a log past the page cache. One thread.
     *
     * @param folder of the pages, which has the checkpoint
     * @param logFolder of the log
     */
    public static Found check(Path folder, Path logFolder, Reads reads) throws IOException {
        Checkpoint last = Checkpoint.read(folder.resolve(PageStore.CHECKPOINT));
        if (last == null || last.lsn() == 0) {
            return new Found(0, 0, 0);
        }
        long behind = (last.lsn() - 1) / PageLog.FILE_BYTES + 1;
        long first = behind;
        while (first > 0
                && behind - first < FILES_MAX
                && Files.exists(PageLog.path(logFolder, first - 1))) {
            first--;
        }
        if (first == behind) {
            throw new EOFException("the log in " + logFolder + " has no file before its end");
        }
        ByteBuffer log = read(logFolder, first, behind, reads);
        long start = first * PageLog.FILE_BYTES;
        return check(log.limit((int) (last.lsn() - start)), start);
    }

    private static ByteBuffer read(Path folder, long first, long behind, Reads reads)
            throws IOException {
        ByteBuffer log = ByteBuffer.allocate((int) (behind - first) * PageLog.FILE_BYTES);
        ByteBuffer part = DirectFiles.buffer(PageLog.FILE_BYTES);
        for (long number = first; number < behind; number++) {
            try (FileChannel file = DirectFiles.openForReading(PageLog.path(folder, number))) {
                part.clear();
                long began = System.nanoTime();
                while (part.hasRemaining()) {
                    if (file.read(part, part.position()) < 0) {
                        throw new EOFException(PageLog.path(folder, number) + " is too short");
                    }
                }
                reads.read(System.nanoTime() - began, PageLog.FILE_BYTES);
            }
            log.put(part.flip());
        }
        return log.flip();
    }

    private static Found check(ByteBuffer log, long startLsn) {
        long records = 0;
        long bad = 0;
        // Only the first file of all begins with a record.
        boolean isLost = startLsn > 0;
        int at = 0;
        while (at < log.limit()) {
            int length = PageLog.recordLength(log, at, startLsn + at);
            if (length > 0) {
                records++;
                isLost = false;
                at += length;
            } else {
                bad += isLost ? 0 : 1;
                isLost = true;
                at++;
            }
        }
        return new Found(log.limit(), records, bad);
    }
}
