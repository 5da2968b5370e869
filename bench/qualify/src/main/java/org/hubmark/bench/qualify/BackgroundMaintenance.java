package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.core.Uninterrupted;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Goes over the tables of a database again and again while transactions run, and checks every block, at
 * a pace that leaves the device to them. Its own thread.
 */
final class BackgroundMaintenance {
    /** As the source: 27 reads of 256 KiB a second for each database, 7 MB/s. */
    static final double READS_PER_S = 27;

    private static final long IDLE_MILLIS = 200;

    private final MailboxDatabase database;
    private final Thread thread;
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    private volatile boolean ended;
    private long nextNanos;

    BackgroundMaintenance(MailboxDatabase database) {
        this.database = database;
        this.thread = Thread.ofPlatform()
                .name(database.place().instance() + "-maintenance")
                .unstarted(this::scan);
    }

    void begin() {
        nextNanos = System.nanoTime();
        thread.start();
    }

    private void scan() {
        try {
            while (!ended) {
                boolean any = false;
                for (Path file : database.place().tables()) {
                    any |= check(file);
                }
                if (!any) {
                    Thread.sleep(IDLE_MILLIS);
                }
            }
        } catch (InterruptedException | ClosedByInterruptException e) {
            // Ended in the middle of a file.
            return;
        } catch (IOException e) {
            database.operations().add(IoCounter.ERRORS, 1);
            failure.set(e);
        }
    }

    /** One that a compaction takes away meanwhile is passed over. */
    private boolean check(Path file) throws IOException, InterruptedException {
        try {
            TableCheck.Found found =
                    TableCheck.check(file, database.operations()::maintenanceRead, this::await);
            database.operations().add(IoCounter.BAD_BLOCKS, found.badBlocks());
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** What has fallen behind is not made up for: the pace is a highest rate. */
    private void await() throws InterruptedException {
        long nanos = nextNanos - System.nanoTime();
        if (nanos > 0) {
            Thread.sleep(nanos / 1_000_000, (int) (nanos % 1_000_000));
        }
        nextNanos = Math.max(nextNanos, System.nanoTime()) + (long) (1e9 / READS_PER_S);
    }

    /** Throws the failure that has ended it, if one has. */
    void requireSound() throws IOException {
        IOException first = failure.get();
        if (first != null) {
            throw first;
        }
    }

    /** Ends it, and waits for that a little: it is in the middle of one read at most. */
    void stop() {
        ended = true;
        thread.interrupt();
        Uninterrupted.join(thread);
    }
}
