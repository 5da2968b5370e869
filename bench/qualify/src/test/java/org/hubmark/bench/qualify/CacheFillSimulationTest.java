package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.qualify.pages.PageCache;
import org.hubmark.bench.qualify.result.IoCounts;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Proves in simulated time how a warm-up ends: databases of random sizes, some of them slow, are read
 * through a cache that keeps everything, and of each read the test knows where it came from.
 */
class CacheFillSimulationTest {
    private static final int RUNS = 300;
    private static final long BLOCK_BYTES = 1000;
    private static final long READ_NANOS = 100_000;

    /** No wait is longer than that between two looks. */
    private static final Duration LOOK_MAX = Duration.ofMillis(100);

    /** A database whose messages have a block each. */
    private static final class Database {
        private final int messages;
        private final BitSet cached;
        /** While it waits for its storage nothing is read. */
        private long stoppedUntilNanos;

        private long reads;
        private long storageReads;
        private long readsSinceStorage;

        private Database(int messages) {
            this.messages = messages;
            this.cached = new BitSet(messages);
        }

        private void read(SplittableRandom random) {
            int message = random.nextInt(messages);
            reads++;
            if (cached.get(message)) {
                readsSinceStorage++;
            } else {
                cached.set(message);
                storageReads++;
                readsSinceStorage = 0;
            }
        }
    }

    /** Reads each database once in {@link #READ_NANOS} while somebody sleeps. */
    private static final class Simulation implements TransactionLoop, Clock {
        private final SplittableRandom random;
        private final List<Database> databases = new ArrayList<>();
        private long nanos;
        private boolean reading;
        private boolean stopped;

        private Simulation(SplittableRandom random) {
            this.random = random;
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                Database database = new Database(random.nextInt(1, 1000));
                if (random.nextInt(4) == 0) {
                    database.stoppedUntilNanos = random.nextLong(2_000_000_000L);
                }
                databases.add(database);
            }
        }

        private long readableBytes() {
            return BLOCK_BYTES
                    * databases.stream().mapToLong(one -> one.messages).sum();
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void sleep(Duration time) {
            assertThat(reading).isTrue();
            assertThat(time).isPositive().isLessThanOrEqualTo(LOOK_MAX);
            for (long left = time.toNanos(); left > 0; left -= READ_NANOS) {
                nanos += READ_NANOS;
                for (Database database : databases) {
                    if (nanos >= database.stoppedUntilNanos) {
                        database.read(random);
                    }
                }
            }
        }

        private TransactionLoop begin() {
            assertThat(reading).isFalse();
            reading = true;
            return this;
        }

        @Override
        public void requireSound() {
            assertThat(reading).isTrue();
        }

        @Override
        public void close() {
            assertThat(reading).isTrue();
            reading = false;
            stopped = true;
        }

        @Override
        public IoCounts counts() {
            return IoCounts.NONE;
        }

        private long usedBytes() {
            return BLOCK_BYTES
                    * databases.stream()
                            .mapToLong(one -> one.cached.cardinality())
                            .sum();
        }

        private CacheFill fill(long wanted, Duration max) {
            return new CacheFill(this::begin, this::seen, this::usedBytes, wanted, max, this);
        }

        private List<CacheFill.Count> seen() {
            return databases.stream()
                    .map(one -> new CacheFill.Count(one.messages, one.reads, one.storageReads))
                    .toList();
        }
    }

    @Test
    void endsFullCompleteOrLateAndSaysWhich() {
        long first = System.nanoTime();
        Set<CacheFill.End> ends = EnumSet.noneOf(CacheFill.End.class);
        for (long seed = first; seed < first + RUNS; seed++) {
            try {
                ends.add(run(new SplittableRandom(seed)));
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(ends).as("from seed %d on", first).containsOnly(CacheFill.End.values());
    }

    private static CacheFill.End run(SplittableRandom random) throws Exception {
        Simulation simulation = new Simulation(random);
        // Some of what lies on the storage is never read.
        long storedBytes = (long) (simulation.readableBytes() * random.nextDouble(1, 1.3));
        long wanted = (long) (storedBytes * PageCache.WARM_SHARE);
        Duration max = Duration.ofMillis(random.nextLong(5000));
        CacheFill.Outcome outcome = simulation.fill(wanted, max).run();
        assertThat(simulation.reading).isFalse();
        assertThat(outcome.usedBytes()).isEqualTo(simulation.usedBytes());
        boolean full = outcome.usedBytes() >= wanted;
        boolean complete =
                simulation.databases.stream().allMatch(one -> one.readsSinceStorage > one.messages);
        switch (outcome.end()) {
            case FULL -> assertThat(full).isTrue();
            case COMPLETE -> {
                assertThat(full).isFalse();
                assertThat(complete).isTrue();
            }
            case LATE -> {
                assertThat(full).isFalse();
                assertThat(simulation.nanos)
                        .isBetween(max.toNanos(), max.plus(LOOK_MAX).toNanos());
            }
        }
        if (outcome.end() != CacheFill.End.LATE) {
            assertThat(simulation.nanos).isLessThanOrEqualTo(max.plus(LOOK_MAX).toNanos());
        }
        return outcome.end();
    }

    @Test
    void readsNothingWhereThereIsNoTime() throws Exception {
        Simulation simulation = new Simulation(new SplittableRandom(1));
        CacheFill.Outcome outcome =
                simulation.fill(simulation.readableBytes(), Duration.ZERO).run();
        assertThat(outcome.end()).isEqualTo(CacheFill.End.LATE);
        assertThat(simulation.stopped).as("it was begun").isFalse();
    }
}
