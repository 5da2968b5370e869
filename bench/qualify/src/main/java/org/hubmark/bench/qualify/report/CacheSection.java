package org.hubmark.bench.qualify.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.results.YamlResource;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Cache modes beside each other, and the published pairs beside them. */
final class CacheSection {
    private static final JsonNode PUBLISHED = YamlResource.read("/reference/pam-tr3766.yaml");

    private CacheSection() {}

    /** {@return the section; none where one mode was used} */
    static List<Section> sections(JsonNode qualification) {
        JsonNode cache = qualification.path("cache");
        if (!cache.isObject()) {
            return List.of();
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Text(
                "The same load was run on the same databases with each cache in turn,"
                        + " in rounds that each begin with another one. A read is what a transaction asks for,"
                        + " whether the cache has it or the storage: in the published pairs the cache is in the"
                        + " storage, behind where reads are counted. Improvements are of the geometric mean of the"
                        + " rounds' ratios, with Student's interval; above 0 is better."));
        boolean sizes = !cache.path("sizes").isEmpty();
        if (sizes) {
            blocks.add(sizes(cache.path("sizes")));
        }
        for (JsonNode pair : cache.path("pairs")) {
            blocks.add(pair(pair));
        }
        blocks.add(blocks(cache));
        JsonNode first = cache.at("/blocks/0/performance/cache_profile");
        if (first.isObject()) {
            blocks.add(new Block.Text("What was predicted beside the first block, cache "
                    + cache.at("/blocks/0/mode").asText() + ":"));
            blocks.addAll(CacheProfileSection.blocks(first));
        }
        return List.of(new Section(2, sizes ? "Cache sizes" : "Cache modes", blocks));
    }

    private static Block sizes(JsonNode sizes) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode size : sizes) {
            rows.add(List.of(
                    CacheProfileSection.megabytes(size.path("cache_bytes")),
                    CacheProfileSection.percent(size.path("hit_ratio")),
                    CacheProfileSection.percent(size.path("predicted")),
                    CacheProfileSection.percent(size.path("predicted_low")),
                    CacheProfileSection.percent(size.path("predicted_high")),
                    Cells.of(size.path("error_percent_points")),
                    Cells.of(size.at("/error_points_ci95/low")),
                    Cells.of(size.at("/error_points_ci95/high")),
                    Cells.of(size.path("within_band"))));
        }
        return new Block.Grid(
                "Hit ratio of data blocks: what each size had, and what was predicted for it in the same"
                        + " round beside a cache of "
                        + CacheProfileSection.megabytes(sizes.at("/0/predicted_from_bytes"))
                        + "; means of "
                        + sizes.at("/0/rounds").asText() + " rounds",
                List.of(
                        "Cache",
                        "Measured",
                        "Predicted",
                        "from",
                        "to",
                        "Error (points)",
                        "95 % from",
                        "to",
                        "Within the band"),
                rows);
    }

    private static Block pair(JsonNode pair) {
        List<String> headings = new ArrayList<>(List.of(
                "Row",
                pair.path("without").asText(),
                pair.path("with").asText(),
                "Improvement",
                "95 % from",
                "to"));
        for (JsonNode published : PUBLISHED.path("configurations")) {
            headings.add(String.format(
                    Locale.ROOT,
                    "published: %,d users, %s, without",
                    published.path("users").asInt(),
                    published.at("/disks/type").asText()));
            headings.add("with");
            headings.add("improvement");
        }
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode row : pair.path("rows")) {
            List<String> cells = new ArrayList<>(List.of(
                    row.path("label").asText(),
                    Cells.of(row.path("without")),
                    Cells.of(row.path("with")),
                    percent(row.path("improvement_percent")),
                    percent(row.at("/improvement_ci95_percent/low")),
                    percent(row.at("/improvement_ci95_percent/high"))));
            for (JsonNode published : PUBLISHED.path("configurations")) {
                JsonNode results = published.path("results");
                String field = row.path("field").asText();
                cells.add(Cells.of(results.path("pam_disabled").path(field)));
                cells.add(Cells.of(results.path("pam_enabled").path(field)));
                cells.add(percent(results.path("improvement_percent").path(field)));
            }
            rows.add(cells);
        }
        return new Block.Grid(
                "Cache " + pair.path("with").asText() + " against "
                        + pair.path("without").asText() + ", "
                        + pair.path("rounds").asText()
                        + " rounds; published: NetApp TR-3766, PAM for metadata on and off, other storage"
                        + " and another engine",
                headings,
                rows);
    }

    private static String percent(JsonNode value) {
        return value.isNumber()
                ? String.format(Locale.ROOT, "%.1f %%", value.asDouble())
                : Cells.UNKNOWN;
    }

    private static Block blocks(JsonNode cache) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode block : cache.path("blocks")) {
            JsonNode its = block.path("rows");
            rows.add(List.of(
                    block.path("round").asText(),
                    block.path("mode").asText(),
                    Cells.of(its.path("db_iops")),
                    block.path("target_met").asBoolean() ? "yes" : "no",
                    Cells.of(its.path("transactions_per_s")),
                    Cells.of(its.path("avg_db_read_latency_ms")),
                    Cells.of(its.path("storage_reads_per_transaction")),
                    Cells.of(its.path("cache_hit_percent")),
                    Cells.of(block.at("/performance/initial_database_bytes"))));
        }
        return new Block.Grid(
                "All blocks, in the order in which they were run",
                List.of(
                        "Round",
                        "Mode",
                        "Database IOPS",
                        "Target met",
                        "Transactions/sec",
                        "Database read (ms)",
                        "Storage reads per transaction",
                        "Reads that the cache had (%)",
                        "Databases before (bytes)"),
                rows);
    }
}
