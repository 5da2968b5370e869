package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.HostFigures.Host;
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
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The appendices: a phase each, with the tables of the source in its order. */
final class PhaseSections {
    private static final double MEBIBYTE = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final List<String> CHECKED = List.of(
            "", "Files", "Blocks seen", "Bad blocks", "Length (bytes)", "Elapsed (sec)", "MB/sec");

    /** Free share of the cache of pages at which writing begins and ends. */
    private static final double FLUSH_START_SHARE = 0.01;

    private static final double FLUSH_STOP_SHARE = 0.02;

    private static final Table IO = new Table("Transactional I/O performance", PhaseSections::io);
    private static final Table MAINTENANCE = new Table(
            "Background database maintenance I/O performance",
            made -> made.instances(
                    InstanceFigures.MAINTENANCE, Esrp.Measured::backgroundMaintenanceIo));
    private static final Table TOTAL = new Table(
            "Total I/O performance",
            made -> made.instances(InstanceFigures.TOTAL, Esrp.Measured::totalIo));
    private static final Table DEVICES = devices("Devices");
    private static final Table HOST = new Table("Host system performance", PhaseSections::host);

    private static final List<Table> OF_TRANSACTIONS = List.of(
            new Table("Database sizing and throughput", PhaseSections::throughput),
            new Table("Jetstress system parameters", PhaseSections::parameters),
            part("Database configuration", PhaseFigures.PLACES, "Databases"),
            new Table("Volumes", PhaseSections::volumes),
            IO,
            MAINTENANCE,
            new Table(
                    "Log replication I/O performance",
                    made -> made.instances(
                            InstanceFigures.REPLICATION, Esrp.Measured::logReplicationIo)),
            TOTAL,
            new Table("Latencies and the judgement", PhaseSections::judged),
            part(
                    "Hour by hour",
                    PhaseFigures.HOURS,
                    "Database reads of all instances. The verdict is by the rule of ACT (at most 5 % above"
                            + " 1 ms, 1 % above 8 ms, 0.1 % above 64 ms), which is for flash, and no part"
                            + " of the verdict of the phase"),
            DEVICES,
            HOST,
            new Table("Threads", PhaseSections::threads));

    private final Document document;
    private final Row row;
    private final Repeat phase;
    private final Esrp.@Nullable Measured published;

    /** A table of the source; none where there is nothing to tell. */
    private record Table(String title, Function<PhaseSections, List<Block>> blocks) {}

    /** In the order of the source. */
    enum Appendix {
        STRESS("A", "Stress", "stress", OF_TRANSACTIONS),
        PERFORMANCE("B", "Performance", "performance", OF_TRANSACTIONS),
        BACKUP(
                "C",
                "Streaming backup",
                "streaming_backup",
                List.of(new Table("Backup statistics", PhaseSections::backup), IO, DEVICES, HOST)),
        RECOVERY(
                "D",
                "Soft recovery",
                "soft_recovery",
                List.of(
                        new Table("Soft recovery statistics", PhaseSections::recovery),
                        IO,
                        MAINTENANCE,
                        TOTAL,
                        DEVICES,
                        HOST)),
        CHECKSUM(
                "E",
                "Checksum",
                "checksum",
                List.of(
                        new Table("Checksum statistics", PhaseSections::checksum),
                        devices("Disk subsystem performance"),
                        new Table("Memory system performance", PhaseSections::host)));

        private final String heading;
        private final String published;
        // Functions without a state.
        @SuppressWarnings("ImmutableEnumChecker")
        private final List<Table> tables;

        Appendix(String letter, String title, String published, List<Table> tables) {
            this.heading = "Appendix " + letter + ": " + title;
            this.published = published;
            this.tables = tables;
        }
    }

    /** {@return a table of one form of parts of the phase} */
    private static Table part(String title, Form form, String caption) {
        return new Table(title, made -> made.part(form, caption));
    }

    private static Table devices(String title) {
        return part(
                title,
                PhaseFigures.DEVICES,
                "What the kernel counted of each device, of all that used it. Its writes have the"
                        + " flushes without content in them, which the source has not: writes of"
                        + " data are as many, or fewer by the flushes at most");
    }

