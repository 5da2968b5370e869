package org.hubmark.bench.qualify.reuse;

import org.hubmark.bench.kit.statistics.Inference;

/** What a sampler counted; immutable. */
public final class ReuseProfile {
    private final ReuseCounts counts;
    private final long reads;
    private final int blocks;
    private final double share;
    private final long workingSetBytes;

    ReuseProfile(ReuseCounts counts, long reads, int blocks, double share, long workingSetBytes) {
        this.counts = counts;
        this.reads = reads;
        this.blocks = blocks;
        this.share = share;
        this.workingSetBytes = workingSetBytes;
    }

    /**
     * The hit ratio of a cache, 0 to 1.
     *
     * @param ratio the estimate
     * @param low below it by Student's interval over groups of blocks, and when no read counts as a hit
     *     whose block was read before anybody looked
     * @param high the same, when each of these that could be a hit is one
     */
    public record HitRatio(double ratio, double low, double high) {}

    /**
     * {@return the hit ratio of an LRU cache}
     *
     * @param cacheBytes that it has for blocks
     * @param dataBytes of everything that could be read; of a block that was read before anybody looked
     *     one takes the distance to be anything from there to all of it
     */
    public HitRatio hitRatio(long cacheBytes, long dataBytes) {
        double[] likely = new double[ReuseCounts.GROUPS];
        double[] most = new double[ReuseCounts.GROUPS];
        double[] least = new double[ReuseCounts.GROUPS];
        // Of all reads that there were, and not of those of the sample: SHARDS-adj.
        double each = (double) reads / ReuseCounts.GROUPS;
        for (int group = 0; group < ReuseCounts.GROUPS; group++) {
            double misses = counts.misses(group, (double) cacheBytes);
            least[group] = misses / each;
            likely[group] =
                    (misses + counts.unknown(group, (double) cacheBytes, (double) dataBytes))
                            / each;
            most[group] = (misses + counts.unknown(group, (double) cacheBytes)) / each;
        }
        double ratio = hits(Inference.mean(likely));
        return new HitRatio(
                ratio,
                Math.min(ratio, hits(Inference.ofArithmeticMean(most).high())),
                Math.max(ratio, hits(Inference.ofArithmeticMean(least).low())));
    }

    private static double hits(double missRatio) {
        return Math.max(0, Math.min(1, 1 - missRatio));
    }

    /** {@return the reads that were counted} */
    public long reads() {
        return reads;
    }

    /** {@return the blocks of the sample} */
    public int sampledBlocks() {
        return blocks;
    }

    /** {@return the share of all blocks that is in the sample, 0 to 1} */
    public double sampledShare() {
        return share;
    }

    /** {@return the share of the reads whose block was not read since the sampler began, 0 to 1} */
    public double coldShare() {
        return counts.coldShare(reads);
    }

    /** {@return the octets of all blocks that were read while it was counted, each once} */
    public long workingSetBytes() {
        return workingSetBytes;
    }
}
