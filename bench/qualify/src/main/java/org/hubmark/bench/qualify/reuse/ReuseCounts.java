package org.hubmark.bench.qualify.reuse;

/**
 * How many reads had which distance, by groups of blocks, so that one sees how much groups differ. Each read
 * counts for as many as its block stands for. One thread.
 */
final class ReuseCounts {
    /** A power of two: the lowest bits of a hash name the group. */
    static final int GROUPS = 8;

    private static final int BUCKETS_PER_OCTAVE = 16;
    private static final int BUCKETS = BUCKETS_PER_OCTAVE * 48;

    private final double[][] reuse;
    private final double[][] cold;
    private final double[] compulsory;

    ReuseCounts() {
        this(new double[GROUPS][BUCKETS], new double[GROUPS][BUCKETS], new double[GROUPS]);
    }

    private ReuseCounts(double[][] reuse, double[][] cold, double[] compulsory) {
        this.reuse = reuse;
        this.cold = cold;
        this.compulsory = compulsory;
    }

    private static int bucket(double bytes) {
        int bucket = (int) (BUCKETS_PER_OCTAVE * Math.log(Math.max(1, bytes)) / Math.log(2));
        return Math.min(BUCKETS - 1, bucket);
    }

    /** The middle of a bucket. */
    private static double bytes(int bucket) {
        return Math.pow(2, (bucket + 0.5) / BUCKETS_PER_OCTAVE);
    }

    /** A block was read again. */
    void reuse(int group, double bytes, double weight) {
        reuse[group][bucket(bytes)] += weight;
    }

    /** A block was read for the first time that was noted, so many octets after the first read of all. */
    void cold(int group, double bytes, double weight) {
        cold[group][bucket(bytes)] += weight;
    }

    /** A block was read for the first time ever. */
    void compulsory(int group, double weight) {
        compulsory[group] += weight;
    }

    /** {@return the reads of a group that a cache of so many octets can't have had} */
    double misses(int group, double cacheBytes) {
        double misses = compulsory[group];
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            if (bytes(bucket) > cacheBytes) {
                misses += reuse[group][bucket] + cold[group][bucket];
            }
        }
        return misses;
    }

    /**
     * {@return the reads of a group of which nobody knows whether a cache of so many octets had them, since
     * nobody looked so far back, each times the chance that it had not}
     *
     * @param dataBytes of everything that could be read; infinite to take each with its whole weight
     */
    double unknown(int group, double cacheBytes, double dataBytes) {
        double unknown = 0;
        for (int bucket = 0; bucket < BUCKETS && bytes(bucket) <= cacheBytes; bucket++) {
            double seen = bytes(bucket);
            double had =
                    dataBytes <= seen ? 1 : Math.min(1, (cacheBytes - seen) / (dataBytes - seen));
            unknown += cold[group][bucket] * (1 - had);
        }
        return unknown;
    }

    /** {@return these reads with their whole weight} */
    double unknown(int group, double cacheBytes) {
        return unknown(group, cacheBytes, Double.POSITIVE_INFINITY);
    }

    /** {@return the share of so many reads that were cold} */
    double coldShare(long reads) {
        double all = 0;
        for (double[] group : cold) {
            for (double weight : group) {
                all += weight;
            }
        }
        return Math.min(1, all / reads);
    }

    ReuseCounts copy() {
        double[][] reused = new double[GROUPS][];
        double[][] colds = new double[GROUPS][];
        for (int group = 0; group < GROUPS; group++) {
            reused[group] = reuse[group].clone();
            colds[group] = cold[group].clone();
        }
        return new ReuseCounts(reused, colds, compulsory.clone());
    }
}
