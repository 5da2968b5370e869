package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.PhaseVerdict;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.hubmark.core.ByteSize;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The appendices: a phase each, with the tables of the source in its order. */
final class PhaseSections {
    /** Read on paper, too, which has no colours. */
    private static final String ABOVE = " \u2717";

    private static final String HOST = "host_system_performance/";
    private static final double MEBIBYTE = 1 << 20;

    /** Free share of the cache of pages at which writing begins and ends. */
    private static final double FLUSH_START_SHARE = 0.01;

    private static final double FLUSH_STOP_SHARE = 0.02;

    /** What the source calls a figure of a volume. */
    private static final Map<String, String> VOLUME_PUBLISHED = Map.of(
            "raw_gb", "raw_capacity_gb",
            "formatted_gb", "formatted_capacity_gb",
            "formatted_percent", "storage_capacity_utilization_percent",
            "databases_gb", "database_capacity_used_gb",
            "databases_percent", "database_capacity_utilization_percent");

    /** In the order of the source. */
    private static final List<Table> TABLES = List.of(
            ofTransactions("Database sizing and throughput", PhaseSections::throughput),
            part(
                    "Backup statistics",
                    PhaseFigures.BACKUP,
                    "Each database, read from one end to the other"),
            part(
                    "Soft recovery statistics",
                    PhaseFigures.RECOVERY,
                    "The source replays files of 1 MB at 2.843 s each; a replay from memory is not"
                            + " judged"),
            part("Checksum statistics", PhaseFigures.CHECKSUM, "The pages of each database"),
            new Table("Times", PhaseSections::elapsed),
            new Table("Jetstress system parameters", PhaseSections::parameters),
            new Table(
                    "Database configuration",
                    made -> made.isChecksum()
                            ? List.of()
                            : made.part(PhaseFigures.PLACES, "Databases")),
            ofTransactions("Volumes", PhaseSections::volumes),
            instances("Transactional I/O performance", InstanceFigures.IO, "transactional_io"),
            instances(
                    "Background database maintenance I/O performance",
                    InstanceFigures.MAINTENANCE,
                    "background_maintenance_io"),
            instances(
                    "Log replication I/O performance",
                    InstanceFigures.REPLICATION,
                    "log_replication_io"),
            instances("Total I/O performance", InstanceFigures.TOTAL, "total_io"),
            ofTransactions("Latencies and the judgement", PhaseSections::judged),
            part(
                    "Devices",
                    PhaseFigures.DEVICES,
                    "What the kernel counted of each device, of all that used it. Its writes have the"
                            + " flushes without content in them, which the source has not: writes of"
                            + " data are as many, or fewer by the flushes at most"),
            new Table("Host system performance", PhaseSections::host),
            part(
                    "Threads",
                    PhaseFigures.THREAD_STEPS,
                    "How the number of threads was found, closed loop"));

    private final Document document;
    private final Row row;
    private final Repeat phase;

    /** Where the source has the figures of its phase. */
    private final String published;

    private final boolean hasTransactions;

    /** A table of the source; none where there is nothing to tell. */
    private record Table(String title, Function<PhaseSections, List<Block>> blocks) {}

    /** In the order of the source. */
    enum Appendix {
        STRESS("A", "Stress", "stress"),
        PERFORMANCE("B", "Performance", "performance"),
        BACKUP("C", "Streaming backup", "streaming_backup"),
        RECOVERY("D", "Soft recovery", "soft_recovery"),
        CHECKSUM("E", "Checksum", "checksum");

        private final String heading;
        private final String published;

        Appendix(String letter, String title, String published) {
            this.heading = "Appendix " + letter + ": " + title;
            this.published = published;
        }
    }

    /** {@return whether only sums were read, with no engine} */
    private boolean isChecksum() {
        return !phase.parts(PhaseFigures.CHECKSUM).isEmpty();
    }

    private static Table ofTransactions(String title, Function<PhaseSections, List<Block>> blocks) {
        return new Table(title, made -> made.hasTransactions ? blocks.apply(made) : List.of());
    }

