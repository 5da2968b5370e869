package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.bench.qualify.phase.CacheFigures;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.QualifyRequest;
import org.hubmark.bench.qualify.phase.TransactionMix;
import org.hubmark.bench.qualify.report.Qualification;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Proves that each cache mode keeps what it says, by what the storage is still asked for. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class CacheComparisonTest {
    @TempDir
    private Path folder;

    /** With one thread for each database: what another has in hand is not read again. */
    private QualifyRequest request() throws IOException {
        QualifyRequest two = TinyRequest.of(
                Files.createDirectories(folder.resolve("db")),
                Files.createDirectories(folder.resolve("log")),
                Set.of(),
                false,
                Duration.ofSeconds(1),
                12_000_000,
                false,
                new TransactionMix(Map.of(TransactionKind.READ, 100)),
                List.of(CacheMode.OFF, CacheMode.METADATA, CacheMode.ALL));
        QualifyRequest.Load load = two.load();
        return new QualifyRequest(
                two.databases(),
                two.caches(),
                new QualifyRequest.Load(
                        load.targetIops(),
                        1,
                        load.mix(),
                        load.lazyShare(),
                        load.copies(),
                        load.maintenance(),
                        load.openLoop(),
                        load.seed()),
                two.test(),
                two.limits());
    }

    private Document compared(Path results) throws Exception {
        Document found = TinyRequest.run(request(), results);
        assertThat(found.exitCode()).isZero();
        Document read = DocumentFile.read(results, Qualification.KIND);
        assertThat(DocumentFile.check(results, read).isClean()).isTrue();
        return read;
    }

    private static double mean(Table caches, String mode, Column column) {
        return caches.estimate(caches.row("cache " + mode).orElseThrow(), column)
                .value();
    }

    /** The pairs of TR-3766. */
    @Test
    @Tag("published")
    void theStorageIsAskedForWhatAModeDoesNotKeep() throws Exception {
        Path results = Files.createDirectory(folder.resolve("results"));
        Document found = compared(results);
        assertThat(found.findings().verdict()).isNull();
        assertThat(found.table(PhaseFigures.PHASES).rows()).isEmpty();
        Table caches = found.table(CacheFigures.CACHES);
        assertThat(caches.rows())
                .extracting(row -> row.name(CacheFigures.CACHE))
                .containsExactly("off", "metadata", "all");
        assertThat(caches.rows())
                .allSatisfy(row -> assertThat(row.repeats()).hasSize(CacheComparison.ROUNDS));
        for (int round = 1; round <= CacheComparison.ROUNDS; round++) {
            int number = round;
            assertThat(CacheComparison.order(List.of("off", "metadata", "all"), 1, round).stream()
                            .map(mode -> started(caches, number, mode)))
                    .isSorted();
        }
        // The page of a folder, and leaves of its rows and contents; with off what is above them
        // too.
        assertThat(mean(caches, "off", CacheFigures.STORAGE_READS)).isGreaterThan(4.8);
        assertThat(mean(caches, "metadata", CacheFigures.STORAGE_READS)).isBetween(2.9, 3.3);
        assertThat(mean(caches, "all", CacheFigures.STORAGE_READS)).isLessThan(0.5);
        assertThat(mean(caches, "all", CacheFigures.CACHE_HITS))
                .isGreaterThan(mean(caches, "metadata", CacheFigures.CACHE_HITS));
        Column ratio = CacheFigures.AGAINST_FIRST.get(
                CacheFigures.COMPARED.indexOf(CacheFigures.STORAGE_READS));
        Estimate better = caches.estimate(caches.row("cache all").orElseThrow(), ratio);
        assertThat(better.value()).isLessThan(0.4);
        assertThat(Objects.requireNonNull(better.range()).high()).isLessThan(0.4);
        assertThat(Files.readString(results.resolve("report.md")))
                .startsWith("# Cache modes compared\n")
                .contains(" times the database I/O of cache off")
                .contains("8,000 users, SATA, without");
        assertThat(folder.resolve("db")).isEmptyDirectory();
    }

    @Test
    void theOrderOfARoundIsDrawn() {
        List<String> modes = List.of("off", "metadata", "all");
        Map<List<String>, Integer> counts = new HashMap<>();
        for (int seed = 1; seed <= 600; seed++) {
            for (int round = 1; round <= CacheComparison.ROUNDS; round++) {
                List<String> order = CacheComparison.order(modes, seed, round);
                assertThat(order).containsExactlyInAnyOrderElementsOf(modes);
                assertThat(CacheComparison.order(modes, seed, round)).isEqualTo(order);
                counts.merge(order, 1, Integer::sum);
            }
        }
        // Of 3,000 draws each of six orders has 500, give or take 20.
        assertThat(counts)
                .hasSize(6)
                .allSatisfy((order, count) -> assertThat(count).isBetween(400, 600));
    }

    private static Instant started(Table caches, int round, String mode) {
        return Instant.parse(caches.row("cache " + mode)
                .orElseThrow()
                .repeats()
                .get(round - 1)
                .name(PhaseFigures.STARTED));
    }
}
