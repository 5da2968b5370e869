package org.hubmark.bench.qualify.result;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.TreeComparison;
import org.hubmark.bench.kit.page.Cells;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Whether the figures of qualification.json follow from the raw files beside it, and from each other.
 *
 * @param cells how many were computed again
 * @param mismatches those that come out otherwise, a line each
 */
public record Recomputed(int cells, List<String> mismatches) {
    /** Copies. */
    public Recomputed {
        mismatches = List.copyOf(mismatches);
    }

    /** Computes the figures of all phases again. */
    public static Recomputed of(JsonNode qualification, Path folder) throws IOException {
        TreeComparison comparison = new TreeComparison(TreeComparison.THREE_DIGITS);
        for (JsonNode phase : qualification.path("phases")) {
            phase(phase, folder, comparison);
        }
        cache(qualification.path("cache"), folder, comparison);
        return new Recomputed(comparison.cells(), comparison.mismatches());
    }

    private static void cache(JsonNode cache, Path folder, TreeComparison comparison)
            throws IOException {
        List<CachePairs.Cell> cells = new ArrayList<>();
        for (JsonNode block : cache.path("blocks")) {
            Path raw = folder.resolve(block.path("folder").asText());
            JsonNode performance = block.path("performance");
            phase(performance, raw, comparison);
            List<InstanceFigures> instances = new ArrayList<>();
            double seconds = 0;
            for (Map.Entry<String, Measured> one :
                    RawSamples.read(raw, performance.path("phase").asText()).entrySet()) {
                instances.add(InstanceFigures.of(one.getKey(), one.getValue()));
                seconds = one.getValue().seconds();
            }
            Map<String, @Nullable Double> rows = CachePairs.rows(instances, seconds);
            comparison.compare(
                    block.path("folder").asText() + ", rows",
                    block.path("rows"),
                    JsonFile.tree(rows));
            cells.add(new CachePairs.Cell(
                    block.path("mode").asText(), block.path("round").asInt(), rows));
        }
        List<String> modes = Cells.texts(cache.path("modes"));
        if (!modes.isEmpty()) {
            comparison.compare(
                    "cache, pairs",
                    cache.path("pairs"),
                    JsonFile.tree(CachePairs.pairs(modes, cells)));
        }
    }

    private static void phase(JsonNode phase, Path folder, TreeComparison comparison)
            throws IOException {
        String name = phase.path("phase").asText();
        Map<String, Measured> raw = RawSamples.read(folder, name);
        List<Column> unseen = name.equals("recovery") ? Column.UNSEEN_IN_RECOVERY : List.of();
        List<InstanceFigures> instances = new ArrayList<>();
        List<Measured.Sample> samples = new ArrayList<>();
        double seconds = 0;
        for (JsonNode written : phase.path("instances")) {
            String instance = written.path("instance").asText();
            Measured measured = raw.get(instance);
            if (measured == null) {
                comparison.mismatch(name + ", " + instance + ": no raw samples");
                return;
            }
            InstanceFigures again = InstanceFigures.of(instance, measured).without(unseen);
            comparison.compare(name + ", " + instance, written, JsonFile.tree(again));
            instances.add(again);
            samples.addAll(measured.samples());
            seconds = measured.seconds();
        }
        comparison.compare(name, phase, JsonFile.tree(Averages.of(instances, seconds)));
        if (phase.path("loop").isTextual() && !instances.isEmpty()) {
            comparison.compare(
                    name + ", achieved_iops",
                    phase.path("achieved_iops"),
                    JsonFile.tree(Judgement.achievedIops(instances)));
            comparison.compare(
                    name + ", read_latency_drift_ms_per_h",
                    phase.path("read_latency_drift_ms_per_h"),
                    JsonFile.tree(Hours.driftMsPerHour(samples)));
            comparison.compare(
                    name + ", hours",
                    phase.path("hours"),
                    JsonFile.tree(RawSamples.readHours(folder, name).hours()));
        }
        quotients(phase.path("backup"), "mb_per_s", "size_mb", "elapsed_s", name, comparison);
        quotients(
                phase.path("recovery"),
                "s_per_mb",
                "elapsed_s",
                "log_mb_replayed",
                name,
                comparison);
    }

    private static void quotients(
            JsonNode rows,
            String quotient,
            String dividend,
            String divisor,
            String phase,
            TreeComparison comparison) {
        for (JsonNode row : rows) {
            comparison.compare(
                    phase + ", " + row.path("instance").asText() + ", " + quotient,
                    row.path(quotient),
                    JsonFile.tree(
                            row.path(dividend).asDouble() / row.path(divisor).asDouble()));
        }
    }
}
