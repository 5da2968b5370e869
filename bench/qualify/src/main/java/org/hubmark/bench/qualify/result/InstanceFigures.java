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

    private static final Operations READS =
            new Operations("db_read", "I/O Database Reads", "", List.of(IoCounter.DB_READS));
    private static final Operations WRITES =
            new Operations("db_write", "I/O Database Writes", "", List.of(IoCounter.DB_WRITES));
    private static final Operations LOG_READS =
            new Operations("log_read", "I/O Log Reads", "", List.of(IoCounter.LOG_READS));
    private static final Operations LOG_WRITES =
            new Operations("log_write", "I/O Log Writes", "", List.of(IoCounter.LOG_WRITES));
    private static final Operations MAINTENANCE_READS = new Operations(
            "maintenance_read",
            "Database Maintenance IO Reads",
            "",
            List.of(IoCounter.MAINTENANCE_READS));
    private static final Operations REPLICATION_READS = new Operations(
            "replication_log_read",
            "I/O Log Reads",
            ", replication",
            List.of(IoCounter.REPLICATION_READS));

    public static final Column READ_LATENCY = READS.latency("");
    public static final Column READ_RATE = READS.rate("");
    public static final Column WRITE_RATE = WRITES.rate("");
    public static final Column LOG_LATENCY = LOG_WRITES.latency("");
    public static final Column MAINTENANCE_RATE = MAINTENANCE_READS.rate("");

    /** In the worst sample, not the longest single operation. */
    public static final Column MAX_SAMPLE_READ_LATENCY = READS.worstSample();

    public static final Column MAX_SAMPLE_LOG_LATENCY = LOG_WRITES.worstSample();
    public static final Column P95_READ_LATENCY = READS.percentile(READ_TIMES, Place.P95);
    public static final Column P99_READ_LATENCY = READS.percentile(READ_TIMES, Place.P99);
    public static final Column P99_9_READ_LATENCY = READS.percentile(READ_TIMES, Place.P99_9);
    public static final Column P95_LOG_LATENCY = LOG_WRITES.percentile(LOG_TIMES, Place.P95);
    public static final Column P99_LOG_LATENCY = LOG_WRITES.percentile(LOG_TIMES, Place.P99);
    public static final Column P99_9_LOG_LATENCY = LOG_WRITES.percentile(LOG_TIMES, Place.P99_9);

    /** The twelve of the source's tables of transactional I/O, in its order. */
    public static final List<Column> IO = Stream.concat(
                    both("", READS, WRITES), both("", LOG_READS, LOG_WRITES))
            .toList();

    /** The same with the reads of maintenance and replication among them. */
    public static final List<Column> TOTAL = Stream.concat(
                    both("total.", READS.with(IoCounter.MAINTENANCE_READS), WRITES),
                    both("total.", LOG_READS.with(IoCounter.REPLICATION_READS), LOG_WRITES))
            .toList();

    public static final List<Column> MAINTENANCE =
            List.of(MAINTENANCE_RATE, MAINTENANCE_READS.size(""));
    public static final List<Column> REPLICATION =
            List.of(REPLICATION_READS.rate(""), REPLICATION_READS.size(""));

    /** What the verdict goes by, and what stands beside it. */
    public static final List<Column> JUDGED = List.of(
            READ_LATENCY,
            MAX_SAMPLE_READ_LATENCY,
            P95_READ_LATENCY,
            P99_READ_LATENCY,
            P99_9_READ_LATENCY,
            READS.latency("max", "Latency Maximum", READ_TIMES.at(Place.MAX)),
            LOG_LATENCY,
            MAX_SAMPLE_LOG_LATENCY,
            P95_LOG_LATENCY,
            P99_LOG_LATENCY,
            P99_9_LOG_LATENCY,
            LOG_WRITES.latency("max", "Latency Maximum", LOG_TIMES.at(Place.MAX)),
            perSecond("stalls_per_s", "Write Stalls/sec", IoCounter.STALLS.counter()),
            perSecond("transactions_per_s", "Transactions/sec", IoCounter.TRANSACTIONS.counter()),
            perSecond(
                    "cache_hits_per_s", "Database Cache Hits/sec", IoCounter.CACHE_HITS.counter()));

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
     * @param end of their labels
     * @param kinds counters of the operations that are taken together
     */
    private record Operations(String key, String label, String end, List<IoCounter> kinds) {
        /** {@return the same with others among them} */
        private Operations with(IoCounter other) {
            return new Operations(key, label, end, List.of(kinds.getFirst(), other));
        }

        private Formula sum(UnaryOperator<IoCounter> of) {
            return kinds.stream()
                    .<Formula>map(kind -> of.apply(kind).counter())
                    .reduce(Formula::plus)
                    .orElseThrow();
        }

        private Formula each(UnaryOperator<IoCounter> of) {
            return sum(of).over(sum(UnaryOperator.identity()));
        }

        /** {@return its latency, in an object of the file} */
        private Column latency(String within) {
            return latency(within + "avg", "Average Latency", millis());
        }

        private Formula millis() {
            return each(IoCounter::nanos).over(Formula.NANOS_PER_MILLI);
        }

        private Column worstSample() {
            return latency(
                    "max_sample",
                    "Average Latency, Maximum Sample",
                    Fold.LARGEST.overSamples(millis()));
        }

        private Column percentile(Times times, Place place) {
            String words =
                    "Latency " + place.key().substring(1).replace('_', '.') + "th Percentile";
            return latency(place.key(), words, times.at(place));
        }

        private Column latency(String at, String words, Formula formula) {
            return milliseconds(at + "_" + key + "_latency_ms", label + " " + words + end, formula);
        }

        private Column rate(String within) {
            return perSecond(
                    within + key + "s_per_s", label + "/sec" + end, sum(UnaryOperator.identity()));
        }

        private Column size(String within) {
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

    private static Stream<Column> both(String within, Operations reads, Operations writes) {
        return Stream.of(
                reads.latency(within),
                writes.latency(within),
                reads.rate(within),
                writes.rate(within),
                reads.size(within),
                writes.size(within));
    }
}
