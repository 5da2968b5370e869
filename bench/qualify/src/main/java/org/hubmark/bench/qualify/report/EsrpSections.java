package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.YamlResource;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Platform;
import org.hubmark.bench.qualify.result.CacheFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.PhaseVerdict;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a report has beside its tables, in the order of the source, the published figures beside ours. */
final class EsrpSections {
    private static final Pairs PAIRS = YamlResource.published("pam-tr3766", Pairs.class);

    private static final double MEBIBYTE = 1 << 20;
    private static final double GIBIBYTE = 1 << 30;
    private static final double NANOS_PER_SECOND = 1e9;

    /** What the databases are kept by. */
    static final String ENGINE = "a page store with update in place";

    static final List<String> BESIDE = List.of("", "this run", Esrp.NAME);

    private final Document document;
    private final Map<String, @Nullable Object> settings;

    /** What is read of NetApp TR-3766: storage that was measured with a read cache for metadata and without. */
    private record Pairs(List<Pair> configurations) {}

    private record Pair(int users, Disks disks, Results results) {}

    private record Disks(String type) {}

    /** Figures by the keys of our columns; null where none is printed. */
    private record Results(
            Map<String, @Nullable Double> pamEnabled,
            Map<String, @Nullable Double> pamDisabled,
            Map<String, @Nullable Double> improvementPercent) {}

    private EsrpSections(Document document) {
        this.document = document;
        this.settings = document.provenance().settings();
    }

    static List<Section> of(Document document) {
        EsrpSections made = new EsrpSections(document);
        List<Section> sections = new ArrayList<>();
        sections.add(
                new Section(
                        2,
                        "Disclaimer",
                        List.of(
                                new Block.Text(
                                        "This is a qualification: it shows whether this storage is fast enough for one"
                                                + " load. It is not a benchmark, and its results must not be used to rank"
                                                + " vendors or solutions. The engine is "
                                                + ENGINE
                                                + ", not ESE, so the published figures are shown for orientation, not for comparison."))));
        if (!document.table(CacheFigures.CACHES).rows().isEmpty()) {
            sections.addAll(made.caches());
            return sections;
        }
        sections.add(new Section(2, "Targeted customer profile", List.of(made.profile())));
        sections.add(new Section(2, "Server", List.of(made.server())));
        sections.add(StorageSection.of(document));
        sections.add(new Section(2, "Test results summary", made.summary()));
        for (PhaseSections.Appendix appendix : PhaseSections.Appendix.values()) {
            sections.addAll(PhaseSections.of(appendix, document));
        }
        return sections;
    }

