package org.hubmark.bench.qualify.reuse;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * What share of the reads of pages an LRU cache takes, for any size of it: by the number of other pages that were
 * read since a page was read last, of a sample of pages. That is SHARDS of fixed size with the correction
 * SHARDS-adj (C. A. Waldspurger, N. Park, A. Garthwaite, I. Ahmad, "Efficient MRC Construction with SHARDS",
 * FAST 2015): a page is in the sample when its hash is below a threshold, and the threshold falls so that at most
 * so many pages are kept. A page that was not read before counts as one that no cache had.
 *
 * <p>Any thread. The memory is bounded by the size of the sample.
 */
public final class ReuseCurve {
    /** Number of pages with which the mean error in the paper is below 0.01, in about a megabyte. */
    private static final int PAGES_MAX = 8192;

    private static final int HASH_BITS = 24;
    private static final int EVERYTHING = 1 << HASH_BITS;
    private static final int BUCKETS_PER_OCTAVE = 16;
    private static final int BUCKETS = BUCKETS_PER_OCTAVE * 40;

    private final int pagesMax;
    private final LongAdder reads = new LongAdder();
    private final Map<Long, Sampled> sample = new HashMap<>();
    private final PriorityQueue<Sampled> highestFirst =
            new PriorityQueue<>(Comparator.comparingInt((Sampled one) -> -one.hash));
    private final ReadOrder order;
    /** Reads by their distance, each as many as its page stands for; and those of pages that were new. */
    private double[] byDistance = new double[BUCKETS];

    private double first;
    /** Where the order of reads was when what counts began. */
    private long countedFrom;

    private long time;
    /** Below 0 as long as it counts. */
    private volatile long counted = -1;

    private volatile int threshold = EVERYTHING;

    /** A page of the sample. */
    private static final class Sampled {
        private final long page;
        private final int hash;
        private int position;
        private long time;

        Sampled(long page, int hash) {
            this.page = page;
            this.hash = hash;
        }
    }

    /** One that keeps some thousands of pages. */
    public ReuseCurve() {
        this(PAGES_MAX);
    }

    /** One that keeps at most so many pages. */
    ReuseCurve(int pagesMax) {
        this.pagesMax = pagesMax;
        this.order = new ReadOrder(4 * (pagesMax + 1));
    }

    /** Notes that a page is read, whether a cache had it or not; or is made, which counts as no read. */
    public void use(long page, boolean isRead) {
        if (isRead) {
            reads.increment();
        }
        int hash = (int) (mixed(page) >>> (Long.SIZE - HASH_BITS));
        if (hash < threshold) {
            useSampled(page, hash, isRead);
        }
    }

    /** The finalizer of SplitMix64: each bit of the result depends on each bit of the page. */
    private static long mixed(long page) {
        long z = page + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    private synchronized void useSampled(long page, int hash, boolean isRead) {
        if (hash >= threshold || counted >= 0) {
            return;
        }
        if (order.isFull()) {
            renumber();
        }
        double share = share();
        Sampled known = sample.get(page);
        if (isRead && known != null) {
            byDistance[bucket(order.after(known.position) / share + 1)] += 1 / share;
        } else if (isRead) {
            first += 1 / share;
        }
        if (known != null) {
            order.remove(known.position);
        }
        Sampled now = known == null ? new Sampled(page, hash) : known;
        now.time = time++;
        now.position = order.add();
        if (known == null) {
            sample.put(page, now);
            highestFirst.add(now);
            if (sample.size() > pagesMax) {
                lowerThreshold();
            }
        }
    }

    private static int bucket(double pages) {
        return (int) Math.min(BUCKETS - 1, BUCKETS_PER_OCTAVE * Math.log(pages) / Math.log(2));
    }

    private double share() {
        return (double) threshold / EVERYTHING;
    }

    private void lowerThreshold() {
        Sampled highest = highestFirst.peek();
        int lowered = highest == null ? threshold : highest.hash;
        while (highest != null && highest.hash >= lowered) {
            highestFirst.remove();
            sample.remove(highest.page);
            order.remove(highest.position);
            highest = highestFirst.peek();
        }
        threshold = lowered;
    }

    private void renumber() {
        List<Sampled> kept = new ArrayList<>(sample.values());
        kept.sort(Comparator.comparingInt(one -> one.position));
        order.clear();
        kept.forEach(one -> one.position = order.add());
    }

    /** What was noted so far is known and no longer counted: what counts begins now. */
    public synchronized void beginCounting() {
        byDistance = new double[BUCKETS];
        first = 0;
        reads.reset();
        countedFrom = time;
    }

    /** Nothing that is noted from now on counts: what is asked of it agrees, whatever is still read. */
    public synchronized void endCounting() {
        counted = reads.sum();
    }

    /** {@return the reads that were counted} */
    public long reads() {
        return counted < 0 ? reads.sum() : counted;
    }

    /** {@return the pages that were read while it was counted, each once} */
    public synchronized long pages() {
        long touched =
                sample.values().stream().filter(one -> one.time >= countedFrom).count();
        return Math.round(touched / share());
    }

    /** {@return the reads that a cache of so many pages takes; of all, and not of the sample: SHARDS-adj} */
    public synchronized double hits(double cachePages) {
        double misses = first;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            // The middle of the bucket.
            if (Math.pow(2, (bucket + 0.5) / BUCKETS_PER_OCTAVE) > cachePages) {
                misses += byDistance[bucket];
            }
        }
        return Math.max(0, reads() - misses);
    }
}
