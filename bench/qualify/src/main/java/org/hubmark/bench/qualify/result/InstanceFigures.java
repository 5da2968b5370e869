package org.hubmark.bench.qualify.result;

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
    static final Column MAX_SAMPLE_READ_LATENCY = milliseconds(
            "max_sample_db_read_latency_ms",
            "I/O Database Reads Average Latency, Maximum Sample",
            Fold.LARGEST.overSamples(millis(IoCounter.DB_READ_NS, IoCounter.DB_READS)));

    static final Column MAX_SAMPLE_LOG_LATENCY = milliseconds(
            "max_sample_log_write_latency_ms",
            "I/O Log Writes Average Latency, Maximum Sample",
            Fold.LARGEST.overSamples(millis(IoCounter.LOG_WRITE_NS, IoCounter.LOG_WRITES)));
    public static final Column READ_LATENCY = milliseconds(
            "avg_db_read_latency_ms",
            "I/O Database Reads Average Latency",
            millis(IoCounter.DB_READ_NS, IoCounter.DB_READS));
    public static final Column LOG_LATENCY = milliseconds(
            "avg_log_write_latency_ms",
            "I/O Log Writes Average Latency",
            millis(IoCounter.LOG_WRITE_NS, IoCounter.LOG_WRITES));

    public static final Column P95_READ_LATENCY = milliseconds(
            "p95_db_read_latency_ms",
            "I/O Database Reads Latency 95th Percentile",
            READ_TIMES.at(Place.P95));
    static final Column P99_READ_LATENCY = milliseconds(
            "p99_db_read_latency_ms",
            "I/O Database Reads Latency 99th Percentile",
            READ_TIMES.at(Place.P99));
    static final Column P99_9_READ_LATENCY = milliseconds(
            "p99_9_db_read_latency_ms",
            "I/O Database Reads Latency 99.9th Percentile",
            READ_TIMES.at(Place.P99_9));
    static final Column P95_LOG_LATENCY = milliseconds(
            "p95_log_write_latency_ms",
            "I/O Log Writes Latency 95th Percentile",
            LOG_TIMES.at(Place.P95));
    static final Column P99_9_LOG_LATENCY = milliseconds(
            "p99_9_log_write_latency_ms",
            "I/O Log Writes Latency 99.9th Percentile",
            LOG_TIMES.at(Place.P99_9));
    static final Column P99_LOG_LATENCY = milliseconds(
            "p99_log_write_latency_ms",
            "I/O Log Writes Latency 99th Percentile",
            LOG_TIMES.at(Place.P99));

    /** The twelve of the source's tables of transactional I/O, in its order. */
    public static final List<Column> IO = io("");

    /** The same with the reads of maintenance and replication among them. */
    public static final List<Column> TOTAL = io("total.");

    public static final List<Column> MAINTENANCE = List.of(
            perSecond(
                    "maintenance_reads_per_s",
                    "Database Maintenance IO Reads/sec",
                    count(IoCounter.MAINTENANCE_READS)),
            octets(
                    "avg_maintenance_read_bytes",
                    "Database Maintenance IO Reads Average Bytes",
                    IoCounter.MAINTENANCE_READ_BYTES,
                    IoCounter.MAINTENANCE_READS));
    public static final List<Column> REPLICATION = List.of(
            perSecond(
                    "replication_log_reads_per_s",
                    "I/O Log Reads/sec, replication",
                    count(IoCounter.REPLICATION_READS)),
            octets(
                    "avg_replication_log_read_bytes",
                    "I/O Log Reads Average Bytes, replication",
                    IoCounter.REPLICATION_READ_BYTES,
                    IoCounter.REPLICATION_READS));

    /** What the verdict goes by, and what stands beside it. */
    public static final List<Column> JUDGED = List.of(
            READ_LATENCY,
            MAX_SAMPLE_READ_LATENCY,
            P95_READ_LATENCY,
            P99_READ_LATENCY,
            P99_9_READ_LATENCY,
            milliseconds(
                    "max_db_read_latency_ms",
                    "I/O Database Reads Latency Maximum",
                    READ_TIMES.at(Place.MAX)),
            LOG_LATENCY,
            MAX_SAMPLE_LOG_LATENCY,
            P95_LOG_LATENCY,
            P99_LOG_LATENCY,
            P99_9_LOG_LATENCY,
            milliseconds(
                    "max_log_write_latency_ms",
                    "I/O Log Writes Latency Maximum",
                    LOG_TIMES.at(Place.MAX)),
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

    private InstanceFigures() {}

    private static List<Column> io(String within) {
        boolean isTotal = !within.isEmpty();
        List<Column> all = new ArrayList<>();
        Formula reads = with(isTotal, IoCounter.DB_READS, IoCounter.MAINTENANCE_READS);
        Formula logReads = with(isTotal, IoCounter.LOG_READS, IoCounter.REPLICATION_READS);
        Formula writes = count(IoCounter.DB_WRITES);
        Formula logWrites = count(IoCounter.LOG_WRITES);
        all.add(
                isTotal
                        ? milliseconds(
                                within + READ_LATENCY.key(),
                                READ_LATENCY.label(),
                                with(true, IoCounter.DB_READ_NS, IoCounter.MAINTENANCE_READ_NS)
                                        .over(reads)
                                        .over(Formula.NANOS_PER_MILLI))
                        : READ_LATENCY);
        all.add(milliseconds(
                within + "avg_db_write_latency_ms",
                "I/O Database Writes Average Latency",
                millis(IoCounter.DB_WRITE_NS, IoCounter.DB_WRITES)));
        all.add(perSecond(within + "db_reads_per_s", "I/O Database Reads/sec", reads));
        all.add(perSecond(within + "db_writes_per_s", "I/O Database Writes/sec", writes));
        all.add(octets(
                within + "avg_db_read_bytes",
                "I/O Database Reads Average Bytes",
                with(isTotal, IoCounter.DB_READ_BYTES, IoCounter.MAINTENANCE_READ_BYTES)
                        .over(reads)));
        all.add(octets(
                within + "avg_db_write_bytes",
                "I/O Database Writes Average Bytes",
                count(IoCounter.DB_WRITE_BYTES).over(writes)));
        all.add(milliseconds(
                within + "avg_log_read_latency_ms",
                "I/O Log Reads Average Latency",
                with(isTotal, IoCounter.LOG_READ_NS, IoCounter.REPLICATION_READ_NS)
                        .over(logReads)
                        .over(Formula.NANOS_PER_MILLI)));
        all.add(
                isTotal
                        ? milliseconds(
                                within + LOG_LATENCY.key(),
                                LOG_LATENCY.label(),
                                millis(IoCounter.LOG_WRITE_NS, IoCounter.LOG_WRITES))
                        : LOG_LATENCY);
        all.add(perSecond(within + "log_reads_per_s", "I/O Log Reads/sec", logReads));
        all.add(perSecond(within + "log_writes_per_s", "I/O Log Writes/sec", logWrites));
        all.add(octets(
                within + "avg_log_read_bytes",
                "I/O Log Reads Average Bytes",
                with(isTotal, IoCounter.LOG_READ_BYTES, IoCounter.REPLICATION_READ_BYTES)
                        .over(logReads)));
        all.add(octets(
                within + "avg_log_write_bytes",
                "I/O Log Writes Average Bytes",
                count(IoCounter.LOG_WRITE_BYTES).over(logWrites)));
        return List.copyOf(all);
    }

    private static Formula with(boolean isTotal, IoCounter own, IoCounter others) {
        return isTotal ? count(own).plus(count(others)) : count(own);
    }

    static Formula count(IoCounter counter) {
        return counter.counter();
    }

    static Formula millis(IoCounter nanos, IoCounter count) {
        return count(nanos).over(count(count)).over(Formula.NANOS_PER_MILLI);
    }

    private static Column milliseconds(String key, String label, Formula formula) {
        return Column.of(key, "msec", label, 3, Better.NEITHER, formula);
    }

    private static Column perSecond(String key, String label, Formula count) {
        return Column.of(key, "", label, 3, Better.NEITHER, count.over(COLLECTION_NS.over(1e9)));
    }

    private static Column octets(String key, String label, Formula formula) {
        return Column.of(key, "", label, 1, Better.NEITHER, formula);
    }

    private static Column octets(String key, String label, IoCounter bytes, IoCounter count) {
        return octets(key, label, count(bytes).over(count(count)));
    }
}
