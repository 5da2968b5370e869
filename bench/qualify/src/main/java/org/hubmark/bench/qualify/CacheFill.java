package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Clock;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Reads until the cache is as full as the source asks for, or has everything that is read. Which of the two
 * comes first depends on the databases: a part of what lies on the storage is of messages that were
 * deleted, and stays there, unread. One thread.
 *
 * @param reads begins them
 * @param counts of each database
 * @param usedBytes octets in the cache
 * @param wanted octets in the cache, at which it ends
 * @param max after which it ends anyway
 */
record CacheFill(
        Supplier<TransactionLoop> reads,
        Supplier<List<Count>> counts,
        LongSupplier usedBytes,
        long wanted,
        Duration max,
        Clock time) {
    private static final Duration LOOK = Duration.ofMillis(20);

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

    /** Reads, unless there is nothing to wait for. */
    Outcome run() throws IOException, InterruptedException {
        long deadline = time.nanos() + max.toNanos();
        List<Seen> seen = counts.get().stream().map(count -> new Seen()).toList();
        Outcome outcome = look(seen, deadline);
        if (outcome != null) {
            return outcome;
        }
        try (TransactionLoop loop = reads.get()) {
            do {
                time.sleep(LOOK);
                loop.requireSound();
                outcome = look(seen, deadline);
            } while (outcome == null);
            return outcome;
        }
    }

    /** {@return how the wait has ended, or null when it has not} */
    private @Nullable Outcome look(List<Seen> seen, long deadline) {
        // One database may wait for its storage while another reads on: all are looked at.
        List<Count> now = counts.get();
        boolean isComplete = true;
        for (int i = 0; i < now.size(); i++) {
            isComplete &= seen.get(i).isComplete(now.get(i));
        }
        long used = usedBytes.getAsLong();
        boolean isLate = time.nanos() - deadline >= 0;
        End end = used >= wanted ? End.FULL : isComplete ? End.COMPLETE : isLate ? End.LATE : null;
        return end == null ? null : new Outcome(end, used);
    }
}
