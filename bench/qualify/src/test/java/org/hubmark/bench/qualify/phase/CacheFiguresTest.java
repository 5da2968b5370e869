package org.hubmark.bench.qualify.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.YamlResource;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Proves the arithmetic of the pairs by the published ones, and what a read is. */
class CacheFiguresTest {
    private static Row row(JsonNode results, String mode) {
        Repeat.Builder printed = Repeat.counted();
        results.path(mode)
                .properties()
                .forEach(one ->
                        printed.count(new Counter(one.getKey()), one.getValue().asDouble()));
        // The latency of one of them is printed with a decimal in the text.
        JsonNode precise = results.path(mode).path("avg_db_read_latency_precise_ms");
        if (precise.isNumber()) {
            printed.count(new Counter("avg_db_read_latency_ms"), precise.asDouble());
        }
        return new Row(Map.of(CacheFigures.CACHE.key(), mode), List.of(printed.made()));
    }

    @Test
    void thePublishedImprovementsFollow() {
        int compared = 0;
        for (JsonNode one :
                YamlResource.read("/reference/pam-tr3766.yaml").path("configurations")) {
            JsonNode results = one.path("results");
            List<Row> rows = List.of(row(results, "pam_disabled"), row(results, "pam_enabled"));
            for (Column column : CacheFigures.PUBLISHED) {
                String key = column.key().replace("rows.", "");
                Column printed = Column.of(key, "", "", 3, column.better(), new Counter(key));
                JsonNode improvement = results.path("improvement_percent").path(key);
                if (improvement.isNumber()) {
                    double more = 100
                            * (CacheFigures.inPairs(rows.getFirst(), rows.getLast(), printed)
                                            .value()
                                    - 1);
                    assertThat(column.better() == Column.Better.LESS ? -more : more)
                            .as("%s, %s", one.path("id").asText(), key)
                            .isCloseTo(improvement.asDouble(), within(0.5));
                    compared++;
                }
            }
        }
        assertThat(compared).isEqualTo(10);
    }

    @Test
    void readsAreThoseOfTheCacheAndOfTheStorage() {
        List<Repeat> instances = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            instances.add(new IoCounts(Map.of(
                            IoCounter.DB_READS, 25L,
                            IoCounter.DB_READ_NS, 100_000_000L,
                            IoCounter.CACHE_HITS, 75L,
                            IoCounter.DB_WRITES, 10L,
                            IoCounter.TRANSACTIONS, 50L))
                    .counted()
                    .made());
        }
        Repeat round = Repeat.counted()
                .count(InstanceFigures.COLLECTION_NS, 10_000_000_000L)
                .parts(InstanceFigures.INSTANCES, instances)
                .made();
        List<Double> values = CacheFigures.COMPARED.stream()
                .map(column -> column.value(round))
                .toList();
        assertThat(values)
                .containsExactly(22.0, 20.0, 2.0, 1.0, 0.0, 0.0, Double.NaN, 10.0, 0.5, 75.0);
    }
}
