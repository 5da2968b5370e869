package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.qualify.result.Qualification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Proves that each cache mode keeps what it says, by what the storage is still asked for. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class CacheComparisonTest {
    @TempDir
    private Path folder;

    private Qualification compared(Path results) throws Exception {
        QualifyRequest request = TinyRequest.of(
                Files.createDirectories(folder.resolve("db")),
                Files.createDirectories(folder.resolve("log")),
                Set.of(),
                false,
                Duration.ofSeconds(2),
                12_000_000,
                false,
                TransactionMix.parse("read=100"),
                List.of(CacheMode.OFF, CacheMode.METADATA, CacheMode.ALL),
                List.of());
        try (QualifySession session = new QualifySession(request, results)) {
            Qualification found = session.run();
            assertThat(session.interrupted()).isFalse();
            assertThat(session.mismatches()).isEmpty();
            return found;
        }
    }

    private static double mean(JsonNode all, String mode, String row) {
        return all.at("/cache/blocks")
                .valueStream()
                .filter(block -> block.path("mode").asText().equals(mode))
                .mapToDouble(block -> block.at("/rows/" + row).asDouble())
                .average()
                .orElseThrow();
    }

    @Test
    void theStorageIsAskedForWhatAModeDoesNotKeep() throws Exception {
        Path results = Files.createDirectory(folder.resolve("results"));
        assertThat(compared(results).verdict()).isNull();
        JsonNode all = Objects.requireNonNull(Qualification.read(results));
        assertThat(all.path("phases")).isEmpty();
        assertThat(all.at("/cache/blocks")
                        .valueStream()
                        .map(block -> block.path("mode").asText()))
                .startsWith("off", "metadata", "all", "metadata", "all", "off", "all", "off")
                .hasSize(3 * CacheComparison.ROUNDS);
        // A row and a content: each has a filter block, an index block and a block of data.
        assertThat(mean(all, "off", "cache_hit_percent")).isZero();
        assertThat(mean(all, "off", "storage_reads_per_transaction")).isGreaterThan(5.9);
        assertThat(mean(all, "metadata", "storage_reads_per_transaction")).isBetween(1.9, 2.1);
        assertThat(mean(all, "all", "storage_reads_per_transaction")).isLessThan(1.9);
        assertThat(mean(all, "all", "cache_hit_percent"))
                .isGreaterThan(mean(all, "metadata", "cache_hit_percent"));
        JsonNode pair = all.at("/cache/pairs/1");
        assertThat(pair.path("without").asText()).isEqualTo("off");
        assertThat(pair.path("with").asText()).isEqualTo("all");
        assertThat(pair.path("rounds").asInt()).isEqualTo(CacheComparison.ROUNDS);
        assertThat(pair.at("/rows/8/improvement_percent").asDouble()).isGreaterThan(60);
        assertThat(pair.at("/rows/8/improvement_ci95_percent/low").asDouble()).isGreaterThan(60);
        assertThat(Files.readString(results.resolve("report.md")))
                .startsWith("# Cache modes compared\n")
                .contains("Cache metadata against off, 5 rounds")
                .contains("published: 8,000 users, SATA, without")
                .contains(" none of them different");
        assertThat(folder.resolve("db")).isEmptyDirectory();
    }
}
