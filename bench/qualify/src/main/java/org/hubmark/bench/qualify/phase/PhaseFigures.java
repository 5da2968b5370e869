package org.hubmark.bench.qualify.phase;

import static org.hubmark.bench.qualify.result.Figures.ELAPSED_NS;
import static org.hubmark.bench.qualify.result.Figures.figure;
import static org.hubmark.bench.qualify.result.Figures.mebibytes;
import static org.hubmark.bench.qualify.result.Figures.perSecond;
import static org.hubmark.bench.qualify.result.Figures.seconds;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Constant;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.qualify.result.Fold;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.VolumeFigures;

import java.util.List;
import java.util.stream.Stream;

/**
 * What is counted of a phase, and the figures that are made of it. Rates of all instances are sums; of
 * latencies and sizes the mean of the instances is taken, as Jetstress does, and beside it, under {@code
 * ..._weighted}, the mean of all operations. MB are 1024 x 1024 bytes, as in the source.
 */
public final class PhaseFigures {
    public static final Name PHASE = Name.of("phase", "Phase");

    public static final Name STARTED = Name.note("started_at", "Test start");
    public static final Name FINISHED = Name.note("finished_at", "Test end");
    public static final Name COLLECTION_STARTED =
            Name.note("collection_started_at", "Collection start");
    public static final Name COLLECTION_FINISHED =
            Name.note("collection_finished_at", "Collection end");

    /** Open where transactions are begun by the clock, closed where as fast as it goes. */
    public static final Name LOOP = Name.note("loop", "Loop");

    /** What to know of the figures that is no reason to fail. */
    public static final Name NOTES = Name.note("notes", "Notes");

    /** Why a phase did not come to its end. */
    public static final Name STOPPED = Name.note("stopped", "Stopped");

    /** Runs that measured on the machine at the same time. */
    public static final Name OTHER_RUNS = Name.note("other_runs", "Other runs");

    public static final Counter INITIAL_BYTES = new Counter("initial_database_bytes");
    public static final Counter FINAL_BYTES = new Counter("final_database_bytes");
    public static final Counter FILES = new Counter("database_files");

    /** Threads of a phase with transactions, and of a trial. */
    public static final Counter THREADS = new Counter("threads_per_database");

    /** From the beginning of the first to the end of the last of what was done side by side. */
    public static final Counter WALL_NS = new Counter("wall_ns");

    /** 1 where the databases are other ones than those that a phase before it has loaded. */
    public static final Counter REFILLED = new Counter("refilled");

    public static final Counter READ_BYTES = of(DiskCounter.READ_BYTES);
    public static final Counter BUSY_MS = of(DiskCounter.BUSY_MS);
    public static final Counter READS = of(DiskCounter.READS);
    public static final Counter WRITES = of(DiskCounter.WRITES);
    private static final Counter FLUSHES = of(DiskCounter.FLUSHES);

    public static final Name LOG = Name.note("log", "Log path");
    public static final Name DATABASE = Name.note("database", "Database path");

    /** Where the databases lie. */
    public static final Form PLACES =
            Form.part("databases", List.of(InstanceFigures.INSTANCE, LOG, DATABASE), List.of());

    /** Database reads and writes of transactions. */
    private static final Formula DATABASE_IO =
            IoCounter.DB_READS.counter().plus(IoCounter.DB_WRITES.counter());

    /** I/O rate of a number of threads. */
    public static final Column STEP_IOPS =
            perSecond("iops", "Database I/O per second", DATABASE_IO);

    public static final Column STEP_LATENCY = figure(
            "db_read_latency_ms",
            "Read latency (msec)",
            IoCounter.DB_READ_NS
                    .counter()
                    .over(IoCounter.DB_READS.counter())
                    .over(Formula.NANOS_PER_MILLI));

    public static final Name STEP = Name.of(THREADS.key(), "Threads per database");

    /** How the number of threads was found, closed loop; none when it was given. */
    public static final Form THREAD_STEPS =
            Form.part("thread_steps", List.of(STEP), List.of(STEP_IOPS, STEP_LATENCY));

