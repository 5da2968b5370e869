package org.hubmark.bench.qualify;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Tells a sampler of each block that transactions on one database read, whether the cache had it or not. */
interface BlockReads extends AutoCloseable {
    /** Octets of all blocks: of data, and of what is beside them in the cache. */
    record Sizes(long data, long metadata) {
        Sizes plus(Sizes other) {
            return new Sizes(data + other.data, metadata + other.metadata);
        }
    }

    /**
     * What was counted.
     *
     * @param cached blocks of data that the cache had
     * @param stored blocks of data that came from the storage
     * @param unknown blocks of which it isn't known which they were
     * @param costNanos that it took to count, about
     */
    record Counts(long cached, long stored, long unknown, long costNanos) {
        static final Counts NONE = new Counts(0, 0, 0, 0);

        Counts plus(Counts other) {
            return new Counts(
                    cached + other.cached,
                    stored + other.stored,
                    unknown + other.unknown,
                    costNanos + other.costNanos);
        }

        Counts since(Counts earlier) {
            return new Counts(
                    cached - earlier.cached,
                    stored - earlier.stored,
                    unknown - earlier.unknown,
                    costNanos - earlier.costNanos);
        }
    }

    /** What the telling costs, by the time of one read of many. Any thread. */
    final class Cost {
        /** Number of reads of which one is timed. */
        private static final int TIMED = 64;

        /** What takes longer is a thread that had to wait for a core. */
        private static final long TIMED_NANOS_MAX = 20_000;

        private final LongAdder timedNanos = new LongAdder();

        /** {@return when it began; 0 where it is not timed} */
        long begin() {
            return ThreadLocalRandom.current().nextInt(TIMED) == 0 ? System.nanoTime() : 0;
        }

        void end(long began) {
            if (began != 0) {
                timedNanos.add(Math.min(TIMED_NANOS_MAX, System.nanoTime() - began));
            }
        }

        long nanos() {
            return TIMED * timedNanos.sum();
        }
    }

    Counts counts();

    Sizes sizes() throws IOException;

    /** Looks where the blocks are now, if that has changed. One thread. */
    void refresh() throws IOException;

    /** Tells of no more. */
    @Override
    void close();
}
