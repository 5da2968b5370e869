package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Proves in simulated time how many threads are found: by a storage of a known number of channels, which
 * is slower at first, whose rate scatters, and which more threads than channels make no faster.
 */
class ThreadSearchTest {
    private static final int RUNS = 300;
    private static final Duration SAMPLE = Duration.ofSeconds(2);
    private static final List<Integer> STEPS = List.of(1, 2, 3, 4, 6, 8, 12, 16, 24, 32);

    /** Little more than 16 or 24: a gain of about the share that is asked for. */
    private static final List<Integer> UNCLEAR = List.of(17, 25);

    /** Of the rate at most; three samples that agree are within less of their mean. */
    private static final double SCATTER = 0.002;

    /** One channel does so many reads a second. */
    private static final double CHANNEL_IOPS = 10_000;

    private static final class Storage implements Clock {
        private final SplittableRandom random;
        private final int channels;
        private final Map<Integer, Integer> sleeps = new HashMap<>();
        private long nanos;
        private double reads;
        private int threads;
        /** Each sample has so many times the reads of the one before. */
        private double growth = 1;

        private double factor = 1;

        private Storage(SplittableRandom random, int channels) {
            this.random = random;
            this.channels = channels;
        }

        private double iops(int load) {
            return CHANNEL_IOPS * Math.min(load, channels);
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void sleep(Duration time) {
            assertThat(threads).as("threads").isPositive();
            nanos += time.toNanos();
            boolean first = sleeps.merge(threads, 1, Integer::sum) == 1;
            double share = first ? 0.2 : 1 + random.nextDouble(-SCATTER, SCATTER);
            factor *= growth;
            reads += factor * share * iops(threads) * time.toNanos() / 1e9;
        }

        private TransactionLoop begin(int load) {
            assertThat(threads).as("threads of another loop").isZero();
            threads = load;
            return new TransactionLoop() {
                @Override
                public void requireSound() {
                    assertThat(threads).isEqualTo(load);
                }

                @Override
                public IoCounts counts() {
                    return new IoCounts(Map.of(
                            IoCounter.DB_READS, (long) reads,
                            IoCounter.DB_READ_NS, (long) (reads * 2_000_000)));
                }

                @Override
                public void close() {
                    threads = 0;
                }
            };
        }
    }

    private static ThreadSearch search(Storage storage, double targetIops) {
        return new ThreadSearch(storage::begin, targetIops, SAMPLE, line -> {}, storage);
    }

    private static int firstStep(double atLeast) {
        return STEPS.stream().filter(step -> step >= atLeast).findFirst().orElseThrow();
    }

    @Test
    void findsTheKneeOrWhatIsEnough() {
        long first = System.nanoTime();
        for (long seed = first; seed < first + RUNS; seed++) {
            try {
                SplittableRandom random = new SplittableRandom(seed);
                int channels = channels(random);
                find(new Storage(random, channels), firstStep(channels), Double.POSITIVE_INFINITY);
                // Nearer to a step than the scatter it may be that one or the next.
                double enough = random.nextInt(channels) + random.nextDouble(0.1, 0.9);
                find(new Storage(random, channels), firstStep(enough), enough * CHANNEL_IOPS / 1.2);
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    /** {@return some for which it is clear whether the last step up to them gains enough} */
    private static int channels(SplittableRandom random) {
        int channels;
        do {
            channels = random.nextInt(1, STEPS.getLast() + 1);
        } while (UNCLEAR.contains(channels));
        return channels;
    }

    private static void find(Storage storage, int threads, double targetIops) throws Exception {
        ThreadSearch.Found search = search(storage, targetIops).run();
        assertThat(search.threads()).isEqualTo(threads);
        assertThat(storage.threads).as("threads that were left").isZero();
        assertThat(search.steps())
                .extracting(step -> Integer.valueOf(step.name(PhaseFigures.STEP)))
                .containsExactlyElementsOf(STEPS.subList(0, search.steps().size()))
                .contains(threads);
        for (Repeat step : search.steps()) {
            int tried = Integer.parseInt(step.name(PhaseFigures.STEP));
            double iops = storage.iops(tried);
            List<Column> columns = PhaseFigures.THREAD_STEPS.columns();
            // What was slower at first is left out.
            assertThat(columns.get(0).value(step))
                    .isBetween(iops * (1 - SCATTER), iops * (1 + SCATTER));
            assertThat(columns.get(1).value(step)).isBetween(1.99, 2.01);
            // The first is left out, and then three agree.
            assertThat(storage.sleeps).containsEntry(tried, 4);
            assertThat(columns.get(2).value(step)).isEqualTo(3.0 * SAMPLE.toSeconds());
        }
    }

    /** Samples that never agree are no reason to go on for ever. */
    @Test
    void endsWhereNoSamplesAgree() throws Exception {
        Storage storage = new Storage(new SplittableRandom(1), 1);
        storage.growth = 2;
        assertThat(search(storage, 1).run().threads()).isEqualTo(1);
        assertThat(storage.sleeps).containsEntry(1, 9);
    }
}
