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
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Proves of what was published that the averages and the improvements follow from it. */
class PublishedFiguresTest {
    private static final double SECONDS = 7199;

    /** The source's own instances: 371 reads, 14.580 ms unweighted and 14.578 weighted. */
    @Test
    void averagesAreThoseOfTheSource() {
        List<Repeat> instances = new ArrayList<>();
        for (JsonNode row : YamlResource.read("/reference/esrp-c210-m2.yaml")
                .at("/phases/performance/transactional_io/rows")) {
            double reads = row.get(3).asDouble() * SECONDS;
            double writes = row.get(4).asDouble() * SECONDS;
            instances.add(Repeat.counted()
                    .count(IoCounter.DB_READS.counter(), reads)
                    .count(IoCounter.DB_READ_NS.counter(), row.get(1).asDouble() * 1e6 * reads)
                    .count(IoCounter.DB_WRITES.counter(), writes)
                    .count(IoCounter.DB_WRITE_NS.counter(), row.get(2).asDouble() * 1e6 * writes)
                    .count(InstanceFigures.COLLECTION_NS, SECONDS * 1e9)
                    .made());
        }
        Repeat phase = Repeat.counted()
                .count(PhaseFigures.THREADS, 3)
                .count(InstanceFigures.COLLECTION_NS, SECONDS * 1e9)
                .parts(InstanceFigures.INSTANCES, instances)
                .made();
        Map<String, Double> published = Map.of(
                "achieved_iops", 651.699,
                "db_reads_per_s", 370.981,
                "db_writes_per_s", 280.717,
                "avg_db_read_latency_ms", 14.580,
                "avg_db_read_latency_ms_weighted", 14.578,
                "avg_db_write_latency_ms", 1.342);
        assertThat(PhaseFigures.PHASES.columns())
                .filteredOn(column -> published.containsKey(column.key()))
                .hasSameSizeAs(published.keySet())
                .allSatisfy(column -> assertThat(column.value(phase))
                        .as(column.key())
                        .isCloseTo(published.get(column.key()), within(0.05)));
    }

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
    void improvementsAreThoseOfTheSource() {
        int compared = 0;
        for (JsonNode one :
                YamlResource.read("/reference/pam-tr3766.yaml").path("configurations")) {
            JsonNode results = one.path("results");
            Row without = row(results, "pam_disabled");
            Row with = row(results, "pam_enabled");
            for (Column column : CacheFigures.PUBLISHED) {
                String key = column.key().replace("rows.", "");
                JsonNode improvement = results.path("improvement_percent").path(key);
                if (improvement.isNumber()) {
                    Column printed = Column.of(new Counter(key), "", "");
                    double ratio = CacheFigures.inPairs(without, with, printed).value();
                    assertThat(100
                                    * (column.better() == Column.Better.LESS
                                            ? 1 - ratio
                                            : ratio - 1))
                            .as("%s, %s", one.path("id").asText(), key)
                            .isCloseTo(improvement.asDouble(), within(0.5));
                    compared++;
                }
            }
        }
        assertThat(compared).isEqualTo(10);
    }
}
