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
import org.hubmark.bench.qualify.result.HostFigures.Host;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.PhaseVerdict;
import org.hubmark.bench.qualify.result.ProfileFigures;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.hubmark.core.ByteSize;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The appendices: a phase each, with the tables of the source in its order. */
final class PhaseSections {
    private static final double MEBIBYTE = 1 << 20;

    /** Free share of the cache of pages at which writing begins and ends. */
    private static final double FLUSH_START_SHARE = 0.01;

    private static final double FLUSH_STOP_SHARE = 0.02;

    private final Document document;
    private final Row row;
    private final Repeat phase;
    private final Esrp.@Nullable Measured published;
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

        private String heading() {
            return "Appendix " + letter + ": " + title;
        }
    }

    private PhaseSections(Appendix appendix, Document document, Row row) {
        this.document = document;
        this.row = row;
        this.phase = row.repeat();
        this.published = Esrp.PUBLISHED.phases().get(appendix.published);
        sections.add(new Section(2, appendix.heading(), List.of(testSummary())));
        make(appendix);
    }

    /** {@return the sections of a phase; one that says so when it was not run} */
    static List<Section> of(Appendix appendix, Document document) {
        return document.table(PhaseFigures.PHASES).rows().stream()
                .filter(row -> row.name(PhaseFigures.PHASE).equals(appendix.key()))
                .findFirst()
                .map(row -> new PhaseSections(appendix, document, row).sections)
                .orElse(
                        appendix.published.isEmpty()
                                ? List.of()
                                : List.of(new Section(
                                        2,
                                        appendix.heading(),
                                        List.of(new Block.Text("This phase was not run.")))));
    }

    private void make(Appendix appendix) {
        switch (appendix) {
            case STRESS, PERFORMANCE -> {
                add("Database sizing and throughput", throughput());
                add("Jetstress system parameters", parameters());
                add("Database configuration", part(PhaseFigures.PLACES, ""));
                if (!phase.parts(VolumeFigures.VOLUMES).isEmpty()) {
                    add("Volumes", volumes(document, phase));
                }
                add("Transactional I/O performance", io());
                add("Background database maintenance I/O performance", maintenance());
                add(
                        "Log replication I/O performance",
                        instances(InstanceFigures.REPLICATION, Esrp.Measured::logReplicationIo));
                add("Total I/O performance", total());
                add("Latencies and the judgement", judged());
                add(
                        "Hour by hour",
                        part(
                                PhaseFigures.HOURS,
                                "Database reads of all instances. The verdict is by the rule of ACT (at most 5 % above"
                                        + " 1 ms, 1 % above 8 ms, 0.1 % above 64 ms), which is for flash, and no part"
                                        + " of the verdict of the phase"));
                add("Devices", devices());
                add("Host system performance", host());
                add("Threads", threads());
                if (isProfiled(phase)) {
                    sections.add(new Section(3, "Caches of other sizes", profile(document, phase)));
                }
            }
            case BACKUP -> {
                add(
                        "Backup statistics",
                        part(PhaseFigures.BACKUP, "A snapshot of each database"),
                        elapsed());
                add("Transactional I/O performance", io());
                add("Devices", devices());
                add("Host system performance", host());
            }
            case RECOVERY -> {
                add(
                        "Soft recovery statistics",
                        part(
                                PhaseFigures.RECOVERY,
                                "The source replays files of 1 MB at 2.843 s each"),
                        elapsed(),
                        Tables.figures(
                                "A replay from memory is not judged",
                                document,
                                phase,
                                List.of(PhaseFigures.DEVICE_READ)));
                add("Transactional I/O performance", io());
                add("Background database maintenance I/O performance", maintenance());
                add("Total I/O performance", total());
                add("Devices", devices());
                add("Host system performance", host());
            }
            case CHECKSUM -> {
                List<Block> checked = new ArrayList<>(ChecksumTables.of(phase));
                checked.add(elapsed());
                add("Checksum statistics", checked.toArray(Block[]::new));
                add("Disk subsystem performance", devices());
                add("Memory system performance", host());
            }
        }
        add(
                "Test log",
                new Block.Lines(phase.parts(PhaseFigures.TEST_LOG).stream()
                        .map(line ->
                                line.name(PhaseFigures.AT) + " -- " + line.name(PhaseFigures.TEXT))
                        .toList()));
    }

    private void add(String title, Block... blocks) {
        sections.add(new Section(3, title, List.of(blocks)));
    }

    private Block part(Form form, String caption) {
        return Tables.parts(caption.isEmpty() ? "Databases" : caption, document, phase, form);
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

    private Block throughput() {
        List<List<TableCell>> rows = new ArrayList<>();
        rows.add(beside(
                PhaseFigures.ACHIEVED.label() + " (" + phase.name(PhaseFigures.LOOP) + " loop)",
                Tables.figure(document, phase, PhaseFigures.ACHIEVED),
                Esrp.Measured::achievedIops));
        rows.add(beside(
                PhaseVerdict.TARGET_IOPS.label(),
                TableCell.text(
                        Tables.number(PhaseVerdict.number(document, PhaseVerdict.TARGET_IOPS))),
                Esrp.Measured::targetIops));
        rows.add(beside(
                PhaseFigures.READ_SHARE.label(),
                Tables.figure(document, phase, PhaseFigures.READ_SHARE),
                Esrp.Measured::readShare));
        List<Function<Esrp.Measured, @Nullable Double>> theirs = List.of(
                Esrp.Measured::initialDbSizeBytes,
                Esrp.Measured::finalDbSizeBytes,
                Esrp.Measured::dbFiles);
        for (int i = 0; i < PhaseFigures.SIZES.size(); i++) {
            Column column = PhaseFigures.SIZES.get(i);
            rows.add(beside(
                    column.heading(), Tables.figure(document, phase, column), theirs.get(i)));
        }
        return Block.Grid.of("Database sizing and throughput", EsrpSections.BESIDE, rows);
    }

    private List<TableCell> beside(
            String label, TableCell ours, Function<Esrp.Measured, @Nullable Double> theirs) {
        return List.of(
                TableCell.text(label),
                ours,
                TableCell.text(
                        Tables.published(published == null ? null : theirs.apply(published))));
    }

    /** In the units of the source. */
    private Block parameters() {
        Map<String, @Nullable Object> settings = document.provenance().settings();
        double cacheMax = mebibytes(settings.get("cache-max"));
        List<List<String>> rows = new ArrayList<>();
        rows.add(parameter(
                PhaseFigures.THREAD_COUNT.label(),
                PhaseFigures.THREAD_COUNT.value(phase),
                "threads_per_database"));
        rows.add(parameter(
                "Minimum database cache (MB)",
                mebibytes(settings.get("cache-min")),
                "min_db_cache_mb"));
        rows.add(parameter("Maximum database cache (MB)", cacheMax, "max_db_cache_mb"));
        rows.add(parameter(
                "Flush threshold start (MB)",
                cacheMax * FLUSH_START_SHARE,
                "flush_threshold_start_mb"));
        rows.add(parameter(
                "Flush threshold stop (MB)",
                cacheMax * FLUSH_STOP_SHARE,
                "flush_threshold_stop_mb"));
        for (String kind : List.of("insert", "delete", "replace", "read")) {
            rows.add(parameter(
                    kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1)
                            + " operations (%)",
                    percent(settings.get("mix"), kind),
                    kind + "_percent"));
        }
        rows.add(parameter(
                "Lazy commits (%)",
                settings.get("lazy-commits") instanceof Number share
                        ? 100 * share.doubleValue()
                        : Double.NaN,
                "lazy_commit_percent"));
        rows.add(parameter(
                "Run background database maintenance",
                "on".equals(settings.get("maintenance")),
                "background_db_maintenance"));
        rows.add(parameter(
                "Number of copies per database", settings.get("copies"), "copies_per_database"));
        return new Block.Grid("System parameters", EsrpSections.BESIDE, rows);
    }

    static double mebibytes(@Nullable Object size) {
        try {
            return size == null ? Double.NaN : ByteSize.parse(size.toString()) / MEBIBYTE;
        } catch (IllegalArgumentException e) {
            // A file that somebody has changed is drawn as far as it can be read.
            return Double.NaN;
        }
    }

    private static double percent(@Nullable Object mix, String kind) {
        for (String pair : String.valueOf(mix).split(",", -1)) {
            if (pair.startsWith(kind + "=")) {
                return Double.parseDouble(pair.substring(kind.length() + 1));
            }
        }
        return Double.NaN;
    }

    private static List<String> parameter(String label, double ours, String published) {
        return parameter(label, (Object) ours, published);
    }

    private static List<String> parameter(String label, @Nullable Object ours, String published) {
        return List.of(
                label,
                ours instanceof Double number ? Tables.number(number) : Tables.text(ours),
                Tables.text(Esrp.in(Esrp.PUBLISHED.jetstressParameters(), published)));
    }

    private Block io() {
        return instances(InstanceFigures.IO, Esrp.Measured::transactionalIo);
    }

    private Block total() {
        return instances(InstanceFigures.TOTAL, Esrp.Measured::totalIo);
    }

    private Block maintenance() {
        return instances(InstanceFigures.MAINTENANCE, Esrp.Measured::backgroundMaintenanceIo);
    }

    /** The instances below each other, the means of this run and of the source. */
    private Block instances(
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
        return new Block.Grid(ours.caption(), ours.headings(), rows, ours.words());
    }

    static Block volumes(Document document, Repeat phase) {
        return Tables.parts(
                "After the load. A volume less than half full, or databases below twice a cache below"
                        + " them, weaken a pass, which says so",
                document,
                phase,
                VolumeFigures.VOLUMES);
    }

    private Block judged() {
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
        return new Block.Grid(ours.caption(), ours.headings(), rows, ours.words());
    }

    private Block devices() {
        return part(
                PhaseFigures.DEVICES,
                "What the kernel counted of each device, of all that used it. Its writes have the"
                        + " flushes without content in them, which the source has not: writes of"
                        + " data are as many, or fewer by the flushes at most");
    }

    private Block host() {
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

    private Block threads() {
        return phase.parts(PhaseFigures.THREAD_STEPS).isEmpty()
                ? new Block.Text("The number of threads was given.")
                : part(
                        PhaseFigures.THREAD_STEPS,
                        "How the number of threads was found, closed loop");
    }

    /** A sum of times that ran side by side is not called elapsed. */
    private Block elapsed() {
        return Tables.figures("Times", document, phase, PhaseFigures.ELAPSED);
    }

    /** {@return whether it was found out what caches of other sizes would have had} */
    static boolean isProfiled(Repeat phase) {
        return !phase.parts(ProfileFigures.POINTS).isEmpty();
    }

    static List<Block> profile(Document document, Repeat phase) {
        return List.of(
                new Block.Text(
                        "Pages that transactions read, whether the cache had them or not: a sample of them"
                                + " was followed, and what a cache of another size would take follows"
                                + " from how many others were read between two reads of a page (SHARDS,"
                                + " Waldspurger and others, FAST 2015). A page that was not read before"
                                + " counts as one that no cache had."),
                Tables.figures("Metadata", document, phase, ProfileFigures.COLUMNS),
                Tables.parts(
                        "What caches of other sizes would take of the reads",
                        document,
                        phase,
                        ProfileFigures.POINTS));
    }
}
