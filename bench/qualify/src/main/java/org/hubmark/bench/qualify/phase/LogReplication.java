package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.result.IoCounter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads the log of a database behind its writer, as the servers of one other copy would, past the page cache:
 * what it reads comes from the device. The log is in files of one length, and each is read when the next has begun.
 * One thread, until it is interrupted.
 */
record LogReplication(MailboxDatabase database) implements MailboxWorkload.Work {
    /** Of the names of the files of a log. */
    static final String SUFFIX = ".log";

    private static final long POLL_MILLIS = 100;

    @Override
    public void run() throws IOException, InterruptedException {
        List<Path> log = files();
        Path file = log.isEmpty() ? null : log.getLast();
        while (!Thread.currentThread().isInterrupted()) {
            Path last = file;
            Path next = files().stream()
                    .filter(one -> last == null || one.compareTo(last) > 0)
                    .findFirst()
                    .orElse(null);
            if (next == null) {
                Thread.sleep(POLL_MILLIS);
            } else {
                if (file != null) {
                    read(file);
                }
                file = next;
            }
        }
    }

    private void read(Path file) throws IOException {
        try (ReadChannel channel =
                new ReadChannel(file, database.operations(), IoCounter.REPLICATION_READS)) {
            channel.readAll();
        } catch (NoSuchFileException e) {
            // All of it is in pages, and it is gone; a copy would get it from there.
            return;
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(database.place().log())) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        }
    }
}
