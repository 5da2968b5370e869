package org.hubmark.bench.qualify.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.qualify.result.Column;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The appendices: a phase each, with all tables of the source in its order. */
final class PhaseSections {
    private static final List<Column> MAINTENANCE =
            List.of(Column.MAINTENANCE_READS_PER_S, Column.AVG_MAINTENANCE_READ_BYTES);
    private static final List<Column> REPLICATION =
            List.of(Column.REPLICATION_LOG_READS_PER_S, Column.AVG_REPLICATION_LOG_READ_BYTES);

    /** The rows of the table of the host: our counter, and the source's that it stands for. */
    private static final List<List<String>> HOST = List.of(
            List.of("cpu_percent", "% Processor Time", "cpu_percent"),
            List.of("available_mb", "Available MBytes", "available_memory_mb"),
            List.of(
                    "page_tables_bytes",
                    "Page tables (bytes; source: Free System Page Table Entries)",
                    "free_system_page_table_entries"),
            List.of(
                    "pages_reclaimed_per_s",
                    "Pages reclaimed/sec (source: Transition Pages RePurposed/sec)",
                    "transition_pages_repurposed_per_s"),
            List.of(
                    "kernel_unreclaimable_bytes",
                    "Kernel memory, unreclaimable (source: Pool Nonpaged Bytes)",
                    "pool_nonpaged_bytes"),
            List.of(
                    "kernel_reclaimable_bytes",
                    "Kernel memory, reclaimable (source: Pool Paged Bytes)",
                    "pool_paged_bytes"),
            List.of(
                    "stalls_per_s",
                    "Write Stalls/sec (source: Database Page Fault Stalls/sec)",
                    "db_page_fault_stalls_per_s"),
            List.of("tool_cpu_percent_of_a_core", "CPU of this tool (% of a core)", ""),
            List.of("tool_memory_mb", "Memory of this tool (MB)", ""));

    private final Appendix appendix;
    private final JsonNode all;
    private final JsonNode settings;
    private final JsonNode phase;
    private final List<Section> sections = new ArrayList<>();

    /** In the order of the source. */
    enum Appendix {
        STRESS("A", "Stress", "stress"),
        PERFORMANCE("B", "Performance", "performance"),
        BACKUP("C", "Streaming backup", "streaming_backup"),
        RECOVERY("D", "Soft recovery", "soft_recovery"),
        CHECKSUM("E", "Checksum", "checksum");

        private final String letter;
        private final String title;
        private final String published;

        Appendix(String letter, String title, String published) {
            this.letter = letter;
            this.title = title;
            this.published = published;
        }

        private String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private PhaseSections(Appendix appendix, JsonNode all, JsonNode phase) {
        this.appendix = appendix;
        this.all = all;
        this.settings = all.path("settings");
        this.phase = phase;
    }

    /** {@return the sections of a phase; one that says so when it was not run} */
    static List<Section> of(Appendix appendix, JsonNode all) {
        for (JsonNode phase : all.path("phases")) {
            if (phase.path("phase").asText().equals(appendix.key())) {
                PhaseSections made = new PhaseSections(appendix, all, phase);
                made.make();
                return made.sections;
            }
        }
        return List.of(new Section(
                2, title(appendix), List.of(new Block.Text("This phase was not run."))));
    }

    private static String title(Appendix appendix) {
        return "Appendix " + appendix.letter + ": " + appendix.title;
    }