    private PhaseSections(Appendix appendix, Document document, Row row) {
        this.document = document;
        this.row = row;
        this.phase = row.repeat();
        this.published = Esrp.PUBLISHED.phases().get(appendix.published);
    }

    /** {@return the sections of a phase; one that says so when it was not run} */
    static List<Section> of(Appendix appendix, Document document) {
        String name = appendix.name().toLowerCase(Locale.ROOT);
        return document.table(PhaseFigures.PHASES).rows().stream()
                .filter(row -> row.name(PhaseFigures.PHASE).equals(name))
                .findFirst()
                .map(row -> new PhaseSections(appendix, document, row).sections(appendix))
                .orElse(List.of(new Section(
                        2, appendix.heading, List.of(new Block.Text("This phase was not run.")))));
    }

    private List<Section> sections(Appendix appendix) {
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, appendix.heading, List.of(testSummary())));
        for (Table table : appendix.tables) {
            List<Block> blocks = table.blocks.apply(this);
            if (!blocks.isEmpty()) {
                sections.add(new Section(3, table.title, blocks));
            }
        }
        sections.add(new Section(
                3,
                "Test log",
                List.of(new Block.Lines(phase.parts(PhaseFigures.TEST_LOG).stream()
                        .map(line ->
                                line.name(PhaseFigures.AT) + " -- " + line.name(PhaseFigures.TEXT))
                        .toList()))));
        return sections;
    }

    private List<Block> part(Form form, String caption) {
        return List.of(Tables.parts(caption, document, phase, form));
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
                        beside(PhaseFigures.ACHIEVED, loop, Esrp.Measured::achievedIops),
                        EsrpForm.beside(
                                PhaseVerdict.TARGET_IOPS.label(),
                                TableCell.text(Tables.number(
                                        PhaseVerdict.number(document, PhaseVerdict.TARGET_IOPS))),
                                published == null ? null : published.targetIops()),
                        beside(PhaseFigures.READ_SHARE, "", Esrp.Measured::readShare),
                        beside(sizes.get(0), "", Esrp.Measured::initialDbSizeBytes),
                        beside(sizes.get(1), "", Esrp.Measured::finalDbSizeBytes),
                        beside(sizes.get(2), "", Esrp.Measured::dbFiles))));
    }

    private List<TableCell> beside(
            Column column, String more, Function<Esrp.Measured, @Nullable Double> theirs) {
        return EsrpForm.beside(
                column.heading() + more,
                Tables.figure(document, phase, column),
                published == null ? null : theirs.apply(published));
    }

    /** In the units of the source. */
    private List<Block> parameters() {
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
        return List.of(EsrpForm.grid(
                "System parameters",
                EsrpForm.FORM.parameters(),
                facts,
                Esrp.in(Esrp.PUBLISHED.jetstressParameters())));
    }

    static double mebibytes(@Nullable Object size) {
        try {
            return size == null ? Double.NaN : ByteSize.parse(size.toString()) / MEBIBYTE;
        } catch (IllegalArgumentException e) {
            // A file that somebody has changed is drawn as far as it can be read.
            return Double.NaN;
        }
    }

    private List<Block> io() {
        return instances(InstanceFigures.IO, Esrp.Measured::transactionalIo);
    }

    /** The instances below each other, the means of this run and of the source. */
    private List<Block> instances(
            List<Column> columns, Function<Esrp.Measured, Esrp.@Nullable Instances> table) {
        Block.Grid ours = Tables.parts(
                "I/O of each instance", document, phase, InstanceFigures.INSTANCES, columns);
        Esrp.Instances theirs = published == null ? null : table.apply(published);
        List<String> mean = new ArrayList<>(List.of("mean of the instances"));
        List<String> source = new ArrayList<>(List.of("mean, " + Esrp.NAME));
        for (Column column : columns) {
            mean.add(Tables.number(phase.parts(InstanceFigures.INSTANCES).stream()
                    .mapToDouble(column::value)
                    .filter(Double::isFinite)
                    .average()
                    .orElse(Double.NaN)));
            String key = column.key().replace("replication_log_", "log_").replace("total.", "");
            source.add(Tables.published(theirs == null ? null : theirs.mean(key)));
        }
        List<List<TableCell>> rows = new ArrayList<>(ours.rows());
        rows.add(TableCell.texts(mean));
        rows.add(TableCell.texts(source));
        return List.of(new Block.Grid(ours.caption(), ours.headings(), rows, ours.words()));
    }

    private List<Block> volumes() {
        return phase.parts(VolumeFigures.VOLUMES).isEmpty()
                ? List.of()
                : part(
                        VolumeFigures.VOLUMES,
                        "After the load. A volume less than half full, or databases below twice a"
                                + " cache below them, weaken a pass, which says so");
    }

    private List<Block> judged() {
        Block.Grid ours = Tables.parts(
                "Each instance is judged by itself",
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
        rows.addAll(ours.rows());
        return List.of(new Block.Grid(ours.caption(), ours.headings(), rows, ours.words()));
    }

    private List<Block> host() {
        List<List<TableCell>> rows = new ArrayList<>();
        for (Host counter : Host.values()) {
            Esrp.Range theirs = published == null ? null : published.host(counter.published());
            List<TableCell> cells = new ArrayList<>(List.of(TableCell.text(counter.label())));
            counter.figures().forEach(one -> cells.add(Tables.figure(document, phase, one)));
            Stream.<Function<Esrp.Range, Double>>of(
                            Esrp.Range::avg, Esrp.Range::min, Esrp.Range::max)
                    .map(of -> Tables.published(theirs == null ? null : of.apply(theirs)))
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

    private List<Block> threads() {
        return phase.parts(PhaseFigures.THREAD_STEPS).isEmpty()
                ? List.of(new Block.Text("The number of threads was given."))
                : part(
                        PhaseFigures.THREAD_STEPS,
                        "How the number of threads was found, closed loop");
    }

    private List<Block> backup() {
        return List.of(
                Tables.parts("A snapshot of each database", document, phase, PhaseFigures.BACKUP),
                elapsed());
    }

    private List<Block> recovery() {
        return List.of(
                Tables.parts(
                        "The source replays files of 1 MB at 2.843 s each",
                        document,
                        phase,
                        PhaseFigures.RECOVERY),
                elapsed(),
                Tables.figures(
                        "A replay from memory is not judged",
                        document,
                        phase,
                        List.of(PhaseFigures.DEVICE_READ)));
    }

    /** A database may have many files: one by one they stand in the results, and here if they are bad. */
    private List<Block> checksum() {
        List<Repeat> files = phase.parts(PhaseFigures.CHECKSUM);
        Map<String, List<Repeat>> folders = files.stream()
                .collect(Collectors.groupingBy(
                        PhaseSections::folder, TreeMap::new, Collectors.toList()));
        List<List<String>> rows = new ArrayList<>();
        folders.forEach((folder, its) -> rows.add(checked(folder, its)));
        rows.add(checked("(Sum)", files));
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Grid(
                "Databases. Each file is listed in qualification.json", CHECKED, rows));
        List<List<String>> bad = files.stream()
                .filter(file -> file.count(PhaseFigures.BAD_BLOCKS) > 0)
                .map(file -> checked(file.name(PhaseFigures.FILE), List.of(file)))
                .toList();
        if (!bad.isEmpty()) {
            blocks.add(new Block.Grid("Files with bad blocks", CHECKED, bad));
        }
        blocks.add(elapsed());
        return blocks;
    }

    private static String folder(Repeat file) {
        String path = file.name(PhaseFigures.FILE);
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    private static List<String> checked(String name, List<Repeat> files) {
        double bytes = sum(files, PhaseFigures.BYTES);
        double seconds = sum(files, PhaseFigures.ELAPSED_NS) / NANOS_PER_SECOND;
        return List.of(
                name,
                Tables.number(files.size()),
                Tables.number(sum(files, PhaseFigures.BLOCKS)),
                Tables.number(sum(files, PhaseFigures.BAD_BLOCKS)),
                Tables.number(bytes),
                Tables.number(seconds),
                Tables.number(bytes / MEBIBYTE / seconds));
    }

    private static double sum(List<Repeat> files, Formula.Counter counter) {
        return files.stream().mapToDouble(file -> file.count(counter)).sum();
    }

    /** A sum of times that ran side by side is not called elapsed. */
    private Block elapsed() {
        return Tables.figures("Times", document, phase, PhaseFigures.ELAPSED);
    }
}