    static final Column BUSY = figure(
            "busy_percent",
            "Busy (%)",
            BUSY_MS.times(Formula.NANOS_PER_MILLI).percentOf(InstanceFigures.COLLECTION_NS));

    public static final Column DEVICE_READS = perSecond("reads_per_s", "Disk Reads/sec", READS);
    public static final Column DEVICE_WRITES = perSecond("writes_per_s", "Disk Writes/sec", WRITES);
    public static final Name DEVICE = Name.of("device", "Device");

    /** What the kernel counted of each device, of all that used it. A flush without content counts as a write. */
    public static final Form DEVICES = Form.part(
            "devices",
            List.of(DEVICE, VolumeFigures.ROLES),
            List.of(
                    figure(
                            "avg_read_latency_ms",
                            "Avg. Disk msec/Read",
                            of(DiskCounter.READ_MS).over(READS)),
                    figure(
                            "avg_write_latency_ms",
                            "Avg. Disk msec/Write",
                            of(DiskCounter.WRITE_MS).over(WRITES)),
                    DEVICE_READS,
                    DEVICE_WRITES,
                    figure("avg_read_bytes", "Avg. Disk Bytes/Read", READ_BYTES.over(READS)),
                    figure(
                            "avg_write_bytes",
                            "Avg. Disk Bytes/Write",
                            of(DiskCounter.WRITTEN_BYTES).over(WRITES)),
                    BUSY,
                    perSecond("flushes_per_s", "Flushes/sec", FLUSHES),
                    figure(
                            "avg_flush_latency_ms",
                            "Avg. msec/Flush",
                            of(DiskCounter.FLUSH_MS).over(FLUSHES))));

    public static final Name AT = Name.of("at", "Time");
    public static final Name TEXT = Name.of("text", "What happened");

    /** What happened when. */
    public static final Form TEST_LOG = Form.part("log", List.of(AT, TEXT), List.of());

    /** Database reads and writes of transactions, of all instances. */
    public static final Column ACHIEVED = figure(
            "achieved_iops",
            "Achieved transactional I/O per second",
            Better.MORE,
            perSecond(sum(DATABASE_IO)).where(THREADS.isKnown()));

    /** What of the database I/O of transactions is reads; the source's is 0.57. */
    public static final Column READ_SHARE = figure(
            "read_share",
            "Reads, share of database reads and writes",
            sum(IoCounter.DB_READS.counter()).over(sum(DATABASE_IO)).where(THREADS.isKnown()));

    /** Read latency of the slowest instance. */
    public static final Column WORST_READ = worst("db_read", InstanceFigures.P99_READ_LATENCY);

    public static final Column WORST_LOG = worst("log_write", InstanceFigures.P99_LOG_LATENCY);

    /** How busy the busiest device was, percent. */
    static final Formula DEVICE_BUSY = Fold.LARGEST.over(DEVICES, BUSY.formula());

    /** What the devices of databases and logs have read, of all that used them. */
    public static final Column DEVICE_READ = figure(
            "device_read_mb",
            "Read by the devices (MB)",
            Fold.SUM.over(DEVICES, mebibytes(READ_BYTES)));

    /** The mean of the instances of each of the source's columns, rates added up. */
    public static final List<Column> AVERAGES = InstanceFigures.IO.stream()
            .map(column -> made(
                    column,
                    "",
                    ", of all instances",
                    (isRate(column) ? Fold.SUM : Fold.MEAN)
                            .over(InstanceFigures.INSTANCES, column.asInput())))
            .toList();

    /** {@return the same figure of all instances} */
    public static Column average(Column ofInstance) {
        return AVERAGES.get(InstanceFigures.IO.indexOf(ofInstance));
    }

    /** The same, in which an instance counts as much as it did. */
    public static final List<Column> WEIGHTED = InstanceFigures.IO.stream()
            .filter(column -> !isRate(column))
            .map(column -> made(
                    column, "_weighted", ", weighted by the operations", ofSums(column.formula())))
            .toList();