    private void make() {
        sections.add(new Section(2, title(appendix), List.of(testSummary())));
        switch (appendix) {
            case STRESS, PERFORMANCE -> {
                add("Database sizing and throughput", throughput());
                add("Jetstress system parameters", parameters());
                add("Database configuration", configuration());
                add("Transactional I/O performance", io("", Column.IO, "transactional_io"));
                add(
                        "Background database maintenance I/O performance",
                        io("", MAINTENANCE, "background_maintenance_io"));
                add("Log replication I/O performance", io("", REPLICATION, "log_replication_io"));
                add("Total I/O performance", io("total", Column.IO, "total_io"));
                add("What the engine does in the background", background());
                add("Latencies and the judgement", judged());
                add("Hour by hour", hours());
                add("Devices", devices());
                add("Host system performance", host());
                add("Threads", threads());
                sections.add(new Section(
                        3,
                        "Caches of other sizes",
                        CacheProfileSection.blocks(phase.path("cache_profile"))));
            }
            case BACKUP -> {
                add("Backup statistics", backup());
                add("Jetstress system parameters", parameters());
                add("Database configuration", configuration());
                add("Transactional I/O performance", io("", Column.IO, "transactional_io"));
                add("Devices", devices());
                add("Host system performance", host());
            }
            case RECOVERY -> {
                add("Soft recovery statistics", recovery());
                add("Database configuration", configuration());
                add("Transactional I/O performance", io("", Column.IO, "transactional_io"));
                add(
                        "Background database maintenance I/O performance",
                        io("", MAINTENANCE, "background_maintenance_io"));
                add("Total I/O performance", io("total", Column.IO, "total_io"));
                add("Devices", devices());
                add("Host system performance", host());
            }
            case CHECKSUM -> {
                add("Checksum statistics", checksum());
                add("Disk subsystem performance", devices());
                add("Memory system performance", host());
            }
        }
        add("Test log", log());
    }

    private void add(String title, Block... blocks) {
        sections.add(new Section(3, title, List.of(blocks)));
    }

    private Block testSummary() {
        List<Block.Fact> facts = new ArrayList<>();
        facts.add(new Block.Fact(
                "Overall test result",
                phase.path("verdict").isTextual() ? phase.path("verdict").asText() : "not judged"));
        for (JsonNode reason : phase.path("reasons")) {
            facts.add(new Block.Fact("Reason", reason.asText()));
        }
        for (JsonNode note : phase.path("notes")) {
            facts.add(new Block.Fact("Note", note.asText()));
        }
        facts.add(new Block.Fact("Machine", Cells.of(all.path("environment").path("cpu_model"))));
        facts.add(new Block.Fact("Test start", Cells.of(phase.path("started_at"))));
        facts.add(new Block.Fact("Test end", Cells.of(phase.path("finished_at"))));
        facts.add(
                new Block.Fact("Collection start", Cells.of(phase.path("collection_started_at"))));
        facts.add(new Block.Fact("Collection end", Cells.of(phase.path("collection_finished_at"))));
        facts.add(new Block.Fact(
                "Tool version", "hubmark " + Cells.of(all.path("tool").path("version"))));
        facts.add(new Block.Fact("Engine", "RocksDB"));
        facts.add(new Block.Fact(
                "Operating system", Cells.of(all.path("environment").path("os"))));
        facts.add(new Block.Fact("Performance log", appendix.key() + "-samples.csv"));
        return new Block.Facts(facts);
    }

    private Block throughput() {
        List<List<String>> rows = new ArrayList<>();
        String from = "/phases/" + appendix.published + "/";
        rows.add(List.of(
                "Achieved transactional I/O per second (" + Cells.of(phase.path("loop")) + " loop)",
                Cells.of(phase.path("achieved_iops")),
                Cells.of(Published.at(from + "achieved_iops"))));
        rows.add(List.of(
                "Target transactional I/O per second",
                Cells.of(all.path("target_iops")),
                Cells.of(Published.at(from + "target_iops"))));
        rows.add(List.of(
                "Initial database size (bytes)",
                Cells.of(phase.path("initial_database_bytes")),
                Cells.of(Published.at(from + "initial_db_size_bytes"))));
        rows.add(List.of(
                "Final database size (bytes)",
                Cells.of(phase.path("final_database_bytes")),
                Cells.of(Published.at(from + "final_db_size_bytes"))));
        rows.add(List.of(
                "Database files (count)",
                Cells.of(phase.path("database_files")),
                Cells.of(Published.at(from + "db_files"))));
        return new Block.Grid(
                "Database sizing and throughput", List.of("", "this run", Published.NAME), rows);
    }

