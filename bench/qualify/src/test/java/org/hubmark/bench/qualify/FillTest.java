package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.qualify.result.FillFigures;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.PhaseVerdict;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Proves on a small file system of its own that the databases grow until the volume is as full as asked for, that
 * each fill has a row with its verdict, and that a volume less than half full is no plain pass.
 */
@Timeout(180)
class FillTest {
    private static final long VOLUME_BYTES = 400_000_000;
    private static final List<Integer> FILLS = List.of(30, 60);

    @TempDir
    Path folder;

    private TestVolumes volumes;

    @BeforeEach
    void requireLoopDevices() throws IOException {
        String obstacle = TestVolumes.obstacle("ext4");
        assumeTrue(obstacle == null, obstacle);
        volumes = new TestVolumes(folder.resolve("state"));
    }

    @AfterEach
    void unmount() throws IOException {
        for (TestVolume volume : volumes == null ? List.<TestVolume>of() : volumes.list()) {
            volumes.destroy(volume);
        }
    }

    @Test
    void theDatabasesGrowFromOneFillToTheNext() throws Exception {
        Path database = folder.resolve("database");
        var unused =
                volumes.create(new TestVolumes.Request(database, "ext4", VOLUME_BYTES, null, null));
        QualifyRequest plain = TinyRequest.of(
                database,
                Files.createDirectory(folder.resolve("log")),
                EnumSet.noneOf(Phase.class),
                false,
                Duration.ofSeconds(2),
                12_000_000,
                false,
                TransactionMix.parse("insert=3,delete=2,read=95"));
        Path results = Files.createDirectory(folder.resolve("results"));
        Document found = TinyRequest.run(
                new QualifyRequest(
                        plain.databases(),
                        plain.caches(),
                        plain.load(),
                        new QualifyRequest.Test(Set.of(), Duration.ofSeconds(2), 1 << 20, FILLS),
                        plain.thresholds()),
                results);
        List<Row> rows = found.table(FillFigures.FILLS).rows();
        assertThat(rows).hasSize(FILLS.size());
        for (int i = 0; i < FILLS.size(); i++) {
            Row row = rows.get(i);
            assertThat(row.number(FillFigures.FILL)).isEqualTo((double) FILLS.get(i));
            Repeat volume = row.repeat().parts(VolumeFigures.VOLUMES).getFirst();
            assertThat(VolumeFigures.USED_PERCENT.value(volume))
                    .isBetween(FILLS.get(i) - 5.0, FILLS.get(i) + 10.0);
            PhaseVerdict verdict = PhaseVerdict.of(found, row);
            TinyRequest.requireGood(verdict.reasons(), verdict.text());
            assertThat(verdict.caveats().toString().contains("less than half"))
                    .isEqualTo(i == 0 && verdict.passes() != null);
        }
        TinyRequest.requireGood(found.findings().reasons(), found.findings().verdict());
        assertThat(found.table(PhaseFigures.PHASES).rows()).isEmpty();
        assertThat(DocumentFile.check(results, DocumentFile.read(results, Qualification.KIND))
                        .isClean())
                .isTrue();
        assertThat(Files.readString(results.resolve("report.md"))).contains("Volumes at each fill");
        assertThat(database).isDirectoryNotContaining("glob:**hubmark-db*");
    }
}
