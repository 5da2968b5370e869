package org.hubmark.queue.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.queue.log.LogFixture.Entry;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/**
 * Proves that no fault costs the log anything that was synced, nor makes it show anything that was not written or was
 * written in another order: at each operation in turn of groups, rotations and recycling the power goes, or a write or
 * a sync fails. What the start after that has found is there after a power cut, too, and so is what a start has handed
 * over when it is cut itself.
 */
final class LogSimulationTest {
    private static final int GROUPS = 24;

    /** All groups are synced, some, or none: the three durability classes. */
    private static final int CLASSES = 3;

    enum Fault {
        CUT,
        WRITE,
        SYNC
    }

    @ParameterizedTest
    @EnumSource
    void everythingSyncedSurvivesInOrder(Fault fault) throws IOException {
        int faults = 0;
        for (int durability = 0; durability < CLASSES; durability++) {
            for (int nth = 1; new History().fails(fault, nth, durability); nth++) {
                faults++;
            }
        }
        assertThat(faults).isGreaterThan(50);
    }

    private static final class PowerIsGone extends IOException {}

    /** One of a log whose ids are its sequences. */
    private static final class History {
        private final SimulatedVolume volume = new SimulatedVolume("log");
        private final List<Entry> written = new ArrayList<>();

        /** What comes before was recycled and may be gone. */
        private long neededFrom = 1;

        private long syncedThrough;

        /** {@return whether the fault has come} */
        boolean fails(Fault fault, int nth, int durability) throws IOException {
            IntakeLog log = LogFixture.open(volume, new ArrayList<>());
            switch (fault) {
                case CUT -> volume.callBefore(nth, () -> volume.cut(nth));
                case WRITE -> volume.failWrite(nth, nth);
                case SYNC -> volume.failSync(nth, nth);
            }
            boolean failed = false;
            try {
                live(log, new Random(nth), durability);
            } catch (IOException e) {
                failed = true;
            }
            syncedThrough = log.writer().syncedThrough();
            volume.turnOn();
            volume.kill();
            if (nth % 2 == 0) {
                syncedThrough = Math.max(syncedThrough, startThatIsCut());
                volume.crash(nth);
            }
            syncedThrough = reopen(nth);
            volume.crash(nth);
            reopen(nth);
            return failed;
        }

        private void live(IntakeLog log, Random random, int durability) throws IOException {
            LogWriter writer = log.writer();
            SegmentPool segments = log.segments();
            for (int i = 0; i < GROUPS; i++) {
                Entry entry = LogFixture.random(random, i + 1L, i % 6 == 0 ? 40_000 : 8_000);
                written.add(entry);
                if (!writer.fits(entry.head().length(), entry.content().length())
                        && !writer.openNext(durability < 2)) {
                    throw new IOException("no room");
                }
                LogFixture.add(writer, entry);
                writer.write();
                if (durability == 0 || (durability == 1 && random.nextBoolean())) {
                    writer.sync();
                }
                if (segments.liveCount() > 2) {
                    long oldest = segments.oldestGeneration();
                    Segment next = segments.find(segments.generationAfter(oldest));
                    neededFrom = Objects.requireNonNull(next).firstSequence();
                    segments.recycle(oldest);
                }
            }
        }

        /** {@return the last sequence that it has written elsewhere when the power goes} */
        private long startThatIsCut() throws IOException {
            long[] last = {0};
            LogRecord.Visitor visitor = new LogRecord.Visitor() {
                @Override
                public void visit(LogRecord record) {
                    last[0] = record.sequence();
                }

                @Override
                public boolean isFull() {
                    return last[0] % 5 == 4;
                }

                @Override
                public void write() throws IOException {
                    throw new PowerIsGone();
                }
            };
            LogDamage damage = new LogDamage(false, Long::toString);
            try {
                LogFixture.open(volume, Counterpart.NONE, visitor, damage).close();
            } catch (PowerIsGone e) {
                // What it was given before must not be lost.
            }
            return last[0];
        }

        /** {@return the last sequence that is there} */
        private long reopen(int nth) throws IOException {
            List<Entry> found = new ArrayList<>();
            try (IntakeLog log = LogFixture.open(volume, found)) {
                int last = (int) log.recovered().lastSequence();
                int before = last - found.size();
                assertThat(last).as("fault %d", nth).isGreaterThanOrEqualTo((int) syncedThrough);
                assertThat(found).as("fault %d", nth).isEqualTo(written.subList(before, last));
                assertThat(before).as("fault %d", nth).isLessThan((int) neededFrom);
                return last;
            }
        }
    }
}
