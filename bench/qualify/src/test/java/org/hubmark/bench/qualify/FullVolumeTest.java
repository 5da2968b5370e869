package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.bench.qualify.phase.Phase;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.QualifyRequest;
import org.hubmark.bench.qualify.phase.TransactionMix;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Proves on a small file system of its own, which something else fills up while transactions run, that
 * the run ends in one line that names the volume, takes its databases away, and keeps what it measured.
 */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class FullVolumeTest {
    private static final long VOLUME_BYTES = 160_000_000;
    private static final String BALLOON = "balloon";

    /** Pages are written in their places: without new messages they need no room. */
    private static final TransactionMix INSERTS =
            new TransactionMix(Map.of(TransactionKind.INSERT, 60, TransactionKind.READ, 40));

    @TempDir
    Path folder;

    private TestVolumes volumes;
    private Path results;

    @BeforeEach
    void requireLoopDevices() throws IOException {
        String obstacle = TestVolumes.obstacle();
        assumeTrue(obstacle == null, obstacle);
        volumes = new TestVolumes(folder.resolve("state"));
        results = Files.createDirectory(folder.resolve("results"));
    }

    @AfterEach
    void unmount() throws IOException {
        for (TestVolume volume : volumes == null ? List.<TestVolume>of() : volumes.list()) {
            volumes.destroy(volume);
        }
    }

    @Test
    void aVolumeThatFillsUpEndsTheRunInOneLineAndWhatWasMeasuredIsKept() throws Exception {
        String full = "database";
        Path small = folder.resolve(full);
        var unused = volumes.create(new TestVolumes.Request(small, VOLUME_BYTES, null));
        Path database = Files.createDirectories(folder.resolve("database"));
        Path log = Files.createDirectories(folder.resolve("log"));
        QualifyRequest request = TinyRequest.of(
                database,
                log,
                EnumSet.of(Phase.PERFORMANCE, Phase.CHECKSUM),
                false,
                Duration.ofSeconds(20),
                12_000_000,
                false,
                INSERTS);
        HurriedTime time = new HurriedTime();
        Thread filler = Thread.ofPlatform().start(() -> fillWhenCollecting(small, time));
        try {
            assertThatThrownBy(() -> run(request, time))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(UserError.class)
                    .hasMessageStartingWith("the " + full + " volume is full, at " + small)
                    .hasMessageContaining("make room there")
                    .hasMessageContaining("failed at a transaction")
                    .hasMessageNotContaining("\n");
        } finally {
            filler.interrupt();
            filler.join();
        }
        assertThat(names(database)).isSubsetOf(BALLOON, "lost+found");
        assertThat(names(log)).isSubsetOf(BALLOON, "lost+found");
        Document written = DocumentFile.read(results, Qualification.KIND);
        assertThat(written.findings().verdict()).isNull();
        assertThat(written.findings().reasons())
                .singleElement()
                .asString()
                .startsWith("performance: failed after ")
                .contains("the " + full + " volume is full");
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

    private void run(QualifyRequest request, HurriedTime time) throws Exception {
        try (QualifyStudy study = new QualifyStudy(request)) {
            var unused = TinyRequest.run(study, request, results, time, time::phase);
        }
    }

    private static void fillWhenCollecting(Path volume, HurriedTime time) {
        try {
            time.awaitCollecting();
        } catch (InterruptedException e) {
            return;
        }
        byte[] much = new byte[1 << 20];
        byte[] rest = new byte[1 << 12];
        try (OutputStream balloon = Files.newOutputStream(volume.resolve(BALLOON))) {
            for (byte[] piece : List.of(much, rest)) {
                fill(balloon, piece);
            }
        } catch (IOException e) {
            // It is full.
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

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }
}
