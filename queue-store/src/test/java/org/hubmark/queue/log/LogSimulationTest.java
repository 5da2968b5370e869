package org.hubmark.queue.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.queue.log.LogFixture.Entry;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/**
 * Proves that no crash costs the log anything that was synced, nor makes it show anything that was
 * not written or was written in another order: random groups, rotations and recycling on a volume
 * that loses, tears and reorders what was not synced and fails writes and syncs, with reopening
 * after each crash. One thread; a failure names its seed.
 */
final class LogSimulationTest {
    private static final long SHORT_SEEDS = 200;
    private static final long LONG_SEEDS = 5000;
    private static final int CRASHES = 6;

    @Test
    void everythingSyncedSurvivesInOrder() {
        run(0, SHORT_SEEDS);
    }

    @Test
    @Tag("long")
    void everythingSyncedSurvivesInOrderManyTimes() {
        run(SHORT_SEEDS, LONG_SEEDS);
    }

    private static void run(long from, long to) {
        long failures = 0;
        for (long seed = from; seed < to; seed++) {
            try {
                failures += new Simulation(seed).run();
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        // A simulation in which nothing ever fails would prove little.
        assertThat(failures).isGreaterThan((to - from) / 2);
    }

    private static final class PowerIsGone extends IOException {}

    /** One history. */
    private static final class Simulation {
        private final long seed;
        private final Random random;
        private final SimulatedVolume volume = new SimulatedVolume("log");
        /** What was written and not lost, by sequence. */
        private final TreeMap<Long, Entry> written = new TreeMap<>();

        /** What comes before was recycled and may be gone. */
        private long neededFrom = 1;

        private long syncedThrough;
        private long replayFrom;

        /** What a queue volume would know: never more than what a crash leaves. */
        private LogWitness witness = LogWitness.NONE;

        private long nextId = 1;
        private int failures;

        Simulation(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        int run() throws IOException {
            for (int life = 0; life < CRASHES; life++) {
                Replay replay = new Replay();
                IntakeLog log = open(replay);
                if (log == null) {
                    continue;
                }
                check(log, replay.found, replay.sequences);
                live(log);
                if (log.witness().generation() > witness.generation()) {
                    witness = log.witness();
                }
                if (random.nextInt(4) == 0) {
                    volume.kill();
                } else {
                    volume.crash(random.nextLong());
                }
            }
            return failures;
        }

        /** {@return null if the power went, as it does in some starts at what follows from a record} */
        private @Nullable IntakeLog open(Replay replay) throws IOException {
            try {
                return IntakeLog.open(
                        volume,
                        LogFixture.STORE,
                        LogFixture.SIZE,
                        new Counterpart(replayFrom, () -> 0, witness),
                        replay,
                        new LogDamage(false, Long::toString),
                        Runnable::run);
            } catch (PowerIsGone e) {
                volume.crash(random.nextLong());
                return null;
            }
        }

        /** Keeps what it visits, and writes now and then, after which it must not be lost. */
        private final class Replay implements LogRecord.Visitor {
            private final List<Entry> found = new ArrayList<>();
            private final List<Long> sequences = new ArrayList<>();

            @Override
            public void visit(LogRecord record) {
                found.add(LogFixture.entry(record));
                sequences.add(record.sequence());
            }

            @Override
            public boolean isFull() {
                return random.nextInt(16) == 0;
            }

            @Override
            public void write() throws IOException {
                syncedThrough = Math.max(syncedThrough, sequences.getLast());
                if (random.nextInt(4) == 0) {
                    throw new PowerIsGone();
                }
            }
        }

        private void check(IntakeLog log, List<Entry> found, List<Long> sequences) {
            long last = log.recovered().lastSequence();
            assertThat(last).as("synced, seed %d", seed).isGreaterThanOrEqualTo(syncedThrough);
            Segment oldest = log.segments().find(log.segments().oldestGeneration());
            long first = oldest == null ? 1 : oldest.firstSequence();
            assertThat(first).as("oldest").isLessThanOrEqualTo(Math.min(neededFrom, last + 1));
            assertThat(found).hasSize((int) (last - first + 1));
            for (int i = 0; i < found.size(); i++) {
                assertThat(sequences.get(i)).isEqualTo(first + i);
                assertThat(found.get(i)).isEqualTo(written.get(first + i));
            }
            // What was lost may be written again under the same sequence.
            written.tailMap(last, false).clear();
            neededFrom = Math.min(neededFrom, last + 1);
            syncedThrough = last;
        }

        private void live(IntakeLog log) {
            int fault = random.nextInt(4);
            if (fault == 0) {
                volume.failSync(1 + random.nextInt(30), random.nextLong());
            } else if (fault == 1) {
                volume.failWrite(1 + random.nextInt(60), random.nextLong());
            }
            int style = random.nextInt(3);
            try {
                int steps = random.nextInt(60);
                for (int i = 0; i < steps; i++) {
                    step(log, style);
                }
            } catch (IOException e) {
                failures++;
                requireNothingMore(log);
            }
        }

        private void step(IntakeLog log, int style) throws IOException {
            LogWriter writer = log.writer();
            int count = 1 + random.nextInt(5);
            for (int i = 0; i < count; i++) {
                Entry entry =
                        LogFixture.random(random, nextId++, random.nextInt(6) == 0 ? 40_000 : 8000);
                while (!writer.fits(entry.head().length(), entry.content().length())) {
                    if (writer.recordCount() > 0) {
                        commit(writer, style);
                    } else {
                        openNext(log, style);
                    }
                }
                LogFixture.add(writer, entry);
                written.put(writer.lastSequence(), entry);
            }
            commit(writer, style);
        }

        /** Style 0 syncs each group, 1 some, 2 none: the three durability classes. */
        private void commit(LogWriter writer, int style) throws IOException {
            writer.write();
            if (style == 0 || (style == 1 && random.nextInt(4) == 0)) {
                writer.sync();
                syncedThrough = writer.syncedThrough();
            }
        }

        private void openNext(IntakeLog log, int style) throws IOException {
            while (!log.writer().openNext(style != 2)) {
                recycleOldest(log);
            }
            syncedThrough = log.writer().syncedThrough();
            if (random.nextInt(3) == 0 && log.segments().liveCount() > 1) {
                recycleOldest(log);
            }
        }

        private void recycleOldest(IntakeLog log) {
            long oldest = log.segments().oldestGeneration();
            long next = log.segments().generationAfter(oldest);
            neededFrom = Objects.requireNonNull(log.segments().find(next)).firstSequence();
            if (random.nextBoolean()) {
                // A checkpoint has told the database; otherwise nothing in it was alive.
                replayFrom = next;
            }
            log.segments().recycle(oldest);
        }

        private void requireNothingMore(IntakeLog log) {
            long calls = volume.writes() + volume.syncs();
            try {
                log.writer().write();
                log.writer().sync();
                throw new AssertionError("went on after a failed write or sync");
            } catch (IOException e) {
                assertThat(volume.writes() + volume.syncs()).isEqualTo(calls);
            }
        }
    }
}
