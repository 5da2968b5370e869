package org.hubmark.bench.qualify.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.results.YamlResource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Proves the arithmetic of the pairs, with the published ones first. */
class CachePairsTest {
    private static CachePairs.Cell cell(String mode, int round, double iops, double readMillis) {
        Map<String, @Nullable Double> rows = new LinkedHashMap<>();
        rows.put("db_iops", iops);
        rows.put("avg_db_read_latency_ms", readMillis);
        return new CachePairs.Cell(mode, round, rows);
    }

    private static CachePairs.Row row(CachePairs.Pair pair, CacheRow row) {
        return pair.rows().stream()
                .filter(one -> one.field().equals(row.field()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void thePublishedImprovementsFollow() {
        JsonNode published = YamlResource.read("/reference/pam-tr3766.yaml");
        int compared = 0;
        for (JsonNode one : published.path("configurations")) {
            List<CachePairs.Cell> cells = new ArrayList<>();
            for (String mode : List.of("pam_disabled", "pam_enabled")) {
                Map<String, @Nullable Double> rows = new LinkedHashMap<>();
                one.path("results")
                        .path(mode)
                        .properties()
                        .forEach(property ->
                                rows.put(property.getKey(), property.getValue().asDouble()));
                // The latency of one of them is printed with a decimal in the text.
                Double precise = rows.get("avg_db_read_latency_precise_ms");
                if (precise != null) {
                    rows.put("avg_db_read_latency_ms", precise);
                }
                cells.add(new CachePairs.Cell(mode, 1, rows));
            }
            CachePairs.Pair pair = CachePairs.pairs(List.of("pam_disabled", "pam_enabled"), cells)
                    .getFirst();
            for (CacheRow row : CacheRow.PUBLISHED) {
                JsonNode printed = one.at("/results/improvement_percent/" + row.field());
                if (printed.isNumber()) {
                    assertThat(row(pair, row).improvementPercent())
                            .as("%s, %s", one.path("id").asText(), row)
                            .isCloseTo(printed.asDouble(), within(0.5));
                    compared++;
                }
            }
        }
        assertThat(compared).isEqualTo(10);
    }

    @Test
    void roundsArePairedAndLowerIsBetterWhereItIs() {
        CachePairs.Pair pair = CachePairs.pairs(
                        List.of("off", "all"),
                        List.of(
                                cell("off", 1, 100, 10),
                                cell("all", 1, 120, 8),
                                cell("all", 2, 240, 16),
                                cell("off", 2, 200, 20),
                                // Broken off in the third round: nothing to pair it with.
                                cell("off", 3, 900, 90)))
                .getFirst();
        assertThat(pair.rounds()).isEqualTo(2);
        CachePairs.Row iops = row(pair, CacheRow.DB_IOPS);
        assertThat(iops.without()).isEqualTo(150);
        assertThat(iops.with()).isEqualTo(180);
        assertThat(iops.improvementPercent()).isCloseTo(20, within(1e-9));
        CachePairs.Row latency = row(pair, CacheRow.AVG_DB_READ_LATENCY_MS);
        assertThat(latency.improvementPercent()).isCloseTo(20, within(1e-9));
        // Both rounds say the same, whatever the level.
        assertThat(Objects.requireNonNull(latency.improvementCi95Percent()).low())
                .isCloseTo(20, within(1e-6));
        assertThat(row(pair, CacheRow.LOG_WRITES_PER_S).improvementPercent()).isNull();
    }

    @Test
    void readsAreThoseOfTheCacheAndOfTheStorage() {
        IoCounts counts = new IoCounts(Map.of(
                IoCounter.DB_READS, 25L,
                IoCounter.DB_READ_NS, 100_000_000L,
                IoCounter.CACHE_HITS, 75L,
                IoCounter.DB_WRITES, 10L,
                IoCounter.TRANSACTIONS, 50L));
        assertThat(CacheRow.DB_IOPS.of(counts, 10)).isEqualTo(11);
        assertThat(CacheRow.DB_READS_PER_S.of(counts, 10)).isEqualTo(10);
        assertThat(CacheRow.AVG_DB_READ_LATENCY_MS.of(counts, 10)).isEqualTo(1);
        assertThat(CacheRow.STORAGE_READS_PER_TRANSACTION.of(counts, 10)).isEqualTo(0.5);
        assertThat(CacheRow.CACHE_HIT_PERCENT.of(counts, 10)).isEqualTo(75);
        assertThat(CacheRow.AVG_LOG_WRITE_LATENCY_MS.of(counts, 10)).isNull();
    }
}