    private Block parameters() {
        String from = "/jetstress_parameters/";
        List<List<String>> rows = new ArrayList<>();
        rows.add(row(
                "Thread count (per database)",
                phase.path("threads_per_database"),
                from + "threads_per_database"));
        rows.add(row(
                "Minimum database cache", settings.path("cache-min"), from + "min_db_cache_mb"));
        rows.add(row(
                "Maximum database cache", settings.path("cache-max"), from + "max_db_cache_mb"));
        rows.add(row(
                "Operations (insert, delete, replace, read; %)",
                settings.path("mix"), from + "insert_percent"));
        rows.add(row("Lazy commits", settings.path("lazy-commits"), from + "lazy_commit_percent"));
        if (appendix != Appendix.BACKUP) {
            rows.add(row(
                    "Run background database maintenance",
                    settings.path("maintenance"),
                    from + "background_db_maintenance"));
            rows.add(row(
                    "Number of copies per database",
                    settings.path("copies"),
                    from + "copies_per_database"));
        }
        return new Block.Grid("System parameters", List.of("", "this run", Published.NAME), rows);
    }

    private static List<String> row(String label, JsonNode ours, String published) {
        return List.of(label, Cells.of(ours), Cells.of(Published.at(published)));
    }

    private Block configuration() {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode place : phase.path("databases")) {
            rows.add(List.of(
                    Cells.of(place.path("instance")),
                    Cells.of(place.path("log")),
                    Cells.of(place.path("database"))));
        }
        return new Block.Grid(
                "Database configuration", List.of("Instance", "Log path", "Database path"), rows);
    }

