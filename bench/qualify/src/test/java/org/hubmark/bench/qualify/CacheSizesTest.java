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

/** Proves that caches of other sizes have about what the profile of one predicts. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class CacheSizesTest {
    private static final long MIB = 1 << 20;
    /** Of 100: the blocks are few, and so are the reads of two seconds. */
    private static final double ERROR_POINTS = 10;

    @TempDir
    private Path folder;

    @Test
    void sizesHaveWhatWasPredicted() throws Exception {
        Path results = Files.createDirectory(folder.resolve("results"));
        QualifyRequest request = TinyRequest.of(
                Files.createDirectories(folder.resolve("db")),
                Files.createDirectories(folder.resolve("log")),
                Set.of(),
                false,
                Duration.ofSeconds(2),
                16_000_000,
                false,
                TransactionMix.parse("insert=10,delete=5,read=85"),
                List.of(CacheMode.ALL),
                List.of(8 * MIB, 16 * MIB, 64 * MIB));
        try (QualifySession session = new QualifySession(request, results)) {
            session.run();
            assertThat(session.mismatches()).isEmpty();
        }
        JsonNode cache = Objects.requireNonNull(Qualification.read(results)).path("cache");
        assertThat(cache.path("modes").valueStream().map(JsonNode::asText))
                .containsExactly("8MiB", "16MiB", "64MiB");
        assertThat(cache.path("sizes")).hasSize(3);
        double before = 0;
        for (JsonNode size : cache.path("sizes")) {
            assertThat(size.path("predicted_from_bytes").asLong()).isEqualTo(8 * MIB);
            assertThat(size.path("rounds").asInt()).isEqualTo(CacheComparison.ROUNDS);
            assertThat(size.path("error_percent_points").asDouble())
                    .as("%s", size)
                    .isBetween(-ERROR_POINTS, ERROR_POINTS);
            assertThat(size.path("hit_ratio").asDouble()).isGreaterThan(before);
            before = size.path("hit_ratio").asDouble();
        }
        assertThat(Files.readString(results.resolve("report.md")))
                .startsWith("# Cache sizes compared\n")
                .contains("in the same round beside a cache of 8.4 MB; means of 5 rounds")
                .contains("Predicted for other sizes of the cache");
        JsonNode profile = cache.at("/blocks/0/performance/cache_profile");
        assertThat(profile.path("cache_bytes").asLong()).isEqualTo(8 * MIB);
        // Which blocks they were is known of nearly all, with every size of the cache too.
        assertThat(profile.path("unknown_percent").asDouble()).isLessThan(5);
        assertThat(unknownPercent(cache.path("blocks"))).isLessThan(3);
        assertThat(profile.path("working_set_bytes").asLong())
                .isBetween(MIB, 2 * profile.path("data_bytes").asLong());
    }

    private static double unknownPercent(JsonNode blocks) {
        long reads = 0;
        long unknown = 0;
        for (JsonNode block : blocks) {
            JsonNode profile = block.at("/performance/cache_profile");
            reads += profile.path("cached_reads").asLong();
            reads += profile.path("stored_reads").asLong();
            unknown += profile.path("unknown_reads").asLong();
        }
        assertThat(reads).isPositive();
        return 100.0 * unknown / reads;
    }
}
