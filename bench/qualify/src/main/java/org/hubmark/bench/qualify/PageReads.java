package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.pages.Page;
import org.hubmark.bench.qualify.reuse.ReuseSampler;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells a sampler of each page that transactions on one database use, inner pages among them: all are in
 * the cache alike. Any thread.
 */
final class PageReads implements BlockReads {
    private static final int PAGE_BITS = 40;

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

    @Override
    public Counts counts() {
        return new Counts(cached.sum(), stored.sum(), 0, cost.nanos());
    }

    @Override
    public Sizes sizes() throws IOException {
        return new Sizes(place.databaseBytes(), 0);
    }

    @Override
    public void refresh() {
        // A page stays where it is.
    }

    @Override
    public void close() {
        end.run();
    }
}