    /** What a user waits, and all times added up, which nobody waits. */
    public static final List<Column> ELAPSED = List.of(
            figure("elapsed.wall_s", "Elapsed time (sec)", seconds(WALL_NS)),
            figure(
                    "elapsed.sum_s",
                    "Sum of times, some of which overlapped (sec)",
                    seconds(ELAPSED_NS)));

    /** What else a repeat says of itself: of a phase, and of a round of a comparison. */
    static final List<Name> OF_REPEATS = List.of(
            STARTED,
            FINISHED,
            COLLECTION_STARTED,
            COLLECTION_FINISHED,
            LOOP,
            NOTES,
            STOPPED,
            OTHER_RUNS);

    /** What it is made of. */
    static final List<Form> PARTS = Stream.of(
                    Stream.of(
                            PLACES,
                            VolumeFigures.VOLUMES,
                            THREAD_STEPS,
                            InstanceFigures.INSTANCES,
                            DEVICES),
                    Phase.parts().stream().map(Phase.Part::form),
                    Stream.of(TEST_LOG))
            .flatMap(forms -> forms)
            .toList();

    private static final Stream<Column> OWN = Stream.of(
            figure("collection_s", "Collected for (sec)", seconds(InstanceFigures.COLLECTION_NS)),
            ACHIEVED,
            READ_SHARE,
            Column.of(INITIAL_BYTES, "bytes", "Initial database size"),
            Column.of(FINAL_BYTES, "bytes", "Final database size"),
            Column.of(FILES, "", "Database files (count)"),
            Column.of(THREADS, "", "Thread count (per database)"),
            WORST_READ,
            WORST_LOG);

    /** All phases, each measured once. */
    public static final Form PHASES = new Form(
            "phases",
            "Phases",
            "",
            List.of(PHASE),
            List.of(new Form.Group(
                    "",
                    Stream.of(
                                    OWN,
                                    Phase.parts().stream().flatMap(part -> part.totals().stream()),
                                    Stream.of(DEVICE_READ),
                                    AVERAGES.stream(),
                                    WEIGHTED.stream(),
                                    ELAPSED.stream(),
                                    HostFigures.columns().stream())
                            .flatMap(columns -> columns)
                            .toList())),
            Estimate.Rule.TOTAL,
            "",
            OF_REPEATS,
            PARTS,
            PhaseVerdict.derived(),
            null);

    private PhaseFigures() {}

    private static Counter of(DiskCounter counter) {
        return new Counter(counter.key());
    }

    /** {@return a formula in each instance, added up} */
    static Formula sum(Formula formula) {
        return Fold.SUM.over(InstanceFigures.INSTANCES, formula);
    }

    private static Column worst(String of, Column p99) {
        return Column.of(
                "worst_p99_" + of + "_latency_ms",
                p99.unit(),
                p99.label() + ", slowest instance",
                3,
                Better.LESS,
                Fold.LARGEST.over(InstanceFigures.INSTANCES, p99.asInput()));
    }

    private static boolean isRate(Column column) {
        return column.key().endsWith("_per_s");
    }

    /** {@return a figure of a phase that is made of one of its instances} */
    private static Column made(Column of, String key, String label, Formula formula) {
        return Column.of(
                of.key() + key,
                of.unit(),
                of.label() + label,
                of.decimals(),
                Better.NEITHER,
                formula);
    }

    /** {@return the same of the counters of all instances together} */
    static Formula ofSums(Formula formula) {
        if (formula instanceof Formula.Operation operation) {
            return new Formula.Operation(
                    ofSums(operation.left()), operation.operator(), ofSums(operation.right()));
        }
        return formula instanceof Constant ? formula : sum(formula);
    }

    /** {@return the phases of a document, as far as they were run} */
    public static List<Repeat> all(Document document) {
        return document.table(PHASES).rows().stream().map(Row::repeat).toList();
    }

    /** {@return whether a phase has transactions that were measured} */
    public static boolean hasTransactions(Repeat phase) {
        return phase.counters().containsKey(THREADS.key());
    }
}
