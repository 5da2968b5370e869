package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.pages.Page;
import org.hubmark.bench.qualify.reuse.ReuseSampler;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells a sampler of each page that transactions on one database use, inner pages among them: all are in
 * the cache alike. Any thread.
 */
final class PageReads implements AutoCloseable {
    private static final int PAGE_BITS = 40;

    /** Octets of all blocks: of data, and of what is beside them in the cache. */
    record Sizes(long data, long metadata) {
        Sizes plus(Sizes other) {
            return new Sizes(data + other.data, metadata + other.metadata);
        }
    }

    /**
     * What was counted.
     *
     * @param cached pages that the cache had
     * @param stored pages that came from the storage
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
    private static final class Cost {
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

    private final long first;
    private final DatabasePlace place;
    private final ReuseSampler sampler;
    private final Runnable end;
    private final LongAdder cached = new LongAdder();
    private final LongAdder stored = new LongAdder();
    private final Cost cost = new Cost();

    /**
     * Begins.
     *
     * @param number of the database among those that share the sampler
     * @param end is run when it is closed
     */
    PageReads(int number, DatabasePlace place, ReuseSampler sampler, Runnable end) {
        this.first = (long) number << PAGE_BITS;
        this.place = place;
        this.sampler = sampler;
        this.end = end;
    }

    void read(long page, boolean isCached) {
        long began = cost.begin();
        (isCached ? cached : stored).increment();
        sampler.read(first | page, Page.BYTES, false);
        cost.end(began);
    }

    /** A page was made, which brings it into any cache. */
    void made(long page) {
        sampler.written(first | page, Page.BYTES);
    }

    Counts counts() {
        return new Counts(cached.sum(), stored.sum(), 0, cost.nanos());
    }

    Sizes sizes() throws IOException {
        return new Sizes(place.databaseBytes(), 0);
    }

    /** Tells of no more. */
    @Override
    public void close() {
        end.run();
    }
}