    private List<Section> caches() {
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, "Published pairs", List.of(pairs())));
        Repeat first =
                document.table(CacheFigures.CACHES).rows().getFirst().repeats().getFirst();
        if (PhaseSections.isProfiled(first)) {
            sections.add(new Section(
                    2, "Predicted during the first cache", PhaseSections.profile(document, first)));
        }
        return sections;
    }

    private Block pairs() {
        Table caches = document.table(CacheFigures.CACHES);
        String first = caches.rows().getFirst().name(CacheFigures.CACHE);
        List<Row> others = caches.rows().stream().skip(1).toList();
        List<String> headings = new ArrayList<>(List.of("Row"));
        others.forEach(row -> headings.add("this run, " + row.name(CacheFigures.CACHE) + " against "
                + first + ", improvement (%)"));
        for (Pair one : PAIRS.configurations()) {
            headings.add(String.format(
                    Locale.ROOT,
                    "%,d users, %s, without",
                    one.users(),
                    one.disks().type()));
            headings.add("with");
            headings.add("improvement (%)");
        }
        List<List<String>> rows = new ArrayList<>();
        for (Column column : CacheFigures.PUBLISHED) {
            List<String> cells = new ArrayList<>(List.of(column.heading()));
            String key = column.key().replace("rows.", "");
            others.forEach(row -> cells.add(improvement(caches, row, column)));
            for (Pair one : PAIRS.configurations()) {
                cells.add(Tables.published(one.results().pamDisabled().get(key)));
                cells.add(Tables.published(one.results().pamEnabled().get(key)));
                cells.add(Tables.published(one.results().improvementPercent().get(key)));
            }
            rows.add(cells);
        }
        return new Block.Grid(
                "This run beside NetApp TR-3766: a read cache for metadata on and off, in the storage and"
                        + " behind where reads are counted; other storage and another engine",
                headings,
                rows);
    }

    /** {@return by how much more, or by how much sooner, than with the first cache} */
    private static String improvement(Table caches, Row row, Column column) {
        Column against = CacheFigures.AGAINST_FIRST.get(CacheFigures.COMPARED.indexOf(column));
        double ratio = caches.estimate(row, against).value();
        double gain = column.better() == Column.Better.LESS ? 1 - ratio : ratio - 1;
        return Double.isFinite(gain)
                ? String.format(Locale.ROOT, "%.1f", 100 * gain)
                : Cells.UNKNOWN;
    }

    private Block profile() {
        List<List<String>> rows = new ArrayList<>();
        String byTarget = "not applicable: the target was given by --target-iops";
        both(rows, "Mailboxes", settings.get("users"), "mailboxes", byTarget);
        both(rows, "Database copies", settings.get("copies"), "db_copies", Cells.UNKNOWN);
        both(rows, "IOPS per mailbox", settings.get("iops-per-user"), "iops_per_mailbox", byTarget);
        both(
                rows,
                "Background database maintenance",
                settings.get("maintenance") == null
                        ? null
                        : (Boolean) Objects.equals(settings.get("maintenance"), "on"),
                "background_db_maintenance",
                Cells.UNKNOWN);
        both(rows, "Databases", settings.get("databases"), "databases_per_server", Cells.UNKNOWN);
        both(
                rows,
                "Mailbox quota (MB)",
                quota(),
                "mailbox_quota_mb",
                "missing: --mailbox was not given");
        both(rows, "Resiliency", null, "resiliency", "not applicable: one server is judged");
        both(rows, "Hosts attached", 1, "hosts_attached_to_storage", Cells.UNKNOWN);
        return new Block.Grid("Targeted customer profile", BESIDE, rows);
    }

    private Block server() {
        Environment machine = document.provenance().environment();
        Platform known =
                machine.disclosure() == null ? null : machine.disclosure().platform();
        Platform platform =
                known == null ? new Platform(null, null, null, null, null, null) : known;
        Long memory = machine.memoryBytes();
        String untold = "missing: the tables of the maker do not tell";
        List<List<String>> rows = new ArrayList<>();
        beside(
                rows,
                "Server platform",
                joined(platform.vendor(), platform.product()),
                "model",
                untold);
        beside(rows, "Firmware", platform.firmware(), "firmware", untold);
        beside(
                rows,
                "BIOS",
                joined(platform.biosVendor(), platform.biosVersion(), platform.biosDate()),
                "bios",
                untold);
        beside(rows, "CPU", machine.processor().cpuModel(), "cpu", untold);
        beside(rows, "Logical cores", machine.processor().logicalCores(), "", untold);
        beside(
                rows,
                "Memory (GB)",
                memory == null ? null : Tables.number(memory / GIBIBYTE),
                "ram_gb",
                untold);
        beside(rows, "Operating system", machine.software().os(), "", untold);
        beside(rows, "Kernel", machine.software().kernel(), "", untold);
        return new Block.Grid("Server", BESIDE, rows);
    }

    private static @Nullable String joined(@Nullable String... facts) {
        String all = Stream.of(facts).filter(Objects::nonNull).collect(Collectors.joining(" "));
        return all.isEmpty() ? null : all;
    }

    private static void beside(
            List<List<String>> rows,
            String label,
            @Nullable Object ours,
            String published,
            String otherwise) {
        rows.add(List.of(
                label,
                ours == null ? otherwise : Tables.text(ours),
                Tables.text(Esrp.in(Esrp.PUBLISHED.server(), published))));
    }

    private @Nullable Object quota() {
        double mebibytes = PhaseSections.mebibytes(settings.get("mailbox"));
        return Double.isNaN(mebibytes) ? null : (Double) mebibytes;
    }

    private static void both(
            List<List<String>> rows,
            String label,
            @Nullable Object ours,
            String published,
            String otherwise) {
        rows.add(List.of(
                label,
                ours == null ? otherwise : Tables.text(ours),
                Tables.text(Esrp.in(Esrp.PUBLISHED.solution(), published))));
    }

    private Optional<Repeat> phase(String name) {
        return document.table(PhaseFigures.PHASES).rows().stream()
                .filter(row -> row.name(PhaseFigures.PHASE).equals(name))
                .map(Row::repeat)
                .findFirst();
    }

    private List<Block> summary() {
        Repeat performance = phase("performance").or(() -> phase("stress")).orElse(null);
        Repeat backup = phase("backup").orElse(null);
        Repeat recovery = phase("recovery").orElse(null);
        List<List<String>> reliability = List.of(
                summary(
                        "Were errors reported during the tests?",
                        errors(),
                        "reliability_event_log_errors"),
                summary("Were checksum errors found?", checksum(), "reliability_checksum_errors"),
                summary(
                        "Were errors found during backup?",
                        backup == null ? Cells.UNKNOWN : "no",
                        "reliability_backup_errors"),
                summary(
                        "Were checksum errors found in a remote copy?",
                        "not applicable: copies read the log, and have no database",
                        "reliability_remote_checksum_errors"));
        List<List<String>> io = new ArrayList<>();
        io.add(figure(performance, PhaseFigures.ACHIEVED, "db_transfers_per_s"));
        for (Column column : PhaseFigures.AVERAGES) {
            if (Esrp.PUBLISHED.resultsSummary().containsKey(column.key())) {
                io.add(figure(performance, column, column.key()));
            }
        }
        for (Column column : PhaseFigures.WEIGHTED) {
            if (Esrp.PUBLISHED
                    .resultsSummary()
                    .containsKey(column.key().replace("_weighted", ""))) {
                io.add(figure(performance, column, ""));
            }
        }
        double perServer = backup == null ? Double.NaN : PhaseFigures.BACKUP_RATE.value(backup);
        double databases =
                backup == null ? 1 : backup.parts(PhaseFigures.BACKUP).size();
        return List.of(
                new Block.Grid("Reliability", BESIDE, reliability),
                new Block.Grid("Storage performance: database and log I/O", BESIDE, io),
                new Block.Grid(
                        "Database read-only performance and log replay",
                        BESIDE,
                        List.of(
                                summary(
                                        "MB/sec read per database",
                                        Tables.number(perServer / databases),
                                        "backup_read_mb_per_s_per_database"),
                                summary(
                                        PhaseFigures.BACKUP_RATE.heading(),
                                        Tables.number(perServer),
                                        "backup_read_mb_per_s_per_server"),
                                summary(
                                        "MB read of all databases / elapsed time (MB/sec)",
                                        Tables.number(elapsedRate(backup)),
                                        ""),
                                figure(recovery, PhaseFigures.REPLAY, "avg_log_replay_time_s"))));
    }

    /** Databases that are read side by side end at different times: their rates do not add up to this. */
    private static double elapsedRate(@Nullable Repeat backup) {
        return backup == null
                ? Double.NaN
                : backup.parts(PhaseFigures.BACKUP).stream()
                                .mapToDouble(one -> one.count(PhaseFigures.BYTES))
                                .sum()
                        / MEBIBYTE
                        / (backup.count(PhaseFigures.WALL_NS) / NANOS_PER_SECOND);
    }

    private static List<String> figure(@Nullable Repeat phase, Column column, String published) {
        return summary(
                column.heading(),
                phase == null ? Cells.UNKNOWN : Tables.number(column.value(phase)),
                published);
    }

    private static List<String> summary(String label, String ours, String published) {
        return List.of(
                label, ours, Tables.text(Esrp.in(Esrp.PUBLISHED.resultsSummary(), published)));
    }

    /** {@return what the kernel said of the devices and how many transactions failed; a dash where its log was not read} */
    private String errors() {
        List<Row> phases = document.table(PhaseFigures.PHASES).rows();
        double messages = phases.stream()
                .mapToDouble(row -> row.repeat().count(PhaseFigures.KERNEL_MESSAGES))
                .sum();
        double failed = phases.stream()
                .flatMap(row -> row.repeat().parts(InstanceFigures.INSTANCES).stream())
                .mapToDouble(one -> one.count(IoCounter.ERRORS.counter()))
                .filter(Double::isFinite)
                .sum();
        return phases.isEmpty() || Double.isNaN(messages)
                ? failed > 0
                        ? "yes: " + Tables.number(failed) + " failed transactions"
                        : Cells.UNKNOWN
                : (messages + failed > 0 ? "yes: " : "no: ") + Tables.number(messages)
                        + " kernel messages of the devices, " + Tables.number(failed)
                        + " failed transactions";
    }

    private String checksum() {
        return document.table(PhaseFigures.PHASES).rows().stream()
                .filter(row -> row.name(PhaseFigures.PHASE).equals("checksum"))
                .map(row -> PhaseVerdict.of(document, row).passes())
                .filter(Objects::nonNull)
                .map(passes -> passes ? "no" : "yes")
                .findFirst()
                .orElse(Cells.UNKNOWN);
    }
}
