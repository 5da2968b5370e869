package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.bench.qualify.phase.Phase;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.TransactionMix;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Proves on a small file system of its own, which something else fills up while transactions run, that
 * the run ends in one line that names the volume, takes its databases away, and keeps what it measured.
 */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class FullVolumeTest {
    private static final long VOLUME_BYTES = 160_000_000;
    private static final String BALLOON = "balloon";

    @TempDir
    Path folder;

    /**
     * A time in which a wait that is not short is over at once until a collection has begun, so that what
     * comes before it does not fill the volume. Any thread.
     */
    private record HurriedTime(CountDownLatch collecting, AtomicLong skippedNanos)
            implements Clock {
        @Override
        public long nanos() {
            return System.nanoTime() + skippedNanos.get();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            if (time.toMillis() < 100 || collecting.getCount() == 0) {
                Thread.sleep(time);
            } else {
                skippedNanos.addAndGet(time.toNanos());
            }
        }
    }

    @Test
    void aVolumeThatFillsUpEndsTheRunInOneLineAndWhatWasMeasuredIsKept() throws Exception {
        String obstacle = TestVolumes.obstacle();
        assumeTrue(obstacle == null, obstacle);
        Path database = folder.resolve("database");
        TestVolumes volumes = new TestVolumes(folder.resolve("state"));
        TestVolume volume = volumes.create(new TestVolumes.Request(database, VOLUME_BYTES, null));
        try {
            requireFullVolume(database);
        } finally {
            volumes.destroy(volume);
        }
    }

    private void requireFullVolume(Path database) throws Exception {
        Path log = Files.createDirectories(folder.resolve("log"));
        Path results = Files.createDirectory(folder.resolve("results"));
        TinyRequest request = new TinyRequest(database, log, Phase.PERFORMANCE, Phase.CHECKSUM);
        request.duration = Duration.ofSeconds(20);
        // Pages are written in their places: without new messages they need no room.
        request.mix =
                new TransactionMix(Map.of(TransactionKind.INSERT, 60, TransactionKind.READ, 40));
        CountDownLatch collecting = new CountDownLatch(1);
        request.time = new HurriedTime(collecting, new AtomicLong());
        Thread filler = Thread.ofPlatform().start(() -> fill(database, collecting));
        try {
            assertThatThrownBy(() -> request.run(results, collecting::countDown))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(UserError.class)
                    .hasMessageStartingWith("the database volume is full, at " + database)
                    .hasMessageContaining("make room there")
                    .hasMessageContaining("failed at a transaction")
                    .hasMessageNotContaining("\n");
        } finally {
            filler.interrupt();
            filler.join();
        }
        assertThat(database.toFile().list()).isSubsetOf(BALLOON, "lost+found");
        assertThat(log).isEmptyDirectory();
        Document written = DocumentFile.read(results, Qualification.KIND);
        assertThat(written.findings().verdict()).isNull();
        assertThat(written.findings().reasons())
                .singleElement()
                .asString()
                .startsWith("performance: failed after ")
                .contains("the database volume is full");
        assertThat(written.table(PhaseFigures.PHASES).rows()).singleElement().satisfies(row -> {
            assertThat(row.repeat().name(PhaseFigures.STOPPED)).startsWith("failed after ");
            assertThat(row.repeat().parts(InstanceFigures.INSTANCES))
                    .hasSize(2)
                    .allSatisfy(
                            instance -> assertThat(instance.count(IoCounter.TRANSACTIONS.counter()))
                                    .isPositive());
        });
        assertThat(DocumentFile.check(results, written).isClean()).isTrue();
        assertThat(Files.readString(results.resolve("report.md")))
                .contains("not judged", "volume is full");
    }

    /** Takes all room, in pieces and then in blocks, once a collection has begun. */
    private static void fill(Path volume, CountDownLatch collecting) {
        try {
            collecting.await();
            try (OutputStream balloon = Files.newOutputStream(volume.resolve(BALLOON))) {
                for (int bytes : new int[] {1 << 20, 1 << 12}) {
                    fill(balloon, new byte[bytes]);
                }
            }
        } catch (IOException | InterruptedException e) {
            // It is full, or the run has ended.
            return;
        }
    }

    private static void fill(OutputStream balloon, byte[] piece) {
        try {
            while (true) {
                balloon.write(piece);
            }
        } catch (IOException e) {
            // No such piece fits any more.
            return;
        }
    }
}
