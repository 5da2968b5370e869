package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.result.IoCounter;

import java.io.IOException;

/**
 * Goes over the files of a database again and again while transactions run, and checks every block, at
 * a pace that leaves the device to them. One thread, until it is interrupted.
 */
final class BackgroundMaintenance implements MailboxWorkload.Work {
    /** As the source: 27 reads of 256 KiB a second for each database, 7 MB/s. */
    static final double READS_PER_S = 27;

    private final MailboxDatabase database;
    private long nextNanos;

    BackgroundMaintenance(MailboxDatabase database) {
        this.database = database;
    }

    @Override
    public void run() throws IOException, InterruptedException {
        nextNanos = System.nanoTime();
        while (!Thread.currentThread().isInterrupted()) {
            var unused = PageCheck.check(
                    database.place().pages(),
                    database.operations(),
                    IoCounter.MAINTENANCE_READS,
                    this::await);
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
}
