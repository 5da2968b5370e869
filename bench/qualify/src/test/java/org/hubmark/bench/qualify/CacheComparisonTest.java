package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.bench.qualify.phase.CacheFigures;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.TransactionMix;
import org.hubmark.bench.qualify.report.Qualification;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Proves that each cache mode keeps what it says, by what the storage is still asked for. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class CacheComparisonTest {
    private static final List<String> MODES = List.of("off", "metadata", "all");

    @TempDir
    private Path folder;

    /** With one thread for each database: what another has in hand is not read again. The pairs of TR-3766. */
    @Test
    @Tag("published")
    void theStorageIsAskedForWhatAModeDoesNotKeep() throws Exception {
        Path database = Files.createDirectories(folder.resolve("db"));
        Path results = Files.createDirectory(folder.resolve("results"));
        TinyRequest request =
                new TinyRequest(database, Files.createDirectories(folder.resolve("log")));
        request.duration = Duration.ofSeconds(1);
        request.mix = new TransactionMix(Map.of(TransactionKind.READ, 100));
        request.cacheModes = List.of(CacheMode.OFF, CacheMode.METADATA, CacheMode.ALL);
        request.threads = 1;
        assertThat(request.run(results).exitCode()).isZero();
        Document found = DocumentFile.read(results, Qualification.KIND);
        assertThat(DocumentFile.check(results, found).isClean()).isTrue();
        assertThat(found.findings().verdict()).isNull();
        assertThat(found.table(PhaseFigures.PHASES).rows()).isEmpty();
        Table caches = found.table(CacheFigures.CACHES);
        assertThat(caches.rows())
                .extracting(row -> row.name(CacheFigures.CACHE))
                .isEqualTo(MODES);
        for (int round = 1; round <= CacheComparison.ROUNDS; round++) {
            int place = round - 1;
            assertThat(CacheComparison.order(MODES, 1, round))
                    .extracting(mode -> Instant.parse(
                            row(caches, mode).repeats().get(place).name(PhaseFigures.STARTED)))
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
        Estimate better = caches.estimate(row(caches, "all"), ratio);
        assertThat(Objects.requireNonNull(better.range()).high()).isLessThan(0.4);
        assertThat(Files.readString(results.resolve("report.md")))
                .startsWith("# Cache modes compared\n");
        assertThat(database).isEmptyDirectory();
    }

    private static Row row(Table caches, String mode) {
        return caches.row("cache " + mode).orElseThrow();
    }

    private static double mean(Table caches, String mode, Column column) {
        return caches.estimate(row(caches, mode), column).value();
    }

    @Test
    void theOrderOfARoundIsDrawn() {
        Map<List<String>, Integer> counts = new HashMap<>();
        for (int seed = 1; seed <= 600; seed++) {
            for (int round = 1; round <= CacheComparison.ROUNDS; round++) {
                List<String> order = CacheComparison.order(MODES, seed, round);
                assertThat(CacheComparison.order(MODES, seed, round)).isEqualTo(order);
                counts.merge(order, 1, Integer::sum);
            }
        }
        // Of 3,000 draws each of six orders has 500, give or take 20.
        assertThat(counts)
                .hasSize(6)
                .allSatisfy((order, count) -> assertThat(count).isBetween(400, 600));
    }
}
