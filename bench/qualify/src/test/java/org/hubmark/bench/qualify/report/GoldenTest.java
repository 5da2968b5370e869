package org.hubmark.bench.qualify.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hubmark.golden.GoldenFiles.requireSame;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.TreeComparison;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What is made of counters that stay the same stays the same: each value under golden, which was recorded
 * before the file had the form of all documents, stands there still, or under a new key that is named
 * here.
 */
class GoldenTest {
    private static final double NEAR = 1e-9;

    @TempDir
    Path folder;

    private JsonNode written(ObjectNode recorded, String name) throws IOException {
        Path raw = GoldenFiles.FOLDER.resolve(name);
        Document document = DocumentFile.write(new GoldenInput(recorded, raw).document(), folder);
        Document read = DocumentFile.read(folder, Qualification.KIND);
        assertThat(DocumentFile.json(read)).isEqualTo(DocumentFile.json(document));
        assertThat(DocumentFile.check(folder, read).isClean()).isTrue();
        DocumentReport.write(document, folder);
        requireSame(name + "/report.md", Files.readString(folder.resolve("report.md")));
        return JsonFile.read(folder.resolve("qualification.json"));
    }

    private static ObjectNode recorded(String name) throws IOException {
        ObjectNode recorded = (ObjectNode)
                JsonFile.read(GoldenFiles.FOLDER.resolve(name).resolve("qualification.json"));
        // By the settings it is known whether a run goes on.
        recorded.remove("identity");
        return recorded;
    }

    /** What is not known is an object of nulls; what is no longer written is gone. */
    private static void phase(ObjectNode phase) {
        if (phase.path("elapsed").isNull()) {
            phase.remove("elapsed");
        }
        phase.remove(List.of(
                "cache_profile", "read_latency_drift_ms_per_h", "hours", "sample_interval_s"));
        phase.path("thread_steps").forEach(step -> ((ObjectNode) step).remove("seconds"));
        phase.path("devices")
                .forEach(device -> ((ObjectNode) device)
                        .remove(List.of("min_data_writes_per_s", "discards_per_s")));
        if (phase.path("host") instanceof ObjectNode host) {
            host.remove(List.of("tool_cpu_percent_of_a_core", "tool_memory_mb"));
        }
        for (JsonNode instance : phase.path("instances")) {
            ((ObjectNode) instance.path("counters"))
                    .remove(List.of(
                            "compaction_reads", "compaction_read_ns", "compaction_read_bytes"));
        }
        if (phase.path("phase").asText().equals("recovery")) {
            // They were not counted when it was recorded.
            for (JsonNode instance : phase.path("instances")) {
                ((ObjectNode) instance.path("counters"))
                        .remove(List.of("log_reads", "log_read_ns", "log_read_bytes"));
                // Of them and of replication together nothing is known either.
                ((ObjectNode) instance.path("total"))
                        .remove(List.of(
                                "log_reads_per_s",
                                "avg_log_read_latency_ms",
                                "avg_log_read_bytes"));
            }
        }
    }

    private static List<String> differences(JsonNode written, JsonNode golden) {
        TreeComparison comparison = new TreeComparison(NEAR);
        comparison.compare("golden", written, golden);
        return comparison.mismatches();
    }

    @Test
    void phases() throws IOException {
        ObjectNode golden = recorded("recorded");
        JsonNode written = written(golden.deepCopy(), "recorded");
        golden.remove("cache");
        golden.path("phases").forEach(phase -> phase((ObjectNode) phase));
        assertThat(differences(written, golden)).isEmpty();
    }

    @Test
    void caches() throws IOException {
        ObjectNode golden = recorded("caches");
        JsonNode written = written(golden.deepCopy(), "caches");
        JsonNode cache = golden.remove("cache");
        assertThat(differences(written, golden)).isEmpty();
        Map<String, JsonNode> caches =
                Map.of("off", written.at("/caches/0"), "all", written.at("/caches/1"));
        for (JsonNode block : cache.path("blocks")) {
            ObjectNode performance = (ObjectNode) block.path("performance");
            phase(performance);
            // A comparison has no verdict.
            performance.remove(List.of("phase", "complete", "verdict", "reasons"));
            JsonNode round = Objects.requireNonNull(
                            caches.get(block.path("mode").asText()))
                    .path("rounds")
                    .path(block.path("round").asInt() - 1);
            assertThat(differences(round, performance)).isEmpty();
            assertThat(differences(round.path("rows"), block.path("rows"))).isEmpty();
        }
        for (JsonNode row : cache.at("/pairs/0/rows")) {
            // Without and with are geometric means of the rounds now, and a change is a ratio of
            // them.
            String key = row.path("field").asText() + "_ratio_ci95";
            boolean isMore = row.path("better").asText().equals("higher");
            JsonNode interval = row.path("improvement_ci95_percent");
            if (interval.isObject()) {
                double low = interval.path("low").asDouble() / 100;
                double high = interval.path("high").asDouble() / 100;
                JsonNode rows = written.at("/caches/1").path("rows");
                JsonNode ratio = rows.path(key);
                double change = row.path("improvement_percent").asDouble() / 100;
                assertThat(rows.path(key.replace("_ci95", "")).asDouble())
                        .isCloseTo(isMore ? 1 + change : 1 - change, within(NEAR));
                assertThat(ratio.path("low").asDouble())
                        .isCloseTo(isMore ? 1 + low : 1 - high, within(NEAR));
                assertThat(ratio.path("high").asDouble())
                        .isCloseTo(isMore ? 1 + high : 1 - low, within(NEAR));
            }
        }
        assertThat((ArrayNode) written.at("/caches/0/rounds")).hasSize(5);
    }
}
