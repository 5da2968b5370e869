package org.hubmark.bench.qualify.phase;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Proves how many threads are found, by a storage of a known number of channels whose rate scatters, and
 * which more threads than channels make no faster.
 */
class ThreadSearchTest {
    private static final int RUNS = 300;
    private static final List<Integer> STEPS = List.of(1, 2, 3, 4, 6, 8, 12, 16, 24, 32);

    /** Little more than 16 or 24: a gain of about the share that is asked for. */
    private static final List<Integer> UNCLEAR = List.of(17, 25);

    /** Of the rate at most. */
    private static final double SCATTER = 0.002;

    /** One channel does so many reads a second. */
    private static final double CHANNEL_IOPS = 10_000;

    private static double iops(int threads, int channels) {
        return CHANNEL_IOPS * Math.min(threads, channels);
    }

    /** {@return what a second of a storage of so many channels is} */
    private static Repeat second(int threads, int channels, SplittableRandom random) {
        double reads = iops(threads, channels) * (1 + random.nextDouble(-SCATTER, SCATTER));
        return new IoCounts(Map.of(IoCounter.DB_READS, (long) reads))
                .counted()
                .name(PhaseFigures.STEP, threads)
                .count(InstanceFigures.COLLECTION_NS, 1e9)
                .made();
    }

    private static int firstStep(double atLeast) {
        return STEPS.stream().filter(step -> step >= atLeast).findFirst().orElseThrow();
    }

    @Test
    void findsTheKneeOrWhatIsEnough() throws Exception {
        long first = Long.getLong("hubmark.seed", 1);
        for (long seed = first; seed < first + RUNS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int channels = channels(random);
            find(random, channels, firstStep(channels), Double.POSITIVE_INFINITY, seed);
            // Nearer to a step than the scatter it may be that one or the next.
            double enough = random.nextInt(channels) + random.nextDouble(0.1, 0.9);
            find(random, channels, firstStep(enough), enough * CHANNEL_IOPS / 1.2, seed);
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

    private static void find(
            SplittableRandom random, int channels, int threads, double targetIops, long seed)
            throws Exception {
        ThreadSearch.Found found =
                new ThreadSearch(step -> second(step, channels, random), targetIops).run();
        assertThat(found.threads()).as("seed %d", seed).isEqualTo(threads);
        assertThat(found.steps())
                .as("seed %d", seed)
                .extracting(step -> Integer.valueOf(step.name(PhaseFigures.STEP)))
                .containsExactlyElementsOf(STEPS.subList(0, found.steps().size()))
                .contains(threads);
    }
}
