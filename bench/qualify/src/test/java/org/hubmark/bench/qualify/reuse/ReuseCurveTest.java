package org.hubmark.bench.qualify.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Compares what a curve says of a cache with what such a cache had. */
class ReuseCurveTest {
    private static final long SEED = new SplittableRandom().nextLong();
    private static final int PAGES = 20_000;
    private static final int READS = 400_000;

    /** An LRU cache of pages. */
    private static final class Lru {
        private final int room;
        private final LinkedHashMap<Long, Boolean> pages = new LinkedHashMap<>(16, 0.75f, true);
        private long hits;

        Lru(int room) {
            this.room = room;
        }

        void read(long page) {
            if (pages.get(page) != null) {
                hits++;
            } else {
                made(page);
            }
        }

        void made(long page) {
            pages.put(page, true);
            if (pages.size() > room) {
                pages.remove(pages.firstEntry().getKey());
            }
        }
    }

    /** Some pages are read much more often than others. */
    private static long page(SplittableRandom random) {
        double share = random.nextDouble();
        return (long) (PAGES * share * share * share);
    }

    private static void compare(int pagesMax, double tolerance, boolean makes) {
        SplittableRandom random = new SplittableRandom(SEED);
        ReuseCurve curve = new ReuseCurve(pagesMax);
        int[] rooms = {PAGES / 100, PAGES / 20, PAGES / 5, PAGES / 2, 2 * PAGES};
        Lru[] caches = new Lru[rooms.length];
        for (int i = 0; i < rooms.length; i++) {
            caches[i] = new Lru(rooms[i]);
        }
        long next = PAGES;
        for (int i = 0; i < READS; i++) {
            if (i == READS / 2) {
                curve.beginCounting();
                Stream.of(caches).forEach(cache -> cache.hits = 0);
            }
            if (makes && i % 10 == 0) {
                long made = next++;
                curve.use(made, false);
                for (Lru cache : caches) {
                    cache.made(made);
                }
            }
            long page = page(random);
            curve.use(page, true);
            Stream.of(caches).forEach(cache -> cache.read(page));
        }
        curve.endCounting();
        // A load goes on while its curve is asked for one size after another.
        curve.use(page(random), true);
        curve.use(next, true);
        assertThat(curve.reads()).isEqualTo(READS / 2);
        for (int i = 0; i < rooms.length; i++) {
            assertThat((curve.hits(rooms[i]) - caches[i].hits) / curve.reads())
                    .as("seed %d, %d of %d pages", SEED, rooms[i], PAGES)
                    .isBetween(-tolerance, tolerance);
        }
    }

    @Test
    void allPagesGiveTheExactCurve() {
        // Distances are counted in steps of a sixteenth of an octave.
        compare(PAGES, 0.01, false);
    }

    @Test
    void aSampleComesNear() {
        compare(PAGES / 10, 0.06, false);
    }

    @Test
    void whatIsMadeTakesRoom() {
        compare(4 * PAGES, 0.02, true);
    }

    @Test
    void pagesAreCountedOnceAndOnesThatAreNewAreNoHits() {
        ReuseCurve curve = new ReuseCurve();
        for (long page = 0; page < 200; page++) {
            curve.use(page, true);
        }
        assertThat(curve.hits(1000)).isZero();
        curve.beginCounting();
        assertThat(curve.reads()).isZero();
        for (int i = 0; i < 500; i++) {
            curve.use(i % 50, true);
        }
        assertThat(curve.pages()).isEqualTo(50);
        assertThat(curve.hits(60)).isGreaterThan(449);
        assertThat(curve.hits(40)).isZero();
    }
}
