package org.hubmark.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.queue.log.LogFixture.STORE;

import org.hubmark.queue.log.LogFixture.Entry;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Proves what random histories of the log don't show: single reads while segments are recycled,
 * segments of another size, and what becomes of a log without room.
 */
final class IntakeLogTest {
    @TempDir
    Path folder;

    @Test
    void readsSingleRecordsUntilTheirSegmentIsRecycled() throws IOException {
        try (IntakeLog log = LogFixture.open(new DirectoryVolume(folder), new ArrayList<>())) {
            Entry first = new Entry(RecordType.ENQUEUE, 1, "envelope", "content".repeat(100));
            LogPosition position = LogFixture.add(log.writer(), first);
            log.writer().write();
            LogRecord read = Objects.requireNonNull(log.reader().read(position));
            assertThat(LogFixture.entry(read)).isEqualTo(first);

            log.writer().openNext(true);
            log.segments().recycle(position.generation);
            assertThat(log.reader().read(position)).isNull();
        }
    }

    /** The device said that it was written, and there is nothing: nobody but the log itself knows. */
    @Test
    void aNewestSegmentWhoseHeaderWasLostIsMissed() throws IOException {
        SimulatedVolume volume = new SimulatedVolume("log");
        try (IntakeLog log = LogFixture.open(volume, new ArrayList<>())) {
            log.writer().openNext(true);
            LogFixture.commit(log.writer(), new Entry(RecordType.ENQUEUE, 1, "h", "c"));
            log.writer().openNext(true);
            LogFixture.commit(log.writer(), new Entry(RecordType.ENQUEUE, 2, "h", "c"));
        }
        List<Entry> found = new ArrayList<>();
        LogFixture.open(volume, found).close();
        assertThat(found).extracting(Entry::id).containsExactly(1L, 2L);

        try (VolumeFile newest = volume.open(LogFormat.segmentName(2))) {
            ByteBuffer zeros = ByteBuffer.allocate(LogFormat.PAGE_BYTES);
            newest.write(0, new ByteBuffer[] {zeros}, 1);
        }
        assertThatThrownBy(() -> LogFixture.open(volume, new ArrayList<>()))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("the log went on in generation 2")
                .hasMessageContaining(LogFormat.segmentName(2) + " has none");
    }

    @Test
    void replacesSegmentsOfAnotherSize() throws IOException {
        DirectoryVolume volume = new DirectoryVolume(folder);
        List<Entry> written;
        try (IntakeLog log = LogFixture.open(volume, new ArrayList<>())) {
            written = LogFixture.commitGroups(log, 20, 4);
        }
        List<Entry> found = new ArrayList<>();
        IntakeLog.Size larger = new IntakeLog.Size(128 << 10, 6, 0);
        try (IntakeLog log = IntakeLog.open(
                volume,
                STORE,
                larger,
                Counterpart.NONE,
                r -> found.add(LogFixture.entry(r)),
                new LogDamage(false, Long::toString),
                Runnable::run)) {
            assertThat(found).isEqualTo(written);
            log.writer().openNext(true);
            LogFixture.commit(log.writer(), written.getFirst());
            while (log.segments().liveCount() > 1) {
                log.segments().recycle(log.segments().oldestGeneration());
            }
            log.writer().openNext(true);
        }
        for (String name : volume.list()) {
            assertThat(folder.resolve(name)).hasSize(128 << 10);
        }
    }

    /** Nor does it ask the volume each time. */
    @Test
    void aFullVolumeGivesNoSegmentUntilThereIsRoom() throws Exception {
        SimulatedVolume volume = new SimulatedVolume("log");
        volume.limit(100 << 10);
        try (IntakeLog log = LogFixture.open(volume, new ArrayList<>())) {
            assertThat(log.writer().openNext(true)).isTrue();
            long writes = volume.writes();
            for (int i = 0; i < 1000; i++) {
                assertThat(log.writer().openNext(true)).isFalse();
            }
            // One attempt is two writes at most; a thousand questions are no thousand attempts.
            assertThat(volume.writes() - writes).isLessThan(100);
            assertThat(log.segments().full()).isNotNull();
            volume.limit(1 << 20);
            assertThat(log.segments().awaitSpare(Duration.ofSeconds(10))).isTrue();
            assertThat(log.segments().full()).isNull();
        }
        assertThat(volume.list()).containsExactly("segment-000001.log", "segment-000002.log");
    }

