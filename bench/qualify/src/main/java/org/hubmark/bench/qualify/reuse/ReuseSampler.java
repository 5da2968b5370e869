package org.hubmark.bench.qualify.reuse;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * The reuse distance of a sample of blocks: how many octets of other blocks were read since a block was
 * read last. That is SHARDS of fixed size with the correction SHARDS-adj (C. A. Waldspurger, N. Park, A.
 * Garthwaite, I. Ahmad, "Efficient MRC Construction with SHARDS", FAST 2015): a block is in the sample when
 * its hash is below a threshold, and the threshold falls so that at most so many blocks are kept. Distances
 * are in octets and not in blocks, since blocks differ in length.
 *
 * <p>Any thread. The memory is bounded by the size of the sample.
 */
public final class ReuseSampler {
    /**
     * Number of blocks with which the mean error in the paper is below 0.01, in about a megabyte.
     */
    public static final int BLOCKS_MAX = 8192;

    private static final int HASH_BITS = 24;
    private static final int EVERYTHING = 1 << HASH_BITS;

    private final int blocksMax;
    private final LongAdder reads = new LongAdder();
    private final Map<Long, Sampled> sample = new HashMap<>();
    private final PriorityQueue<Sampled> highestFirst =
            new PriorityQueue<>(Comparator.comparingInt((Sampled one) -> -one.hash));
    private final ReadOrder order;
    private ReuseCounts counts = new ReuseCounts();
    /** Where the order of reads was when what counts began. */
    private long countedFrom;

    private long time;
    private volatile int threshold = EVERYTHING;

    /** How a block is used. */
    private enum Use {
        READ,
        /** Read for the first time since it was written, which brought it into no cache. */
        FIRST,
        /** Written as a whole. */
        WRITTEN
    }

    /** A block of the sample. */
    private static final class Sampled {
        private final long block;
        private final int hash;
        private final int bytes;
        private int position;
        private long time;

        Sampled(long block, int hash, int bytes) {
            this.block = block;
            this.hash = hash;
            this.bytes = bytes;
        }
    }

    /** One that keeps so many blocks as {@link #BLOCKS_MAX}. */
    public ReuseSampler() {
        this(BLOCKS_MAX);
    }

    /** One that keeps at most so many blocks. */
    public ReuseSampler(int blocksMax) {
        this.blocksMax = blocksMax;
        this.order = new ReadOrder(4 * (blocksMax + 1));
    }

    /**
     * Notes that a block is read.
     *
     * @param block identifies it; any 64 bits
     * @param bytes of the block
     * @param isNew whether it was written since the sampler began: then it was never read before, and no
     *     cache could have it
     */
    public void read(long block, int bytes, boolean isNew) {
        reads.increment();
        use(block, bytes, isNew ? Use.FIRST : Use.READ);
    }

    /** Notes that a block is written without a read, which brings it into a cache: it counts as no read. */
    public void written(long block, int bytes) {
        use(block, bytes, Use.WRITTEN);
    }

    private void use(long block, int bytes, Use use) {
        long mixed = mixed(block);
        int hash = (int) (mixed >>> (Long.SIZE - HASH_BITS));
        if (hash < threshold) {
            useSampled(block, hash, (int) mixed & (ReuseCounts.GROUPS - 1), bytes, use);
        }
    }

    /** The finalizer of SplitMix64: each bit of the result depends on each bit of the block. */
    private static long mixed(long block) {
        long z = block + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    private synchronized void useSampled(long block, int hash, int group, int bytes, Use use) {
        if (hash >= threshold) {
            return;
        }
        if (order.isFull()) {
            renumber();
        }
        double share = share();
        Sampled known = sample.get(block);
        if (use != Use.WRITTEN && known != null) {
            counts.reuse(group, order.after(known.position) / share + bytes, 1 / share);
        } else if (use == Use.FIRST) {
            counts.compulsory(group, 1 / share);
        } else if (use == Use.READ) {
            // It is at least as long ago as the first read that was noted.
            counts.cold(group, order.total() / share + bytes, 1 / share);
        }
        if (known != null) {
            order.remove(known.position, known.bytes);
        }
        Sampled now = known == null ? new Sampled(block, hash, bytes) : known;
        now.time = time++;
        now.position = order.add(bytes);
        if (known == null) {
            sample.put(block, now);
            highestFirst.add(now);
            if (sample.size() > blocksMax) {
                lowerThreshold();
            }
        }
    }

    private double share() {
        return (double) threshold / EVERYTHING;
    }

    private void lowerThreshold() {
        Sampled highest = highestFirst.peek();
        int lowered = highest == null ? threshold : highest.hash;
        while (highest != null && highest.hash >= lowered) {
            highestFirst.remove();
            sample.remove(highest.block);
            order.remove(highest.position, highest.bytes);
            highest = highestFirst.peek();
        }
        threshold = lowered;
    }

    private void renumber() {
        List<Sampled> kept = new ArrayList<>(sample.values());
        kept.sort(Comparator.comparingInt(one -> one.position));
        order.clear();
        for (Sampled one : kept) {
            one.position = order.add(one.bytes);
        }
    }

    /** What was noted so far is known and no longer counted: what counts begins now. */
    public synchronized void beginCounting() {
        counts = new ReuseCounts();
        reads.reset();
        countedFrom = time;
    }

    /** {@return what was counted, or null when nothing was read} */
    public synchronized @Nullable ReuseProfile profile() {
        long all = reads.sum();
        if (all == 0) {
            return null;
        }
        long touched = 0;
        for (Sampled one : sample.values()) {
            touched += one.time >= countedFrom ? one.bytes : 0;
        }
        return new ReuseProfile(
                counts.copy(), all, sample.size(), share(), Math.round(touched / share()));
    }
}