    /** {@return a table of one form of parts of the phase; none where it has no such parts} */
    private static Table part(String title, Form form, String caption) {
        return new Table(title, made -> made.part(form, caption));
    }

    /** {@return a table of the instances; none where neither this run nor the source has transactions} */
    private static Table instances(String title, List<Column> columns, String published) {
        return new Table(title, made -> made.instances(columns, made.published + published));
    }

    private PhaseSections(Appendix appendix, Document document, Row row) {
        this.document = document;
        this.row = row;
        this.phase = row.repeat();
        this.published = "/phases/" + appendix.published + "/";
        this.hasTransactions = PhaseFigures.hasTransactions(phase);
    }

    /** {@return the sections of a phase; one that says so when it was not run} */
    static List<Section> of(Appendix appendix, Document document) {
        String name = appendix.name().toLowerCase(Locale.ROOT);
        return PhaseFigures.phase(document, name)
                .map(row -> new PhaseSections(appendix, document, row).sections(appendix))
                .orElse(List.of(new Section(
                        2, appendix.heading, List.of(new Block.Text("This phase was not run.")))));
    }

    private List<Section> sections(Appendix appendix) {
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, appendix.heading, List.of(testSummary())));
        for (Table table : TABLES) {
            List<Block> blocks = table.blocks.apply(this);
            if (!blocks.isEmpty()) {
                sections.add(new Section(3, table.title, blocks));
            }
        }
        sections.add(new Section(
                3,
                "Test log",
                List.of(new Block.Items(phase.parts(PhaseFigures.TEST_LOG).stream()
                        .map(line ->
                                line.name(PhaseFigures.AT) + " -- " + line.name(PhaseFigures.TEXT))
                        .toList()))));
        return sections;
    }

    private List<Block> part(Form form, String caption) {
        return phase.parts(form).isEmpty()
                ? List.of()
                : List.of(Tables.parts(caption, document, phase, form));
    }

    private Block testSummary() {
        PhaseVerdict verdict = PhaseVerdict.of(document, row);
        List<Block.Fact> facts = new ArrayList<>();
        String text = verdict.text();
        facts.add(new Block.Fact(
                "Overall test result",
                text == null
                        ? "not judged"
                        : text
                                + (verdict.caveats().isEmpty()
                                        ? ""
                                        : PhaseVerdict.beside(List.of(phase)))));
        verdict.caveats().forEach(caveat -> facts.add(new Block.Fact("Caveat", caveat)));
        verdict.reasons().forEach(reason -> facts.add(new Block.Fact("Reason", reason)));
        for (Name name : List.of(
                PhaseFigures.NOTES,
                PhaseFigures.STARTED,
                PhaseFigures.FINISHED,
                PhaseFigures.COLLECTION_STARTED,
                PhaseFigures.COLLECTION_FINISHED)) {
            facts.add(new Block.Fact(name.label(), Tables.text(phase.names().get(name.key()))));
        }
        facts.add(new Block.Fact("Engine", EsrpSections.ENGINE));
        for (Column column : List.of(HostFigures.STEAL, HostFigures.FOREIGN_CPU)) {
            facts.add(new Block.Fact(column.heading(), Tables.figure(document, phase, column)));
        }
        return new Block.Facts(facts);
    }

    private List<Block> throughput() {
        String loop = " (" + phase.name(PhaseFigures.LOOP) + " loop)";
        List<Column> sizes = PhaseFigures.SIZES;
        return List.of(Block.Grid.of(
                "Database sizing and throughput",
                EsrpForm.BESIDE,
                List.of(
                        beside(PhaseFigures.ACHIEVED, loop, "achieved_iops"),
                        EsrpForm.beside(
                                PhaseVerdict.TARGET_IOPS.label(),
                                TableCell.text(Tables.number(
                                        PhaseVerdict.number(document, PhaseVerdict.TARGET_IOPS))),
                                Esrp.find(published + "target_iops")),
                        EsrpForm.beside(
                                PhaseFigures.READ_SHARE.heading(),
                                Tables.figure(document, phase, PhaseFigures.READ_SHARE),
                                readShare()),
                        beside(sizes.get(0), "", "initial_db_size_bytes"),
                        beside(sizes.get(1), "", "final_db_size_bytes"),
                        beside(sizes.get(2), "", "db_files"))));
    }

    private List<TableCell> beside(Column column, String more, String theirs) {
        return EsrpForm.beside(
                column.heading() + more,
                Tables.figure(document, phase, column),
                Esrp.find(published + theirs));
    }

    /** {@return what of the database I/O of the source is reads, which it does not print} */
    private @Nullable Double readShare() {
        Double reads = Esrp.mean(published + "transactional_io", "db_reads_per_s");
        Double writes = Esrp.mean(published + "transactional_io", "db_writes_per_s");
        return reads == null || writes == null ? null : (Double) (reads / (reads + writes));
    }

    /** In the units of the source. */
    private List<Block> parameters() {
        if (isChecksum()) {
            return List.of();
        }
        Map<String, @Nullable Object> settings = document.provenance().settings();
        double cacheMax = mebibytes(settings.get("cache-max"));
        Map<String, @Nullable Object> facts = new HashMap<>(settings);
        facts.put("thread_count", PhaseFigures.THREAD_COUNT.value(phase));
        facts.put("cache_min_mb", mebibytes(settings.get("cache-min")));
        facts.put("cache_max_mb", cacheMax);
        facts.put("flush_start_mb", cacheMax * FLUSH_START_SHARE);
        facts.put("flush_stop_mb", cacheMax * FLUSH_STOP_SHARE);
        for (String pair : String.valueOf(settings.get("mix")).split(",", -1)) {
            String[] kind = pair.split("=", -1);
            facts.put(kind[0], kind.length == 2 ? kind[1] : null);
        }
        if (settings.get("lazy-commits") instanceof Number share) {
            facts.put("lazy_percent", 100 * share.doubleValue());
        }
        facts.put("maintenance", "on".equals(settings.get("maintenance")));
        return List.of(EsrpForm.grid("System parameters", EsrpForm.FORM.parameters(), facts));
    }

    static double mebibytes(@Nullable Object size) {
        try {
            return size == null ? Double.NaN : ByteSize.parse(size.toString()) / MEBIBYTE;
        } catch (IllegalArgumentException e) {
            // A file that somebody has changed is drawn as far as it can be read.
            return Double.NaN;
        }
    }

    /** The instances below each other, the means of this run and of the source. */
    private List<Block> instances(List<Column> columns, String theirs) {
        if (!Esrp.has(theirs) && !hasTransactions) {
            return List.of();
        }
        Block.Grid ours = Tables.parts(
                "I/O of each instance", document, phase, InstanceFigures.INSTANCES, columns);
        List<String> mean = new ArrayList<>(List.of("mean of the instances"));
        List<String> source = new ArrayList<>(List.of("mean, " + Esrp.NAME));
        for (Column column : columns) {
            mean.add(Tables.number(phase.parts(InstanceFigures.INSTANCES).stream()
                    .mapToDouble(column::value)
                    .filter(Double::isFinite)
                    .average()
                    .orElse(Double.NaN)));
            String key = column.key().replace("replication_log_", "log_").replace("total.", "");
            source.add(Tables.published(Esrp.mean(theirs, key)));
        }
        List<List<TableCell>> rows = new ArrayList<>(ours.rows());
        rows.add(TableCell.texts(mean));
        rows.add(TableCell.texts(source));
        return List.of(with(ours, rows));
    }

    /** {@return the same table with other rows} */
    private static Block with(Block.Grid table, List<List<TableCell>> rows) {
        return new Block.Grid(table.caption(), table.headings(), rows, table.words());
    }

    /** The file systems of databases and logs, and the volumes of the source. */
    private List<Block> volumes() {
        List<Block> volumes = part(
                VolumeFigures.VOLUMES,
                "After the load. A volume less than half full, or databases below twice a cache"
                        + " below them, weaken a pass, which says so");
        if (volumes.isEmpty() || !(volumes.getFirst() instanceof Block.Grid ours)) {
            return volumes;
        }
        List<List<TableCell>> rows = new ArrayList<>(ours.rows());
        rows.add(TableCell.texts(published("database", "database")));
        rows.add(TableCell.texts(published("system_and_log", "system, log")));
        return List.of(with(ours, rows));
    }

    /** {@return the row of a volume of the source, which has fewer figures of its second one} */
    private static List<String> published(String volume, String holds) {
        String place = "/storage/volumes/" + volume + "/";
        List<String> row = new ArrayList<>(List.of(Esrp.NAME, holds));
        VolumeFigures.VOLUMES
                .names()
                .subList(2, VolumeFigures.VOLUMES.names().size())
                .forEach(name -> row.add(Tables.text(Esrp.find(place + name.key()))));
        VolumeFigures.VOLUMES
                .columns()
                .forEach(column -> row.add(Tables.text(
                        Esrp.find(place + VOLUME_PUBLISHED.getOrDefault(column.key(), "-")))));
        return row;
    }

    private List<Block> judged() {
        Block.Grid ours = Tables.parts(
                "Each instance is judged by itself;" + ABOVE + " marks what is above its limit",
                document,
                phase,
                InstanceFigures.INSTANCES,
                InstanceFigures.JUDGED);
        List<String> limits = new ArrayList<>(List.of("at most"));
        for (Column column : InstanceFigures.JUDGED) {
            Name limit = PhaseVerdict.LIMITS.get(column);
            limits.add(Tables.published(
                    limit == null ? null : (Double) PhaseVerdict.number(document, limit)));
        }
        List<List<TableCell>> rows = new ArrayList<>(List.of(TableCell.texts(limits)));
        List<Repeat> instances = phase.parts(InstanceFigures.INSTANCES);
        for (int i = 0; i < instances.size(); i++) {
            List<TableCell> cells = new ArrayList<>(ours.rows().get(i));
            for (int j = 0; j < InstanceFigures.JUDGED.size(); j++) {
                if (PhaseVerdict.isAbove(
                        document, instances.get(i), InstanceFigures.JUDGED.get(j))) {
                    TableCell cell = cells.get(j + 1);
                    cells.set(j + 1, new TableCell(cell.text() + ABOVE, cell.unfolding()));
                }
            }
            rows.add(cells);
        }
        return List.of(with(ours, rows));
    }

    private List<Block> host() {
        List<List<TableCell>> rows = new ArrayList<>();
        for (HostFigures.Host counter : HostFigures.HOST) {
            String theirs = Esrp.has(published + HOST + counter.published())
                    ? published + HOST + counter.published()
                    : published + "memory_system_performance/" + counter.published();
            List<TableCell> cells = new ArrayList<>(List.of(TableCell.text(counter.label())));
            counter.figures().forEach(one -> cells.add(Tables.figure(document, phase, one)));
            Stream.of("/avg", "/min", "/max")
                    .map(of -> Tables.text(Esrp.find(theirs + of)))
                    .forEach(text -> cells.add(TableCell.text(text)));
            rows.add(cells);
        }
        return List.of(Block.Grid.of(
                "This run, and " + Esrp.NAME,
                List.of(
                        "Counter",
                        "Average",
                        "Minimum",
                        "Maximum",
                        "Average, published",
                        "Minimum, published",
                        "Maximum, published"),
                rows));
    }

    /** A sum of times that ran side by side is not called elapsed. */
    private List<Block> elapsed() {
        List<Column> times = new ArrayList<>(PhaseFigures.ELAPSED);
        times.add(PhaseFigures.DEVICE_READ);
        return hasTransactions
                ? List.of()
                : List.of(Tables.figures("Times", document, phase, times));
    }
}
