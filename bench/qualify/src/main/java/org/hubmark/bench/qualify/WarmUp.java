package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Reads until the cache is as full as the source asks for, or has everything that is read. Which of the two
 * comes first depends on the databases: a part of what lies on the storage is of messages that were
 * deleted, and stays there, unread, until tables are put together. One thread.
 */
final class WarmUp {
    private static final Duration STOP = Duration.ofMinutes(2);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final int THREADS = 4;
    private static final TransactionMix READS = TransactionMix.parse("read=100");

    private final SharedCache cache;
    private final long wanted;
    private final Duration max;
    private final MailboxWorkload reading;
    private final List<Seen> seen;

    /** What was seen of one database. */
    private static final class Seen {
        private final MailboxDatabase database;
        private long storageReads = -1;
        /** Reads that had ended when the last was seen that came from the storage. */
        private long readsThen;

        private Seen(MailboxDatabase database) {
            this.database = database;
        }

        /** Whether as many reads as there are messages went by and none of them came from the storage. */
        private boolean isComplete() {
            IoCounts counts = database.operations().counts();
            long reads = counts.get(IoCounter.TRANSACTIONS);
            if (counts.get(IoCounter.DB_READS) != storageReads) {
                storageReads = counts.get(IoCounter.DB_READS);
                readsThen = reads;
            }
            return reads - readsThen > database.messages();
        }
    }

    /** How it ended. */
    enum End {
        /** The cache is as full as was asked for. */
        FULL,
        /** It has all that is read. */
        COMPLETE,
        /** Neither, when the time was over. */
        LATE
    }

    /**
     * What came of it.
     *
     * @param usedBytes in the cache when the wait ended: what is read after that may make it less again
     */
    record Outcome(End end, long usedBytes) {}

    /**
     * Prepares.
     *
     * @param wanted octets in the cache, at which it ends
     * @param max after which it ends anyway
     */
    WarmUp(OpenDatabases open, long wanted, Duration max, long seed) {
        this.seen = open.all().stream().map(Seen::new).toList();
        this.cache = open.cache();
        this.wanted = wanted;
        this.max = max;
        this.reading = new MailboxWorkload(
                open.all(), new MailboxWorkload.Plan(READS, THREADS, 1, null, seed));
    }

    /** Reads, unless there is nothing to wait for. */
    Outcome run() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + max.toNanos();
        Outcome outcome = look(deadline);
        if (outcome != null) {
            return outcome;
        }
        reading.begin();
        try {
            do {
                TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
                reading.requireSound();
                outcome = look(deadline);
            } while (outcome == null);
            return outcome;
        } finally {
            reading.stop(STOP);
        }
    }

    /** {@return how the wait has ended, or null when it has not} */
    private @Nullable Outcome look(long deadline) {
        boolean complete = isComplete();
        long used = cache.usedBytes();
        if (used >= wanted) {
            return new Outcome(End.FULL, used);
        }
        if (complete) {
            return new Outcome(End.COMPLETE, used);
        }
        return System.nanoTime() - deadline >= 0 ? new Outcome(End.LATE, used) : null;
    }

    /** Of all databases: one may wait for its storage while another reads on. */
    private boolean isComplete() {
        boolean complete = true;
        for (Seen one : seen) {
            complete &= one.isComplete();
        }
        return complete;
    }
}
