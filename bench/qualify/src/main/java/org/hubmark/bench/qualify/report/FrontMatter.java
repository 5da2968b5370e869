package org.hubmark.bench.qualify.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.qualify.result.Recomputed;

import java.util.ArrayList;
import java.util.List;

/** What stands before the appendices, in the order of the source. */
final class FrontMatter {
    private static final double MB = 1 << 20;

    private final JsonNode all;
    private final JsonNode environment;
    private final JsonNode settings;

    private FrontMatter(JsonNode qualification) {
        this.all = qualification;
        this.environment = qualification.path("environment");
        this.settings = qualification.path("settings");
    }

    static List<Section> sections(JsonNode qualification, Recomputed check) {
        FrontMatter front = new FrontMatter(qualification);
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, "Overview", front.overview(check)));
        sections.addAll(CacheSection.sections(qualification));
        sections.add(new Section(
                2,
                "Disclaimer",
                List.of(new Block.Text(
                        "This is a qualification: it shows whether this storage is fast enough for one"
                                + " load. It is not a benchmark, and its results must not be used to rank"
                                + " vendors or solutions. The engine is RocksDB, not ESE, so the published"
                                + " figures are shown for orientation, not for comparison."))));
        sections.add(new Section(2, "Server", List.of(front.server())));
        sections.add(new Section(2, "Solution", List.of(front.features())));
        sections.add(new Section(2, "Solution description", List.of(front.platform())));
        sections.add(new Section(2, "Targeted customer profile", List.of(front.profile())));
        sections.add(new Section(2, "Tested deployment", front.deployment()));
        sections.add(new Section(2, "Best practices", List.of(front.practices())));
        sections.add(new Section(
                2,
                "Backup strategy",
                List.of(new Block.Text(
                        "Not part of what is measured here, but for the rate at which a snapshot can be"
                                + " read: Appendix C."))));
        sections.add(new Section(2, "Contact", List.of(new Block.Text(Cells.UNKNOWN))));
        sections.add(new Section(2, "Test results summary", front.summary()));
        sections.add(new Section(2, "Conclusion", List.of(new Block.Text(front.conclusion()))));
        return sections;
    }

    private List<Block> overview(Recomputed check) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Text(conclusion()));
        List<String> reasons = new ArrayList<>();
        all.path("reasons").forEach(reason -> reasons.add(reason.asText()));
        if (!reasons.isEmpty()) {
            blocks.add(new Block.Lines(reasons));
        }
        blocks.add(new Block.Text("Self-check: " + check.cells() + " cells recomputed from the"
                + " raw samples, "
                + (check.mismatches().isEmpty() ? "none" : check.mismatches().size())
                + " of them different."));
        if (!check.mismatches().isEmpty()) {
            blocks.add(new Block.Lines(check.mismatches()));
        }
        return blocks;
    }

    private String conclusion() {
        String load = Cells.of(all.path("target_iops")) + " database reads and writes a second on "
                + settings.path("databases").asText() + " databases";
        boolean loaded = phase("performance").path("verdict").isTextual()
                || phase("stress").path("verdict").isTextual();
        return switch (all.path("verdict").asText()) {
            case "pass" ->
                loaded
                        ? "The storage passes a load of " + load + "."
                        : "The storage passes; no load was put on it.";
            case "fail" ->
                loaded
                        ? "The storage fails a load of " + load + "."
                        : "The storage fails; no load was put on it.";
            default ->
                all.path("cache").isObject()
                        ? "Caches were compared, by a load of " + load
                                + " or more; there is no verdict."
                        : "There is no verdict; the load was to be " + load + ".";
        };
    }

    private Block server() {
        return new Block.Facts(List.of(
                fact("CPU", environment.path("cpu_model")),
                fact("Logical cores", environment.path("logical_cores")),
                fact("CPU clock (MHz)", environment.path("cpu_clock_mhz")),
                fact("Memory (bytes)", environment.path("memory_bytes")),
                fact("OS", environment.path("os")),
                fact("Kernel", environment.path("kernel")),
                fact("Container", environment.path("container"))));
    }

    private Block features() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("Tool", "hubmark " + Cells.of(all.path("tool").path("version"))));
        rows.add(List.of("Commit", Cells.of(all.path("tool").path("commit"))));
        rows.add(List.of("Command", Cells.of(all.path("command"))));
        return new Block.Grid("Table 1: Features", List.of("Feature", "Value"), rows);
    }

    private Block platform() {
        List<List<String>> rows = new ArrayList<>();
        both(rows, "Server platform", environment.path("cpu_model"), "/server/model");
        both(rows, "Firmware", environment.path("disclosure").path("firmware"), "/server/firmware");
        both(rows, "BIOS", environment.path("disclosure").path("bios"), "/server/bios");
        rows.add(List.of(
                "RAM (GB)",
                environment.path("memory_bytes").isNumber()
                        ? Cells.of(environment.path("memory_bytes").asDouble() / MB / 1024)
                        : Cells.UNKNOWN,
                Cells.of(Published.at("/server/ram_gb"))));
        both(rows, "RAID adapter", settings.path("none"), "/storage/controller");
        both(rows, "CPU", environment.path("cpu_model"), "/server/cpu");
        rows.add(List.of(
                "Storage",
                volumes("database").isEmpty()
                        ? Cells.UNKNOWN
                        : volumes("database").getFirst(),
                Cells.of(Published.at("/storage/disk/model"))));
        return new Block.Grid("Platform", List.of("Component", "this run", Published.NAME), rows);
    }

    private Block profile() {
        List<List<String>> rows = new ArrayList<>();
        both(rows, "Mailboxes", settings.path("users"), "/solution/mailboxes");
        both(rows, "Hosts attached", settings.path("none"), "/solution/hosts_attached_to_storage");
        both(rows, "Resiliency", settings.path("none"), "/solution/resiliency");
        both(rows, "Database copies", settings.path("copies"), "/solution/db_copies");
        both(rows, "Mailbox quota (MB)", settings.path("none"), "/solution/mailbox_quota_mb");
        both(
                rows,
                "IOPS per mailbox",
                settings.path("iops-per-user"),
                "/solution/iops_per_mailbox");
        both(
                rows,
                "Background database maintenance",
                settings.path("maintenance"),
                "/solution/background_db_maintenance");
        both(rows, "Databases", settings.path("databases"), "/solution/databases_per_server");
        return new Block.Grid(
                "Targeted customer profile", List.of("", "this run", Published.NAME), rows);
    }

    private List<Block> deployment() {
        List<Block> blocks = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        both(rows, "Mailboxes", settings.path("users"), "/simulated_configuration/0/value");
        both(rows, "Databases", settings.path("databases"), "/simulated_configuration/4/value");
        both(rows, "Copies", settings.path("copies"), "/simulated_configuration/5/value");
        both(
                rows,
                "IOPS per mailbox",
                settings.path("iops-per-user"),
                "/simulated_configuration/7/value");
        both(
                rows,
                "Database size for the test, each",
                settings.path("database-size"),
                "/simulated_configuration/10/value");
        blocks.add(new Block.Grid(
                "Table 2: Simulated configuration (of the twelve values of the source, those whose"
                        + " labels are known; its database size is of all, in GB)",
                List.of("", "this run", Published.NAME),
                rows));
        blocks.add(disks("Tables 3 to 5: Storage of the databases", "database"));
        blocks.add(disks("Table 6: Storage of the logs", "log"));
        return blocks;
    }

    private Block disks(String caption, String role) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode volume : environment.path("volumes")) {
            if (!volume.path("role").asText().equals(role)) {
                continue;
            }
            rows.add(List.of(
                    Cells.of(volume.path("path")),
                    Cells.of(volume.path("device")),
                    Cells.of(volume.path("filesystem")),
                    Cells.of(volume.path("mount_options")),
                    Cells.of(volume.path("write_cache")),
                    Cells.of(volume.path("rotational")),
                    Cells.of(volume.path("scheduler")),
                    Cells.of(volume.path("free_bytes")),
                    Cells.of(volume.path("emulates")),
                    Cells.of(volume.path("storage").path("raid")),
                    Cells.of(volume.path("sync_verdict"))));
        }
        return new Block.Grid(
                caption,
                List.of(
                        "Folder",
                        "Device",
                        "File system",
                        "Mount options",
                        "Write cache",
                        "Rotational",
                        "Scheduler",
                        "Free (bytes)",
                        "Acts like",
                        "RAID",
                        "Syncs are"),
                rows);
    }

    private List<String> volumes(String role) {
        List<String> devices = new ArrayList<>();
        for (JsonNode volume : environment.path("volumes")) {
            if (volume.path("role").asText().equals(role)) {
                devices.add(Cells.of(volume.path("device")));
            }
        }
        return devices;
    }

    private Block practices() {
        List<List<String>> rows = new ArrayList<>();
        settings.properties()
                .forEach(one -> rows.add(List.of("--" + one.getKey(), Cells.of(one.getValue()))));
        return new Block.Grid("Tables 7 and 8: what was set", List.of("Parameter", "Value"), rows);
    }

    private List<Block> summary() {
        JsonNode performance = phase("performance");
        if (performance.isMissingNode()) {
            performance = phase("stress");
        }
        List<List<String>> reliability = new ArrayList<>();
        reliability.add(List.of(
                "Were errors reported during the tests?",
                any(performance, "errors") ? "yes" : "no",
                yesNo("/results_summary/reliability_event_log_errors")));
        reliability.add(List.of(
                "Were checksum errors found?",
                phase("checksum").isMissingNode()
                        ? Cells.UNKNOWN
                        : phase("checksum").path("verdict").asText().equals("fail") ? "yes" : "no",
                yesNo("/results_summary/reliability_checksum_errors")));
        reliability.add(List.of(
                "Were errors found during backup?",
                phase("backup").isMissingNode() ? Cells.UNKNOWN : "no",
                yesNo("/results_summary/reliability_backup_errors")));
        reliability.add(List.of(
                "Were checksum errors found on remote copies?",
                Cells.UNKNOWN,
                yesNo("/results_summary/reliability_remote_checksum_errors")));
        List<List<String>> io = new ArrayList<>();
        both(
                io,
                "Database transfers/sec",
                performance.path("achieved_iops"),
                summary("db_transfers_per_s"));
        both(
                io,
                "Database reads/sec",
                performance.path("db_reads_per_s"),
                summary("db_reads_per_s"));
        both(
                io,
                "Database writes/sec",
                performance.path("db_writes_per_s"),
                summary("db_writes_per_s"));
        latency(io, performance, "Average database read latency (msec)", "avg_db_read_latency_ms");
        latency(
                io,
                performance,
                "Average database write latency (msec)",
                "avg_db_write_latency_ms");
        both(
                io,
                "Log writes/sec",
                performance.path("log_writes_per_s"),
                summary("log_writes_per_s"));
        latency(io, performance, "Average log write latency (msec)", "avg_log_write_latency_ms");
        List<List<String>> other = new ArrayList<>();
        double perServer = 0;
        JsonNode backup = phase("backup").path("backup");
        for (JsonNode one : backup) {
            perServer += one.path("mb_per_s").asDouble();
        }
        other.add(List.of(
                "MB/sec read per database",
                backup.isEmpty() ? Cells.UNKNOWN : Cells.of(perServer / backup.size()),
                Cells.of(Published.at(summary("backup_read_mb_per_s_per_database")))));
        other.add(List.of(
                "MB/sec read per server",
                backup.isEmpty() ? Cells.UNKNOWN : Cells.of(perServer),
                Cells.of(Published.at(summary("backup_read_mb_per_s_per_server")))));
        double seconds = 0;
        double megabytes = 0;
        for (JsonNode one : phase("recovery").path("recovery")) {
            seconds += one.path("elapsed_s").asDouble();
            megabytes += one.path("log_mb_replayed").asDouble();
        }
        other.add(List.of(
                "Average time to replay 1 MB of log (sec; times of databases side by side added up,"
                        + " as the source has it)",
                megabytes == 0 ? Cells.UNKNOWN : Cells.of(seconds / megabytes),
                Cells.of(Published.at(summary("avg_log_replay_time_s")))));
        List<String> heads = List.of("", "this run", Published.NAME);
        return List.of(
                new Block.Grid("Reliability", heads, reliability),
                new Block.Grid("Storage performance: database and log I/O", heads, io),
                new Block.Grid("Database read-only performance and log replay", heads, other));
    }

    private static String summary(String key) {
        return "/results_summary/" + key;
    }

    private void latency(List<List<String>> rows, JsonNode phase, String label, String key) {
        both(rows, label, phase.path(key), summary(key));
        rows.add(List.of(
                label + ", weighted by the operations",
                Cells.of(phase.path(key + "_weighted")),
                Cells.UNKNOWN));
    }

    private static boolean any(JsonNode phase, String counter) {
        for (JsonNode instance : phase.path("instances")) {
            if (instance.path("counters").path(counter).asLong() > 0) {
                return true;
            }
        }
        return false;
    }

    private static String yesNo(String pointer) {
        return Cells.of(Published.at(pointer));
    }

    private JsonNode phase(String name) {
        for (JsonNode phase : all.path("phases")) {
            if (phase.path("phase").asText().equals(name)) {
                return phase;
            }
        }
        return all.path("missing");
    }

    private static void both(
            List<List<String>> rows, String label, JsonNode ours, String published) {
        rows.add(List.of(label, Cells.of(ours), Cells.of(Published.at(published))));
    }

    private static Block.Fact fact(String name, JsonNode value) {
        return new Block.Fact(name, Cells.of(value));
    }
}
