package org.hubmark.bench.durability;

import java.util.Random;

/** Random numbers from seeds that are counted up. */
final class Seeds {
    /**
     * Constant of splitmix64 (Steele, Lea, Flood 2014): spreads values that differ only in their
     * last bits.
     */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private Seeds() {}

    /** {@return numbers of their own for each seed} The first ones of Random itself are much alike. */
    static Random random(long seed) {
        long mixed = seed * SPREAD;
        return new Random(mixed ^ mixed >>> 29);
    }
}