    /** A table of columns, the instances below each other, the means of this run and of the source. */
    private Block io(String within, List<Column> columns, String publishedTable) {
        List<String> heads = new ArrayList<>(List.of("MSExchange Database ==> Instances"));
        columns.forEach(column -> heads.add(column.heading()));
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode instance : phase.path("instances")) {
            JsonNode its = within.isEmpty() ? instance : instance.path(within);
            List<String> row = new ArrayList<>(List.of(instance.path("instance").asText()));
            columns.forEach(column -> row.add(Cells.of(its.path(column.key()))));
            rows.add(row);
        }
        List<String> ours = new ArrayList<>(List.of("mean of the instances"));
        List<String> theirs = new ArrayList<>(List.of("mean, " + Published.NAME));
        for (Column column : columns) {
            ours.add(mean(within, column));
            theirs.add(Published.mean(appendix.published, publishedTable, publishedKey(column)));
        }
        rows.add(ours);
        rows.add(theirs);
        return new Block.Grid("I/O of each instance", heads, rows);
    }

    private static String publishedKey(Column column) {
        return column.key().replace("replication_log_", "log_");
    }

    private String mean(String within, Column column) {
        double sum = 0;
        int count = 0;
        for (JsonNode instance : phase.path("instances")) {
            JsonNode value =
                    (within.isEmpty() ? instance : instance.path(within)).path(column.key());
            if (value.isNumber()) {
                sum += value.asDouble();
                count++;
            }
        }
        return count == 0 ? Cells.UNKNOWN : Cells.of(sum / count);
    }

    private Block background() {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode instance : phase.path("instances")) {
            JsonNode counters = instance.path("counters");
            rows.add(List.of(
                    instance.path("instance").asText(),
                    Cells.of(counters.path("compaction_reads")),
                    Cells.of(counters.path("compaction_read_bytes")),
                    Cells.of(counters.path("db_writes")),
                    Cells.of(counters.path("db_write_bytes"))));
        }
        return new Block.Grid(
                "Reads of compactions are in no table of the source, which has none; writes of flushes"
                        + " and compactions are its database writes",
                List.of(
                        "Instance",
                        "Compaction reads",
                        "Compaction reads (bytes)",
                        "Flush and compaction writes",
                        "Flush and compaction writes (bytes)"),
                rows);
    }

    private Block judged() {
        List<Column> columns = List.of(
                Column.AVG_DB_READ_LATENCY_MS,
                Column.MAX_SAMPLE_DB_READ_LATENCY_MS,
                Column.P95_DB_READ_LATENCY_MS,
                Column.P99_DB_READ_LATENCY_MS,
                Column.MAX_DB_READ_LATENCY_MS,
                Column.AVG_LOG_WRITE_LATENCY_MS,
                Column.MAX_SAMPLE_LOG_WRITE_LATENCY_MS,
                Column.P99_LOG_WRITE_LATENCY_MS,
                Column.MAX_LOG_WRITE_LATENCY_MS,
                Column.STALLS_PER_S,
                Column.TRANSACTIONS_PER_S);
        List<String> heads = new ArrayList<>(List.of("Instance"));
        columns.forEach(column -> heads.add(column.heading()));
        List<List<String>> rows = new ArrayList<>();
        JsonNode thresholds = all.path("thresholds");
        rows.add(List.of(
                "at most",
                Cells.of(thresholds.path("read_latency_ms")),
                Cells.of(thresholds.path("read_latency_max_ms")),
                Cells.UNKNOWN,
                Cells.UNKNOWN,
                Cells.UNKNOWN,
                Cells.of(thresholds.path("log_latency_ms")),
                Cells.of(thresholds.path("log_latency_max_ms")),
                Cells.UNKNOWN,
                Cells.UNKNOWN,
                "0",
                Cells.UNKNOWN));
        for (JsonNode instance : phase.path("instances")) {
            List<String> row = new ArrayList<>(List.of(instance.path("instance").asText()));
            columns.forEach(column -> row.add(Cells.of(instance.path(column.key()))));
            rows.add(row);
        }
        return new Block.Grid(
                "Each instance is judged by itself; drift of database reads "
                        + Cells.of(phase.path("read_latency_drift_ms_per_h")) + " ms an hour",
                heads,
                rows);
    }

    private Block hours() {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode hour : phase.path("hours")) {
            rows.add(List.of(
                    Cells.of(hour.path("hour")),
                    Cells.of(hour.path("verdict")),
                    Cells.of(hour.path("db_reads")),
                    Cells.of(hour.path("avg_db_read_latency_ms")),
                    Cells.of(hour.path("p95_db_read_latency_ms")),
                    Cells.of(hour.path("p99_db_read_latency_ms")),
                    Cells.of(hour.path("max_db_read_latency_ms")),
                    Cells.of(hour.path("over_1ms_percent")),
                    Cells.of(hour.path("over_8ms_percent")),
                    Cells.of(hour.path("over_64ms_percent"))));
        }
        return new Block.Grid(
                "Database reads of all instances. The rule of ACT (at most 5 % above 1 ms, 1 % above 8"
                        + " ms, 0.1 % above 64 ms) is for flash, and is no part of the verdict",
                List.of(
                        "Hour",
                        "By the rule of ACT",
                        "Reads",
                        "Average (msec)",
                        "95th percentile (msec)",
                        "99th percentile (msec)",
                        "Maximum (msec)",
                        "Above 1 ms (%)",
                        "Above 8 ms (%)",
                        "Above 64 ms (%)"),
                rows);
    }

    private Block devices() {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode device : phase.path("devices")) {
            List<String> roles = new ArrayList<>();
            device.path("roles").forEach(role -> roles.add(role.asText()));
            rows.add(List.of(
                    device.path("device").asText(),
                    String.join(", ", roles),
                    Cells.of(device.path("avg_read_latency_ms")),
                    Cells.of(device.path("avg_write_latency_ms")),
                    Cells.of(device.path("reads_per_s")),
                    Cells.of(device.path("writes_per_s")),
                    Cells.of(device.path("avg_read_bytes")),
                    Cells.of(device.path("avg_write_bytes")),
                    Cells.of(device.path("busy_percent"))));
        }
        return new Block.Grid(
                "What the kernel counted of each device, of all that used it",
                List.of(
                        "Device",
                        "Holds",
                        "Avg. Disk msec/Read",
                        "Avg. Disk msec/Write",
                        "Disk Reads/sec",
                        "Disk Writes/sec",
                        "Avg. Disk Bytes/Read",
                        "Avg. Disk Bytes/Write",
                        "Busy (%)"),
                rows);
    }

    private Block host() {
        List<List<String>> rows = new ArrayList<>();
        String table = appendix == Appendix.CHECKSUM
                ? "memory_system_performance"
                : "host_system_performance";
        for (List<String> counter : HOST) {
            JsonNode ours = phase.path("host").path(counter.get(0));
            JsonNode theirs = Published.at(
                    "/phases/" + appendix.published + "/" + table + "/" + counter.get(2));
            rows.add(List.of(
                    counter.get(1),
                    Cells.of(ours.path("avg")),
                    Cells.of(ours.path("min")),
                    Cells.of(ours.path("max")),
                    Cells.of(theirs.path("avg")),
                    Cells.of(theirs.path("min")),
                    Cells.of(theirs.path("max"))));
        }
        return new Block.Grid(
                "This run, and " + Published.NAME,
                List.of(
                        "Counter",
                        "Average",
                        "Minimum",
                        "Maximum",
                        "Average, published",
                        "Minimum, published",
                        "Maximum, published"),
                rows);
    }

    private Block threads() {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode step : phase.path("thread_steps")) {
            rows.add(List.of(
                    Cells.of(step.path("threads_per_database")),
                    Cells.of(step.path("iops")),
                    Cells.of(step.path("db_read_latency_ms")),
                    Cells.of(step.path("seconds"))));
        }
        return rows.isEmpty()
                ? new Block.Text("The number of threads was given.")
                : new Block.Grid(
                        "How the number of threads was found, closed loop",
                        List.of(
                                "Threads per database",
                                "Database I/O per second",
                                "Read latency (msec)",
                                "Stable samples (sec)"),
                        rows);
    }

    private Block backup() {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode one : phase.path("backup")) {
            rows.add(List.of(
                    Cells.of(one.path("instance")),
                    Cells.of(one.path("size_mb")),
                    Cells.of(one.path("elapsed_s")),
                    Cells.of(one.path("mb_per_s"))));
        }
        return new Block.Grid(
                elapsed(),
                List.of("Instance", "Size (MB)", "Elapsed (sec)", "Transfer rate (MB/sec)"),
                rows);
    }

    private Block recovery() {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode one : phase.path("recovery")) {
            rows.add(List.of(
                    Cells.of(one.path("instance")),
                    Cells.of(one.path("log_mb_replayed")),
                    Cells.of(one.path("elapsed_s")),
                    Cells.of(one.path("s_per_mb"))));
        }
        return new Block.Grid(
                elapsed() + "; the source replays files of 1 MB at 2.843 s each",
                List.of("Instance", "Log replayed (MB)", "Elapsed (sec)", "Time per MB (sec)"),
                rows);
    }

    /** A database has hundreds of files: one by one they stand in the results, and here if they are bad. */
    private Block[] checksum() {
        Map<String, List<JsonNode>> folders = new TreeMap<>();
        List<List<String>> bad = new ArrayList<>();
        for (JsonNode one : phase.path("checksum")) {
            String file = one.path("file").asText();
            folders.computeIfAbsent(
                            file.substring(0, Math.max(0, file.lastIndexOf('/'))),
                            folder -> new ArrayList<>())
                    .add(one);
            if (one.path("bad_blocks").asLong() > 0) {
                bad.add(List.of(
                        file,
                        Cells.of(one.path("blocks")),
                        Cells.of(one.path("bad_blocks")),
                        Cells.of(one.path("bytes"))));
            }
        }
        List<List<String>> rows = new ArrayList<>();
        folders.forEach((folder, files) -> rows.add(List.of(
                folder,
                Integer.toString(files.size()),
                Long.toString(sum(files, "blocks")),
                Long.toString(sum(files, "bad_blocks")),
                Long.toString(sum(files, "bytes")))));
        Block all = new Block.Grid(
                elapsed() + "; each file stands in qualification.json",
                List.of("Database", "Files", "Blocks seen", "Bad blocks", "Length (bytes)"),
                rows);
        return bad.isEmpty()
                ? new Block[] {all}
                : new Block[] {
                    all,
                    new Block.Grid(
                            "Files with bad blocks",
                            List.of("File", "Blocks seen", "Bad blocks", "Length (bytes)"),
                            bad)
                };
    }

    private static long sum(List<JsonNode> files, String key) {
        return files.stream().mapToLong(file -> file.path(key).asLong()).sum();
    }

    /** A sum of times that ran side by side is not called elapsed. */
    private String elapsed() {
        JsonNode times = phase.path("elapsed");
        return "All took " + Cells.of(times.path("wall_s"))
                + " s by the clock on the wall; the times"
                + " added up, some of which ran side by side, are " + Cells.of(times.path("sum_s"))
                + " s";
    }

    private Block log() {
        List<String> lines = new ArrayList<>();
        phase.path("log")
                .forEach(line -> lines.add(
                        line.path("at").asText() + " -- " + line.path("text").asText()));
        return new Block.Lines(lines);
    }
}
