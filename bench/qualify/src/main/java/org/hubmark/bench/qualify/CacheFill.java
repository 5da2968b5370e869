package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Clock;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads until the cache is as full as the source asks for, or has everything that is read. Which of the two
 * comes first depends on the databases: a part of what lies on the storage is of messages that were
 * deleted, and stays there, unread, until tables are put together. One thread.
 */
final class CacheFill {
    private static final Duration LOOK = Duration.ofMillis(20);

    private final Reads reads;
    private final long wanted;
    private final Duration max;
    private final Clock time;
    private final List<Seen> seen = new ArrayList<>();

    /** What fills the cache. */
    interface Reads {
        void begin();

        /** Throws the failure that has ended them, if one has. */
        void requireSound() throws IOException;

        void stop();

        /** {@return octets in the cache} */
        long usedBytes();

        /** {@return what was read of each database} */
        List<Count> counts();
    }

    /**
     * What was read of a database.
     *
     * @param messages in it
     * @param reads of messages that have ended
     * @param storageReads for which the storage was asked
     */
    record Count(long messages, long reads, long storageReads) {}

    /** What was seen of one database. */
    private static final class Seen {
        private long storageReads = -1;
        /** Reads that had ended when the last was seen that came from the storage. */
        private long readsThen;

        /** Whether as many reads as there are messages went by and none of them came from the storage. */
        private boolean isComplete(Count count) {
            if (count.storageReads() != storageReads) {
                storageReads = count.storageReads();
                readsThen = count.reads();
            }
            return count.reads() - readsThen > count.messages();
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
     * @param reads that have not begun
     * @param wanted octets in the cache, at which it ends
     * @param max after which it ends anyway
     */
    CacheFill(Reads reads, long wanted, Duration max, Clock time) {
        this.reads = reads;
        this.wanted = wanted;
        this.max = max;
        this.time = time;
    }

    /** Reads, unless there is nothing to wait for. */
    Outcome run() throws IOException, InterruptedException {
        long deadline = time.nanos() + max.toNanos();
        Outcome outcome = look(deadline);
        if (outcome != null) {
            return outcome;
        }
        reads.begin();
        try {
            do {
                time.sleep(LOOK);
                reads.requireSound();
                outcome = look(deadline);
            } while (outcome == null);
            return outcome;
        } finally {
            reads.stop();
        }
    }

    /** {@return how the wait has ended, or null when it has not} */
    private @Nullable Outcome look(long deadline) {
        boolean complete = isComplete();
        long used = reads.usedBytes();
        if (used >= wanted) {
            return new Outcome(End.FULL, used);
        }
        if (complete) {
            return new Outcome(End.COMPLETE, used);
        }
        return time.nanos() - deadline >= 0 ? new Outcome(End.LATE, used) : null;
    }

    /**
     * Tells whether the warm-up of all databases is complete: one may wait for its storage while
     * another reads on.
     */
    private boolean isComplete() {
        List<Count> counts = reads.counts();
        boolean complete = true;
        for (int i = 0; i < counts.size(); i++) {
            if (seen.size() == i) {
                seen.add(new Seen());
            }
            complete &= seen.get(i).isComplete(counts.get(i));
        }
        return complete;
    }
}
