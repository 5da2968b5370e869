package org.hubmark.bench.qualify.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** Compares what is predicted for a cache with what such a cache had. */
class ReuseSamplerTest {
    private static final long SEED = new SplittableRandom().nextLong();
    private static final int BLOCKS = 20_000;
    private static final int READS = 400_000;

    /** An LRU cache of octets. */
    private static final class Lru {
        private final long room;
        private final LinkedHashMap<Long, Integer> blocks = new LinkedHashMap<>(16, 0.75f, true);
        private long used;
        private long hits;
        private long reads;

        Lru(long room) {
            this.room = room;
        }

        void read(long block, int bytes) {
            reads++;
            if (blocks.get(block) != null) {
                hits++;
                return;
            }
            blocks.put(block, bytes);
            used += bytes;
            while (used > room) {
                Map.Entry<Long, Integer> eldest = blocks.firstEntry();
                used -= eldest.getValue();
                blocks.remove(eldest.getKey());
            }
        }

        double hitRatio() {
            return (double) hits / reads;
        }

        void count() {
            hits = 0;
            reads = 0;
        }
    }

    private static int bytes(long block) {
        return 16_000 + (int) (block * 7919 % 48_000);
    }

    /** Some blocks are read much more often than others. */
    private static long block(SplittableRandom random) {
        double share = random.nextDouble();
        return (long) (BLOCKS * share * share * share);
    }

    private static void compare(int blocksMax, double tolerance, boolean writes) {
        SplittableRandom random = new SplittableRandom(SEED);
        ReuseSampler sampler = new ReuseSampler(blocksMax);
        long all = 0;
        for (long block = 0; block < BLOCKS; block++) {
            all += bytes(block);
        }
        long[] rooms = {all / 100, all / 20, all / 5, all / 2, 2 * all};
        Lru[] caches = new Lru[rooms.length];
        for (int i = 0; i < rooms.length; i++) {
            caches[i] = new Lru(rooms[i]);
        }
        long next = BLOCKS;
        for (int i = 0; i < READS; i++) {
            if (i == READS / 2) {
                sampler.beginCounting();
                for (Lru cache : caches) {
                    cache.count();
                }
            }
            boolean isNew = writes && i % 10 == 0;
            long block = isNew ? next++ : block(random);
            sampler.read(block, bytes(block), isNew);
            for (Lru cache : caches) {
                cache.read(block, bytes(block));
            }
        }
        ReuseProfile profile = Objects.requireNonNull(sampler.profile());
        assertThat(profile.reads()).isEqualTo(READS / 2);
        assertThat(profile.sampledBlocks()).isLessThanOrEqualTo(blocksMax);
        for (int i = 0; i < rooms.length; i++) {
            ReuseProfile.HitRatio predicted = profile.hitRatio(rooms[i], all);
            assertThat(Math.abs(predicted.ratio() - caches[i].hitRatio()))
                    .as("seed %d, %d of %d octets", SEED, rooms[i], all)
                    .isLessThan(tolerance);
            assertThat(predicted.low()).isLessThanOrEqualTo(predicted.ratio());
            assertThat(predicted.high()).isGreaterThanOrEqualTo(predicted.ratio());
        }
    }

    @Test
    void allBlocksGiveTheExactCurve() {
        // Distances are counted in steps of a sixteenth of an octave.
        compare(BLOCKS, 0.01, false);
    }

    @Test
    void aSampleComesNear() {
        compare(BLOCKS / 10, 0.06, false);
    }

    @Test
    void whatWasJustWrittenIsNeverAHit() {
        compare(4 * BLOCKS, 0.02, true);
    }

    @Test
    void theWorkingSetIsEachBlockOnce() {
        ReuseSampler sampler = new ReuseSampler();
        for (long block = 0; block < 200; block++) {
            sampler.read(block, 1000, false);
        }
        sampler.beginCounting();
        assertThat(sampler.profile()).isNull();
        for (int i = 0; i < 500; i++) {
            sampler.read(i % 50, 1000, false);
        }
        ReuseProfile profile = Objects.requireNonNull(sampler.profile());
        assertThat(profile.workingSetBytes()).isEqualTo(50_000);
        assertThat(profile.coldShare()).isZero();
        assertThat(profile.hitRatio(60_000, 200_000).ratio()).isGreaterThan(0.89);
        assertThat(profile.hitRatio(40_000, 200_000).ratio()).isZero();
    }

    @Test
    void ofWhatNobodyLookedForTheBandIsWide() {
        ReuseSampler sampler = new ReuseSampler();
        for (long block = 0; block < 1000; block++) {
            sampler.read(block, 1000, false);
        }
        ReuseProfile profile = Objects.requireNonNull(sampler.profile());
        ReuseProfile.HitRatio half = profile.hitRatio(500_000, 1_000_000);
        assertThat(half.low()).isZero();
        assertThat(half.high()).isGreaterThan(0.4);
        assertThat(half.ratio()).isBetween(half.low(), half.high());
    }
}
