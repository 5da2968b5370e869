package org.hubmark.bench.qualify.result;

import static org.hubmark.bench.qualify.result.Figures.milliseconds;
import static org.hubmark.bench.qualify.result.Figures.perSecond;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Formula.Place;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Times;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The columns of an instance, which is one database: the twelve of the source under its names, and ours. */
public final class InstanceFigures {
    public static final Name INSTANCE = Name.of("instance", "Instance");

    /** How long what counts was collected. */
    public static final Counter COLLECTION_NS = new Counter("collection_ns");

    /** End of a sample, from the beginning of the collection. */
    public static final Counter AT_NS = new Counter("at_ns");

    /** How long single reads of pages took, and writes of the log. */
    public static final Times READ_TIMES = new Times("db_read_ns");

    public static final Times LOG_TIMES = new Times("log_write_ns");

    /** In the worst sample, not the longest single operation. */
    static final Column MAX_SAMPLE_READ_LATENCY =
            read("max_sample", "Average Latency, Maximum Sample", worst(IoCounter.DB_READS));

    static final Column MAX_SAMPLE_LOG_LATENCY =
            log("max_sample", "Average Latency, Maximum Sample", worst(IoCounter.LOG_WRITES));
    public static final Column READ_LATENCY =
            read("avg", "Average Latency", millis(IoCounter.DB_READS));
    public static final Column LOG_LATENCY =
            log("avg", "Average Latency", millis(IoCounter.LOG_WRITES));

    public static final Column P95_READ_LATENCY =
            read("p95", "Latency 95th Percentile", READ_TIMES.at(Place.P95));
    static final Column P99_READ_LATENCY =
            read("p99", "Latency 99th Percentile", READ_TIMES.at(Place.P99));
    static final Column P99_9_READ_LATENCY =
            read("p99_9", "Latency 99.9th Percentile", READ_TIMES.at(Place.P99_9));
    static final Column P95_LOG_LATENCY =
            log("p95", "Latency 95th Percentile", LOG_TIMES.at(Place.P95));
    static final Column P99_LOG_LATENCY =
            log("p99", "Latency 99th Percentile", LOG_TIMES.at(Place.P99));
    static final Column P99_9_LOG_LATENCY =
            log("p99_9", "Latency 99.9th Percentile", LOG_TIMES.at(Place.P99_9));

    /** The twelve of the source's tables of transactional I/O, in its order. */
    public static final List<Column> IO = io("", List.of(), List.of());

    /** The same with the reads of maintenance and replication among them. */
    public static final List<Column> TOTAL = io(
            "total.", List.of(IoCounter.MAINTENANCE_READS), List.of(IoCounter.REPLICATION_READS));

    public static final List<Column> MAINTENANCE = rateAndSize(new Operations(
            "",
            "maintenance_read",
            "Database Maintenance IO Reads",
            "",
            List.of(IoCounter.MAINTENANCE_READS)));
    public static final List<Column> REPLICATION = rateAndSize(new Operations(
            "",
            "replication_log_read",
            "I/O Log Reads",
            ", replication",
            List.of(IoCounter.REPLICATION_READS)));

    /** What the verdict goes by, and what stands beside it. */
    public static final List<Column> JUDGED = List.of(
            READ_LATENCY,
            MAX_SAMPLE_READ_LATENCY,
            P95_READ_LATENCY,
            P99_READ_LATENCY,
            P99_9_READ_LATENCY,
            read("max", "Latency Maximum", READ_TIMES.at(Place.MAX)),
            LOG_LATENCY,
            MAX_SAMPLE_LOG_LATENCY,
            P95_LOG_LATENCY,
            P99_LOG_LATENCY,
            P99_9_LOG_LATENCY,
            log("max", "Latency Maximum", LOG_TIMES.at(Place.MAX)),
            perSecond("stalls_per_s", "Write Stalls/sec", count(IoCounter.STALLS)),
            perSecond("transactions_per_s", "Transactions/sec", count(IoCounter.TRANSACTIONS)),
            perSecond("cache_hits_per_s", "Database Cache Hits/sec", count(IoCounter.CACHE_HITS)));

    /** Each instance of a phase. */
    public static final Form INSTANCES = Form.part(
            "instances",
            List.of(INSTANCE),
            Stream.of(IO, JUDGED, MAINTENANCE, REPLICATION, TOTAL)
                    .flatMap(List::stream)
                    .distinct()
                    .toList());

    /**
     * Figures of operations of one kind.
     *
     * @param within the object of the file that they stand in
     * @param end of their labels
     * @param kinds counters of the operations that are taken together
     */
    private record Operations(
            String within, String key, String label, String end, List<IoCounter> kinds) {
        private Formula sum(UnaryOperator<IoCounter> of) {
            return kinds.stream()
                    .map(kind -> count(of.apply(kind)))
                    .reduce(Formula::plus)
                    .orElseThrow();
        }

        private Formula each(UnaryOperator<IoCounter> of) {
            return sum(of).over(sum(UnaryOperator.identity()));
        }

        private Column latency() {
            return milliseconds(
                    within + "avg_" + key + "_latency_ms",
                    label + " Average Latency" + end,
                    each(IoCounter::nanos).over(Formula.NANOS_PER_MILLI));
        }

        private Column rate() {
            return perSecond(
                    within + key + "s_per_s", label + "/sec" + end, sum(UnaryOperator.identity()));
        }

        private Column size() {
            return Column.of(
                    within + "avg_" + key + "_bytes",
                    "",
                    label + " Average Bytes" + end,
                    1,
                    Better.NEITHER,
                    each(IoCounter::bytes));
        }
    }

    private InstanceFigures() {}

    private static List<Column> rateAndSize(Operations of) {
        return List.of(of.rate(), of.size());
    }

    /** {@return the twelve, with other reads of the pages and of the log among theirs} */
    private static List<Column> io(
            String within, List<IoCounter> otherReads, List<IoCounter> otherLogReads) {
        List<Column> all = new ArrayList<>();
        for (String of : List.of("Database", "Log")) {
            boolean isLog = of.equals("Log");
            List<IoCounter> reads =
                    new ArrayList<>(List.of(isLog ? IoCounter.LOG_READS : IoCounter.DB_READS));
            reads.addAll(isLog ? otherLogReads : otherReads);
            IoCounter writes = isLog ? IoCounter.LOG_WRITES : IoCounter.DB_WRITES;
            String key = isLog ? "log" : "db";
            List<Operations> both = List.of(
                    new Operations(within, key + "_read", "I/O " + of + " Reads", "", reads),
                    new Operations(
                            within, key + "_write", "I/O " + of + " Writes", "", List.of(writes)));
            both.forEach(one -> all.add(one.latency()));
            both.forEach(one -> all.add(one.rate()));
            both.forEach(one -> all.add(one.size()));
        }
        return List.copyOf(all);
    }

    static Formula count(IoCounter counter) {
        return counter.counter();
    }

    static Formula millis(IoCounter operations) {
        return count(operations.nanos()).over(count(operations)).over(Formula.NANOS_PER_MILLI);
    }

    private static Formula worst(IoCounter operations) {
        return Fold.LARGEST.overSamples(millis(operations));
    }

    private static Column read(String at, String label, Formula formula) {
        return milliseconds(at + "_db_read_latency_ms", "I/O Database Reads " + label, formula);
    }

    private static Column log(String at, String label, Formula formula) {
        return milliseconds(at + "_log_write_latency_ms", "I/O Log Writes " + label, formula);
    }
}
