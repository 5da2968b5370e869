package org.hubmark.bench.qualify;

import org.hubmark.bench.machine.volumes.DirectFiles;
import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.result.IoCounter;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads the log of a database behind its writer, as the servers of one other copy would, past the page cache:
 * what it reads comes from the device. The log is in files of one length, and each is read when the next has begun.
 * One thread, until it is interrupted.
 */
final class LogReplication implements OtherLoad.Work {
    /** Of the names of the files of a log. */
    static final String SUFFIX = ".log";

    private static final int READ_BYTES = 256 << 10;
    private static final long POLL_MILLIS = 100;

    private final MailboxDatabase database;
    private final ByteBuffer buffer = DirectFiles.buffer(READ_BYTES);

    LogReplication(MailboxDatabase database) {
        this.database = database;
    }

    @Override
    public void run() throws IOException, InterruptedException {
        Path file = newest(null);
        while (!Thread.currentThread().isInterrupted()) {
            Path next = file == null ? newest(null) : read(file);
            if (next == null) {
                Thread.sleep(POLL_MILLIS);
            } else {
                file = next;
            }
        }
    }

    /** Reads a file to its end; returns the one behind it, or null when there is none. */
    private @Nullable Path read(Path file) throws IOException, InterruptedException {
        try (FileChannel channel = DirectFiles.openForReading(file)) {
            long at = 0;
            while (!Thread.currentThread().isInterrupted()) {
                Path next = newest(file);
                boolean complete = next != null;
                long there = channel.size() - at;
                if (complete && there > 0) {
                    buffer.clear();
                    long beganNanos = System.nanoTime();
                    int read = channel.read(buffer, at);
                    database.operations()
                            .add(IoCounter.REPLICATION_READS, System.nanoTime() - beganNanos, read);
                    at += read;
                } else if (complete) {
                    return next;
                } else {
                    Thread.sleep(POLL_MILLIS);
                }
            }
        } catch (NoSuchFileException e) {
            // All of it is in pages, and it is gone; a copy would get it from there.
            return newest(file);
        }
        return null;
    }

    /** The first file of the log behind one, or the last of all. */
    private @Nullable Path newest(@Nullable Path behind) throws IOException {
        try (Stream<Path> files = Files.list(database.place().log())) {
            List<Path> log = files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted(Comparator.comparing(Path::toString))
                    .toList();
            return behind == null
                    ? (log.isEmpty() ? null : log.getLast())
                    : log.stream()
                            .filter(file -> file.toString().compareTo(behind.toString()) > 0)
                            .findFirst()
                            .orElse(null);
        }
    }
}
