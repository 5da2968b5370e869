package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.durability.result.ClusterCrashResult;
import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.document.TreeComparison;
import org.hubmark.bench.machine.Environment;
import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What is written of counts that stay the same stays the same: each value under golden, which was
 * recorded before these files had the form of all documents, stands there still, or under a new key that
 * is named here.
 */
class GoldenTest {
    @Test
    void durability() throws IOException {
        Tally kept = new Tally("hub", new Durability.Synced(), CrashKind.KILL);
        for (int i = 0; i < 3; i++) {
            kept.crashed();
            kept.acknowledged(100);
            kept.recovered(1_234_567 + 100_000L * i);
        }
        Tally broken =
                new Tally("hub", new Durability.Periodic(Duration.ofMillis(10)), CrashKind.EIO);
        broken.crashed();
        broken.acknowledged(7);
        broken.failed(42, "it was lost");
        Tally never = new Tally("hub", new Durability.None(), CrashKind.FULL);
        Map<String, @Nullable Object> facts = new HashMap<>();
        facts.put(CrashResult.SKIPPED.key(), List.of("full, none: not tried before the end"));
        facts.put(CrashResult.FLUSHES_IGNORED.key(), false);
        Document document = document(
                CrashResult.KIND,
                facts,
                new Table(
                        CrashResult.VERDICTS,
                        List.of(kept, broken, never).stream()
                                .map(tally -> row(
                                        tally.names().entrySet().stream()
                                                .collect(
                                                        HashMap::new,
                                                        (map, name) -> map.put(
                                                                name.getKey().key(),
                                                                name.getValue()),
                                                        HashMap::putAll),
                                        tally.counted()))
                                .toList()));
        // Times are kept in a histogram, which has three digits.
        assertThat(differences(document, golden("durability.json"), 0.001)).isEmpty();
        assertThat(document.findings().verdict()).isEqualTo("promise broken");
        assertThat(document.exitCode()).isOne();
    }

    @Test
    void clusterCrash() throws IOException {
        Map<String, @Nullable Object> bookie = Map.of(ClusterCrashResult.FAULT.key(), "bookie");
        Repeat verdict = Repeat.counted()
                .name(CrashResult.FAILURES, List.of())
                .count(CrashResult.CRASHES, 2)
                .count(CrashResult.ACKNOWLEDGED, 260)
                .count(ClusterCrashResult.REFUSED, 3)
                .count(CrashResult.IN_DOUBT, 1)
                .count(CrashResult.LOST, 0)
                .count(ClusterCrashResult.DOUBLE, 2)
                .count(CrashResult.CORRUPTED, 0)
                .count(ClusterCrashResult.BROKEN, 0)
                .made();
        Document document = document(
                ClusterCrashResult.KIND,
                Map.of(CrashResult.SKIPPED.key(), List.of("broker: it ended early")),
                new Table(ClusterCrashResult.VERDICTS, List.of(row(bookie, verdict))));
        ObjectNode golden = golden("cluster-crash.json");
        // It is a setting.
        golden.remove("seed");
        for (JsonNode one : golden.get("verdicts")) {
            // How mail was accepted after each fault is no longer told.
            ((ObjectNode) one).remove(List.of("gap_p50_ms", "gap_max_ms", "faults"));
        }
        // A line.
        golden.putArray("skipped").add("broker: it ended early");
        assertThat(differences(document, golden, 1e-9)).isEmpty();
        assertThat(document.findings().verdict()).isEqualTo("promise kept");
        assertThat(document.findings().warnings())
                .containsExactly("skipped broker: it ended early");
    }

    private static Row row(Map<String, @Nullable Object> names, Repeat total) {
        return new Row(names, List.of(total));
    }

    private static Document document(
            Kind kind, Map<String, @Nullable Object> facts, Table... tables) {
        return new Document(
                kind,
                new Provenance(
                        new Tool("0.1", "abc"),
                        "2026-01-01T00:00:00Z",
                        "2026-01-01T00:10:00Z",
                        "./hubmark",
                        new LinkedHashMap<>(),
                        new Environment(
                                new Environment.Processor(null, 1, null, null, null),
                                null,
                                new Environment.Software(null, null, "none", null),
                                List.of(),
                                null)),
                true,
                facts,
                List.of(tables),
                List.of());
    }

    private static List<String> differences(Document document, JsonNode golden, double near)
            throws IOException {
        TreeComparison comparison = new TreeComparison(near);
        comparison.compare(
                "golden", new ObjectMapper().readTree(DocumentFile.json(document)), golden);
        return comparison.mismatches();
    }

    private static ObjectNode golden(String name) throws IOException {
        try (InputStream in = GoldenTest.class.getResourceAsStream("/golden/" + name)) {
            return (ObjectNode) new ObjectMapper()
                    .readTree(new String(
                            Objects.requireNonNull(in, name).readAllBytes(),
                            StandardCharsets.UTF_8));
        }
    }
}
