package org.hubmark.bench.qualify.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Charts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What caches of other sizes would have had, as a table and as a plot. */
final class CacheProfileSection {
    private static final double BYTES_PER_MB = 1e6;
    private static final double HUNDRED = 100;
    /** Of the table: of the curve's points every so manieth. */
    private static final int STEP = 5;

    private CacheProfileSection() {}

    /** {@return facts and a table; one line where there is no profile} */
    static List<Block> blocks(JsonNode profile) {
        if (!profile.isObject()) {
            return List.of(new Block.Text("Nothing was profiled."));
        }
        return List.of(
                new Block.Text(
                        "Blocks of data that transactions read, whether the cache had them or"
                                + " not: a sample of them was followed, and what a cache of another size"
                                + " would have had follows from how much else was read between two reads of"
                                + " a block (SHARDS, Waldspurger and others, FAST 2015). Rates and latencies"
                                + " are those of the present rate and the present latency of the storage."),
                facts(profile),
                table(profile));
    }

    private static Block facts(JsonNode profile) {
        JsonNode predicted = profile.path("predicted");
        return new Block.Facts(List.of(
                new Block.Fact("Present cache", megabytes(profile.path("cache_bytes"))),
                new Block.Fact(
                        "of it for what is to be written", megabytes(profile.path("write_bytes"))),
                new Block.Fact(
                        "Indexes and filters of all tables",
                        megabytes(profile.path("metadata_bytes"))),
                new Block.Fact("Data of all tables", megabytes(profile.path("data_bytes"))),
                new Block.Fact(
                        "Working set: data that was read, each block once",
                        megabytes(profile.path("working_set_bytes")) + " in "
                                + Math.round(profile.path("seconds").asDouble()) + " s"),
                new Block.Fact(
                        "Hit ratio of the present cache", percent(profile.path("hit_ratio"))),
                new Block.Fact(
                        "the same, predicted",
                        percent(predicted.path("hit_ratio")) + " ("
                                + percent(predicted.path("hit_ratio_low")) + " to "
                                + percent(predicted.path("hit_ratio_high")) + ")"),
                new Block.Fact(
                        "Reads of blocks a second", Cells.of(profile.path("block_reads_per_s"))),
                new Block.Fact(
                        "Blocks that were followed",
                        profile.path("sampled_blocks").asText()
                                + String.format(
                                        Locale.ROOT,
                                        ", %.1f %% of all",
                                        profile.path("sampled_share_percent").asDouble())),
                new Block.Fact(
                        "Cold reads: of blocks that were not read since anybody looked (%)",
                        Cells.of(profile.path("cold_reads_percent"))),
                new Block.Fact(
                        "Cost of the profile (% of the CPU time of the process)",
                        Cells.of(profile.path("cpu_cost_percent"))),
                new Block.Fact(
                        "the same (% of one core)",
                        Cells.of(profile.path("cpu_cost_core_percent")))));
    }

    private static Block table(JsonNode profile) {
        List<List<String>> rows = new ArrayList<>();
        int at = 0;
        for (JsonNode point : profile.path("points")) {
            if (at++ % STEP == 0) {
                rows.add(List.of(
                        megabytes(point.path("cache_bytes")),
                        percent(point.path("hit_ratio")),
                        percent(point.path("hit_ratio_low")),
                        percent(point.path("hit_ratio_high")),
                        Cells.of(point.path("storage_reads_per_s")),
                        Cells.of(point.path("read_latency_ms"))));
            }
        }
        return new Block.Grid(
                "Predicted for other sizes of the cache",
                List.of(
                        "Cache",
                        "Hit ratio",
                        "from",
                        "to",
                        "Reads of the storage/sec",
                        "Mean of all reads (ms)"),
                rows);
    }

    static String megabytes(JsonNode bytes) {
        return bytes.isNumber()
                ? String.format(Locale.ROOT, "%,.1f MB", bytes.asDouble() / BYTES_PER_MB)
                : Cells.UNKNOWN;
    }

    static String percent(JsonNode ratio) {
        return ratio.isNumber()
                ? String.format(Locale.ROOT, "%.1f %%", HUNDRED * ratio.asDouble())
                : Cells.UNKNOWN;
    }

    /**
     * {@return the curve of misses with its band}
     *
     * @param name of what was measured
     * @param blocks of a comparison: what those of the first round had is beside; none where none were compared
     */
    static Charts.Chart chart(String name, JsonNode profile, JsonNode blocks) {
        List<List<Double>> marks = new ArrayList<>();
        List<List<Double>> curve = new ArrayList<>();
        int at = 0;
        for (JsonNode point : profile.path("points")) {
            boolean isMark = at++ % STEP == 0;
            if (point.path("hit_ratio").isNumber()) {
                List<Double> place = List.of(
                        point.path("cache_bytes").asDouble() / BYTES_PER_MB,
                        1 - point.path("hit_ratio").asDouble(),
                        1 - point.path("hit_ratio_high").asDouble(),
                        1 - point.path("hit_ratio_low").asDouble());
                curve.add(place);
                if (isMark) {
                    marks.add(place.subList(0, 2));
                }
            }
        }
        List<Charts.Series> series = new ArrayList<>();
        series.add(Charts.Series.of("predicted", Charts.Style.POINTS, marks));
        series.add(Charts.Series.of("predicted", Charts.Style.FITTED, curve));
        List<List<Double>> tried = new ArrayList<>();
        for (JsonNode block : blocks) {
            JsonNode its = block.at("/performance/cache_profile");
            // Of the same round: databases grow from one to the next.
            if (block.path("round").asInt() == 1 && its.path("hit_ratio").isNumber()) {
                tried.add(List.of(
                        its.path("cache_bytes").asDouble() / BYTES_PER_MB,
                        1 - its.path("hit_ratio").asDouble()));
            }
        }
        if (!tried.isEmpty()) {
            series.add(Charts.Series.of("measured", Charts.Style.POINTS, tried));
        }
        return new Charts.Chart(
                name.replace(' ', '-') + "-misses",
                Charts.Kind.BY_CACHE,
                name + ": miss ratio over the size of the cache",
                "Of the reads of data blocks; predicted beside the load, with its error band.",
                "share",
                List.of(),
                List.of(),
                series);
    }
}