    @Test
    void numbersMayHaveMoreThanSixDigits() throws IOException {
        DirectoryVolume volume = new DirectoryVolume(folder);
        List<Entry> written;
        try (IntakeLog log = LogFixture.open(volume, new ArrayList<>())) {
            written = LogFixture.commitGroups(log, 20, 4);
        }
        volume.rename("segment-000002.log", "segment-999999.log");
        try (IntakeLog log = LogFixture.open(volume, new ArrayList<>())) {
            written.addAll(LogFixture.commitGroups(log, 20, 5));
        }
        assertThat(volume.list()).contains("segment-1000000.log");
        List<Entry> found = new ArrayList<>();
        LogFixture.open(volume, found).close();
        assertThat(found).isEqualTo(written);
    }

    @Test
    void noFileIsEverReplaced() throws IOException {
        SimulatedVolume simulated = new SimulatedVolume("log");
        for (Volume volume : List.of(new DirectoryVolume(folder), simulated)) {
            volume.create("a").close();
            volume.create("b").close();
            assertThatThrownBy(() -> volume.rename("a", "b"))
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> volume.create("b"))
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThat(volume.list()).containsExactly("a", "b");
        }
    }

    @Test
    void nothingIsRetriedAfterAFailedSyncOrWrite() throws IOException {
        for (boolean sync : new boolean[] {true, false}) {
            SimulatedVolume volume = new SimulatedVolume("log");
            IntakeLog log = LogFixture.open(volume, new ArrayList<>());
            List<Entry> written = LogFixture.commitGroups(log, 3, 5);
            if (sync) {
                volume.failSync(1, 1);
            } else {
                volume.failWrite(1, 1);
            }
            assertThatThrownBy(() -> LogFixture.commit(log.writer(), written.getFirst()))
                    .hasMessageContaining("segment-000001.log")
                    .hasMessageContaining(sync ? "sync failed" : "write failed");
            long calls = volume.syncs() + volume.writes();
            assertThatThrownBy(() -> log.writer().sync()).hasMessageContaining("failed before");
            assertThatThrownBy(() -> log.writer().write()).hasMessageContaining("failed before");
            assertThatThrownBy(() -> log.writer().openNext(true))
                    .hasMessageContaining("failed before");
            assertThat(volume.syncs() + volume.writes()).isEqualTo(calls);
            assertThat(log.writer().syncedThrough()).isEqualTo(3);
        }
    }

    @Test
    void interruptedReadersAndRecyclingNeitherHarmTheWriterNorGiveForeignBytes() throws Exception {
        DirectoryVolume volume = new DirectoryVolume(folder);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        AtomicReference<LogPosition> newest = new AtomicReference<>();
        AtomicLong reads = new AtomicLong();
        CountDownLatch done = new CountDownLatch(1);
        try (IntakeLog log = LogFixture.open(volume, new ArrayList<>())) {
            var readers = List.of(
                    threads.submit(() -> read(log, newest, reads, done, false)),
                    threads.submit(() -> read(log, newest, reads, done, true)));
            for (int i = 1; i <= 2000 || reads.get() < 100; i++) {
                if (readers.stream().anyMatch(reader -> reader.isDone())) {
                    // It failed; get() below says why.
                    break;
                }
                Entry entry = new Entry(RecordType.ENQUEUE, i, "h", "content " + i);
                LogPosition position = LogFixture.add(log.writer(), entry);
                log.writer().write();
                newest.set(position);
                if (i % 12 == 0) {
                    log.writer().openNext(false);
                    log.segments().recycle(log.segments().oldestGeneration());
                }
            }
            done.countDown();
            for (var reader : readers) {
                reader.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean read(
            IntakeLog log,
            AtomicReference<LogPosition> newest,
            AtomicLong reads,
            CountDownLatch done,
            boolean interrupted)
            throws IOException {
        while (done.getCount() > 0) {
            LogPosition position = newest.get();
            if (position == null) {
                continue;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            LogRecord record = log.reader().read(position);
            assertThat(Thread.interrupted()).isEqualTo(interrupted);
            if (record != null) {
                assertThat(LogFixture.text(record.content())).isEqualTo("content " + record.id());
                reads.incrementAndGet();
            }
        }
        return true;
    }
}
