package org.hubmark.bench.qualify.result;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * qualification.json.
 *
 * @param schema the form of the file
 * @param settings every option with the value that was in force
 * @param identity what has to be the same for a run to go on where another one was interrupted
 * @param verdict null when no phase is judged, and as long as nothing fails and a phase is missing
 * @param reasons why it fails
 * @param cache the comparison of cache modes ({@link CachePairs}); null where there is one mode
 * @param phases as trees, since those of an interrupted run are read and not measured
 */
public record Qualification(
        int schema,
        Tool tool,
        Environment environment,
        String command,
        Map<String, Object> settings,
        String identity,
        double targetIops,
        Thresholds thresholds,
        @Nullable Verdict verdict,
        List<String> reasons,
        List<JsonNode> phases,
        @Nullable JsonNode cache) {
    private static final String FILE = "qualification.json";
    /** Copies. */
    public Qualification {
        reasons = List.copyOf(reasons);
        phases = List.copyOf(phases);
    }

    /** {@return all of it as it stands in the file} */
    public JsonNode tree() {
        return JsonFile.tree(this);
    }

    /** {@return the verdict in one line: a fail with its reasons, a pass with what was reached} */
    public String words() {
        if (cache != null) {
            return compared(cache);
        }
        if (verdict == null) {
            return "not judged";
        }
        List<String> said = verdict == Verdict.FAIL
                ? reasons
                : phases.stream()
                        .filter(phase -> phase.path("achieved_iops").isNumber())
                        .filter(phase -> phase.path("verdict").isTextual())
                        .map(this::reached)
                        .toList();
        return verdict.text() + (said.isEmpty() ? "" : ": " + String.join("; ", said));
    }

    private static String compared(JsonNode cache) {
        List<String> lines = new ArrayList<>();
        for (JsonNode size : cache.path("sizes")) {
            lines.add(String.format(
                    Locale.ROOT,
                    "cache of %.1f MB: hit ratio %.1f %%, predicted %.1f %% (%.1f to %.1f)",
                    size.path("cache_bytes").asDouble() / 1e6,
                    100 * size.path("hit_ratio").asDouble(),
                    100 * size.path("predicted").asDouble(),
                    100 * size.path("predicted_low").asDouble(),
                    100 * size.path("predicted_high").asDouble()));
        }
        for (JsonNode pair : cache.path("pairs")) {
            lines.add("cache " + pair.path("with").asText() + " against "
                    + pair.path("without").asText() + ", " + pair.path("rounds").asInt()
                    + " rounds:");
            for (JsonNode row : pair.path("rows")) {
                lines.add(String.format(
                        Locale.ROOT,
                        "  %-32s %12s %12s  %s",
                        row.path("label").asText(),
                        number(row.path("without")),
                        number(row.path("with")),
                        improvement(row)));
            }
        }
        return lines.isEmpty() ? "no round was finished" : String.join("\n", lines);
    }

    private static String number(JsonNode value) {
        return value.isNumber() ? String.format(Locale.ROOT, "%.3f", value.asDouble()) : "-";
    }

    private static String improvement(JsonNode row) {
        JsonNode interval = row.path("improvement_ci95_percent");
        if (!row.path("improvement_percent").isNumber()) {
            return "-";
        }
        String said = String.format(
                Locale.ROOT, "%+.1f %%", row.path("improvement_percent").asDouble());
        return interval.isObject()
                ? said
                        + String.format(
                                Locale.ROOT,
                                " (%+.1f to %+.1f)",
                                interval.path("low").asDouble(),
                                interval.path("high").asDouble())
                : said;
    }

    private String reached(JsonNode phase) {
        return String.format(
                Locale.ROOT,
                "%s %.1f database reads and writes a second of %s, in the slowest instance"
                        + " %.2f ms a read and %.2f ms a log write",
                phase.path("phase").asText(),
                phase.path("achieved_iops").asDouble(),
                BigDecimal.valueOf(targetIops).stripTrailingZeros().toPlainString(),
                slowest(phase, "avg_db_read_latency_ms"),
                slowest(phase, "avg_log_write_latency_ms"));
    }

    private static double slowest(JsonNode phase, String column) {
        return phase.path("instances")
                .valueStream()
                .mapToDouble(one -> one.path(column).asDouble())
                .max()
                .orElse(0);
    }

    /** {@return the content of the file} */
    public String json() {
        return JsonFile.text(this);
    }

    /** Writes the file into a folder, whole or not at all. */
    public void write(Path folder) throws IOException {
        JsonFile.write(this, folder.resolve(FILE));
    }

    /** {@return what the file in a folder says, or null when there is none} */
    public static @Nullable JsonNode read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        return Files.exists(file) ? JsonFile.read(file) : null;
    }
}
