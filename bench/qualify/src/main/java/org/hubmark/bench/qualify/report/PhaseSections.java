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
import org.hubmark.bench.qualify.phase.Phase;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.PhaseVerdict;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The appendices: a phase each, with the tables of the source in its order.
 *
 * @param row of the phase
 * @param published where the source has the figures of the phase
 */
record PhaseSections(Document document, Row row, String published) {
    /** Read on paper, too, which has no colours. */
    private static final String ABOVE = " \u2717";

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
            new Table("Database sizing and throughput", PhaseSections::throughput),
            new Table("Jetstress system parameters", PhaseSections::parameters),
            part("Database configuration", PhaseFigures.PLACES, "Databases"),
            new Table("Volumes", PhaseSections::volumes),
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
            new Table("Latencies and the judgement", PhaseSections::judged),
            part(
                    "Devices",
                    PhaseFigures.DEVICES,
                    "What the kernel counted of each device, of all that used it. Its writes have the"
                            + " flushes without content in them, which the source has not"),
            new Table("Host system performance", PhaseSections::host),
            part(
                    "Threads",
                    PhaseFigures.THREAD_STEPS,
                    "How the number of threads was found, closed loop"));

    /**
     * A table of the source.
     *
     * @param block null where there is nothing to tell
     */
    private record Table(String title, Function<PhaseSections, Block.@Nullable Grid> block) {}

    /** {@return a table of one form of parts of the phase; none where it has no such parts} */
    private static Table part(String title, Form form, String caption) {
        return new Table(title, made -> made.part(form, caption, List.of()));
    }

    /** {@return a table of the instances; none where neither this run nor the source has transactions} */
    private static Table instances(String title, List<Column> columns, String theirs) {
        return new Table(title, made -> made.instances(columns, made.published + theirs));
    }

    /** {@return the sections of all phases; one that says so for each that was not run} */
    static List<Section> of(Document document) {
        List<Section> sections = new ArrayList<>();
        for (Phase phase : Stream.of(Phase.values())
                .sorted(Comparator.comparing(Phase::title))
                .toList()) {
            String heading = "Appendix " + phase.title();
            String name = heading.substring(heading.indexOf(':') + 2);
            String place = "/phases/" + name.toLowerCase(Locale.ROOT).replace(' ', '_');
            Optional<Row> row = phase.row(document);
            if (row.isPresent()) {
                new PhaseSections(document, row.get(), place + "/").add(heading, sections);
            } else if (Esrp.has(place)) {
                sections.add(new Section(
                        2, heading, List.of(new Block.Text("This phase was not run."))));
            }
        }
        return sections;
    }

    private Repeat phase() {
        return row.repeat();
    }

    private boolean hasTransactions() {
        return PhaseFigures.hasTransactions(phase());
    }

    private void add(String heading, List<Section> sections) {
        sections.add(new Section(2, heading, List.of(testSummary())));
        Stream<Table> own =
                Phase.parts().stream().map(one -> part(one.title(), one.form(), one.caption()));
        for (Table table : Stream.concat(own, TABLES.stream()).toList()) {
            Block.Grid grid = table.block.apply(this);
            if (grid != null) {
                sections.add(new Section(3, table.title, List.of(grid)));
            }
        }
        List<String> log = phase().parts(PhaseFigures.TEST_LOG).stream()
                .map(line -> line.name(PhaseFigures.AT) + " -- " + line.name(PhaseFigures.TEXT))
                .toList();
        sections.add(new Section(3, "Test log", List.of(new Block.Items(log))));
    }

    private Block.@Nullable Grid part(Form form, String caption, List<List<String>> more) {
        return phase().parts(form).isEmpty()
                ? null
                : Tables.parts(caption, document, phase(), form, form.columns(), more);
    }

    private Block testSummary() {
        PhaseVerdict verdict = PhaseVerdict.of(document, row);
        List<Block.Fact> facts = new ArrayList<>();
        String text = verdict.text();
        facts.add(new Block.Fact(
                "Overall test result",
                text == null
                        ? "not judged"
                        : verdict.caveats().isEmpty()
                                ? text
                                : text + PhaseVerdict.beside(List.of(phase()))));
        verdict.caveats().forEach(caveat -> facts.add(new Block.Fact("Caveat", caveat)));
        verdict.reasons().forEach(reason -> facts.add(new Block.Fact("Reason", reason)));
        for (Name name : List.of(
                PhaseFigures.NOTES,
                PhaseFigures.STARTED,
                PhaseFigures.FINISHED,
                PhaseFigures.COLLECTION_STARTED,
                PhaseFigures.COLLECTION_FINISHED)) {
            facts.add(new Block.Fact(name.label(), Tables.text(phase().names().get(name.key()))));
        }
        facts.add(new Block.Fact("Engine", EsrpSections.ENGINE));
        Stream.concat(
                        PhaseFigures.ELAPSED.stream(),
                        Stream.of(
                                PhaseFigures.DEVICE_READ,
                                HostFigures.STEAL,
                                HostFigures.FOREIGN_CPU))
                .filter(column -> Double.isFinite(column.value(phase())))
                .forEach(column -> facts.add(new Block.Fact(column.heading(), figure(column))));
        return new Block.Facts(facts);
    }

    private TableCell figure(Column column) {
        return Tables.figure(document, phase(), column);
    }

    private Block.@Nullable Grid throughput() {
        Map<String, @Nullable Object> facts = EsrpSections.figures(document, phase());
        facts.put(
                PhaseVerdict.TARGET_IOPS.key(),
                PhaseVerdict.number(document, PhaseVerdict.TARGET_IOPS));
        return hasTransactions()
                ? EsrpForm.grid(
                        "Database sizing and throughput (" + phase().name(PhaseFigures.LOOP)
                                + " loop)",
                        EsrpForm.FORM.throughput(),
                        facts,
                        published)
                : null;
    }

    /** In the units of the source. */
    private Block.@Nullable Grid parameters() {
        Map<String, @Nullable Object> settings = document.provenance().settings();
        double cacheMax = Tables.mebibytes(settings.get("cache-max"));
        Map<String, @Nullable Object> facts = new HashMap<>(settings);
        facts.put("thread_count", phase().count(PhaseFigures.THREADS));
        facts.put("cache_min_mb", Tables.mebibytes(settings.get("cache-min")));
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
        return Phase.of(row).filter(Phase::isCheck).isEmpty()
                ? EsrpForm.grid("System parameters", EsrpForm.FORM.parameters(), facts)
                : null;
    }

    /** The instances below each other, the means of this run and of the source. */
    private Block.@Nullable Grid instances(List<Column> columns, String theirs) {
        List<String> mean = new ArrayList<>(List.of("mean of the instances"));
        List<String> source = new ArrayList<>(List.of("mean, " + Esrp.NAME));
        for (Column column : columns) {
            mean.add(Tables.number(phase().parts(InstanceFigures.INSTANCES).stream()
                    .mapToDouble(column::value)
                    .filter(Double::isFinite)
                    .average()
                    .orElse(Double.NaN)));
            String key = column.key().replace("replication_log_", "log_").replace("total.", "");
            source.add(Tables.published(Esrp.mean(theirs, key)));
        }
        return hasTransactions() || Esrp.has(theirs)
                ? Tables.parts(
                        "I/O of each instance",
                        document,
                        phase(),
                        InstanceFigures.INSTANCES,
                        columns,
                        List.of(mean, source))
                : null;
    }

    /** The file systems of databases and logs, and the volumes of the source. */
    private Block.@Nullable Grid volumes() {
        return part(
                VolumeFigures.VOLUMES,
                "After the load. A volume less than half full, or databases below twice a cache"
                        + " below them, weaken a pass, which says so",
                List.of(
                        published("database", "database"),
                        published("system_and_log", "system, log")));
    }

    /** {@return the row of a volume of the source, which has fewer figures of its second one} */
    private static List<String> published(String volume, String holds) {
        Form ours = VolumeFigures.VOLUMES;
        return Stream.concat(
                        Stream.of(Esrp.NAME, holds),
                        Stream.concat(
                                        ours.names().stream().skip(2).map(Name::key),
                                        ours.columns().stream()
                                                .map(column -> VOLUME_PUBLISHED.getOrDefault(
                                                        column.key(), "-")))
                                .map(key -> Tables.text(
                                        Esrp.find("/storage/volumes/" + volume + "/" + key))))
                .toList();
    }

    private Block.@Nullable Grid judged() {
        List<Column> columns = InstanceFigures.JUDGED;
        List<List<TableCell>> rows = new ArrayList<>();
        rows.add(Stream.concat(
                        Stream.of("at most"),
                        columns.stream().map(column -> limit(PhaseVerdict.LIMITS.get(column))))
                .map(TableCell::text)
                .toList());
        for (Repeat instance : phase().parts(InstanceFigures.INSTANCES)) {
            List<TableCell> cells = new ArrayList<>();
            cells.add(TableCell.text(instance.name(InstanceFigures.INSTANCE)));
            for (Column column : columns) {
                TableCell cell = Tables.figure(document, instance, column);
                cells.add(
                        PhaseVerdict.isAbove(document, instance, column)
                                ? new TableCell(cell.text() + ABOVE, cell.unfolding())
                                : cell);
            }
            rows.add(cells);
        }
        return hasTransactions()
                ? Block.Grid.of(
                        "Each instance is judged by itself;" + ABOVE
                                + " marks what is above its limit",
                        Stream.concat(
                                        Stream.of(InstanceFigures.INSTANCE.label()),
                                        columns.stream().map(Column::heading))
                                .toList(),
                        rows)
                : null;
    }

    private String limit(@Nullable Name limit) {
        return Tables.published(
                limit == null ? null : (Double) PhaseVerdict.number(document, limit));
    }

    private Block.Grid host() {
        boolean isHost = Esrp.has(published + "host_system_performance");
        String theirs = published + (isHost ? "host" : "memory") + "_system_performance/";
        List<List<TableCell>> rows = new ArrayList<>();
        for (HostFigures.Host counter : HostFigures.HOST) {
            List<TableCell> cells = new ArrayList<>(List.of(TableCell.text(counter.label())));
            counter.figures().forEach(one -> cells.add(figure(one)));
            for (String of : List.of("/avg", "/min", "/max")) {
                cells.add(
                        TableCell.text(Tables.text(Esrp.find(theirs + counter.published() + of))));
            }
            rows.add(cells);
        }
        return Block.Grid.of(
                "This run, and " + Esrp.NAME,
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
}
