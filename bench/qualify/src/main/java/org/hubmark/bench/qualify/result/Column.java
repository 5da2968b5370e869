package org.hubmark.bench.qualify.result;

import static org.hubmark.bench.qualify.result.IoCounter.CACHE_HITS;
import static org.hubmark.bench.qualify.result.IoCounter.DB_READS;
import static org.hubmark.bench.qualify.result.IoCounter.DB_READ_BYTES;
import static org.hubmark.bench.qualify.result.IoCounter.DB_READ_NS;
import static org.hubmark.bench.qualify.result.IoCounter.DB_WRITES;
import static org.hubmark.bench.qualify.result.IoCounter.DB_WRITE_BYTES;
import static org.hubmark.bench.qualify.result.IoCounter.DB_WRITE_NS;
import static org.hubmark.bench.qualify.result.IoCounter.LOG_READS;
import static org.hubmark.bench.qualify.result.IoCounter.LOG_READ_BYTES;
import static org.hubmark.bench.qualify.result.IoCounter.LOG_READ_NS;
import static org.hubmark.bench.qualify.result.IoCounter.LOG_WRITES;
import static org.hubmark.bench.qualify.result.IoCounter.LOG_WRITE_BYTES;
import static org.hubmark.bench.qualify.result.IoCounter.LOG_WRITE_NS;
import static org.hubmark.bench.qualify.result.IoCounter.MAINTENANCE_READS;
import static org.hubmark.bench.qualify.result.IoCounter.MAINTENANCE_READ_BYTES;
import static org.hubmark.bench.qualify.result.IoCounter.MAINTENANCE_READ_NS;
import static org.hubmark.bench.qualify.result.IoCounter.REPLICATION_READS;
import static org.hubmark.bench.qualify.result.IoCounter.REPLICATION_READ_BYTES;
import static org.hubmark.bench.qualify.result.IoCounter.REPLICATION_READ_NS;
import static org.hubmark.bench.qualify.result.IoCounter.STALLS;
import static org.hubmark.bench.qualify.result.IoCounter.TRANSACTIONS;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The catalogue of the columns of an instance: key, heading with unit and formula of each, stated here
 * alone. What is measured, qualification.json, the tables of the report and the self-check read it.
 */
public enum Column {
    AVG_DB_READ_LATENCY_MS(
            "I/O Database Reads Average Latency (msec)", millis(DB_READ_NS, DB_READS)),
    AVG_DB_WRITE_LATENCY_MS(
            "I/O Database Writes Average Latency (msec)", millis(DB_WRITE_NS, DB_WRITES)),
    DB_READS_PER_S("I/O Database Reads/sec", new PerSecond(List.of(DB_READS))),
    DB_WRITES_PER_S("I/O Database Writes/sec", new PerSecond(List.of(DB_WRITES))),
    AVG_DB_READ_BYTES("I/O Database Reads Average Bytes", mean(DB_READ_BYTES, DB_READS)),
    AVG_DB_WRITE_BYTES("I/O Database Writes Average Bytes", mean(DB_WRITE_BYTES, DB_WRITES)),
    AVG_LOG_READ_LATENCY_MS("I/O Log Reads Average Latency (msec)", millis(LOG_READ_NS, LOG_READS)),
    AVG_LOG_WRITE_LATENCY_MS(
            "I/O Log Writes Average Latency (msec)", millis(LOG_WRITE_NS, LOG_WRITES)),
    LOG_READS_PER_S("I/O Log Reads/sec", new PerSecond(List.of(LOG_READS))),
    LOG_WRITES_PER_S("I/O Log Writes/sec", new PerSecond(List.of(LOG_WRITES))),
    AVG_LOG_READ_BYTES("I/O Log Reads Average Bytes", mean(LOG_READ_BYTES, LOG_READS)),
    AVG_LOG_WRITE_BYTES("I/O Log Writes Average Bytes", mean(LOG_WRITE_BYTES, LOG_WRITES)),
    P95_DB_READ_LATENCY_MS(
            "I/O Database Reads Latency 95th Percentile (msec)", new Quantile(Timed.DB_READ, 95)),
    P99_DB_READ_LATENCY_MS(
            "I/O Database Reads Latency 99th Percentile (msec)", new Quantile(Timed.DB_READ, 99)),
    MAX_DB_READ_LATENCY_MS(
            "I/O Database Reads Latency Maximum (msec)", new Quantile(Timed.DB_READ, 100)),
    MAX_SAMPLE_DB_READ_LATENCY_MS(
            "I/O Database Reads Average Latency, Maximum Sample (msec)",
            new SampleMax(millis(DB_READ_NS, DB_READS))),
    P99_LOG_WRITE_LATENCY_MS(
            "I/O Log Writes Latency 99th Percentile (msec)", new Quantile(Timed.LOG_WRITE, 99)),
    MAX_LOG_WRITE_LATENCY_MS(
            "I/O Log Writes Latency Maximum (msec)", new Quantile(Timed.LOG_WRITE, 100)),
    MAX_SAMPLE_LOG_WRITE_LATENCY_MS(
            "I/O Log Writes Average Latency, Maximum Sample (msec)",
            new SampleMax(millis(LOG_WRITE_NS, LOG_WRITES))),
    MAINTENANCE_READS_PER_S(
            "Database Maintenance IO Reads/sec", new PerSecond(List.of(MAINTENANCE_READS))),
    AVG_MAINTENANCE_READ_BYTES(
            "Database Maintenance IO Reads Average Bytes",
            mean(MAINTENANCE_READ_BYTES, MAINTENANCE_READS)),
    REPLICATION_LOG_READS_PER_S("I/O Log Reads/sec", new PerSecond(List.of(REPLICATION_READS))),
    AVG_REPLICATION_LOG_READ_BYTES(
            "I/O Log Reads Average Bytes", mean(REPLICATION_READ_BYTES, REPLICATION_READS)),
    TRANSACTIONS_PER_S("Transactions/sec", new PerSecond(List.of(TRANSACTIONS))),
    STALLS_PER_S("Write Stalls/sec", new PerSecond(List.of(STALLS))),
    CACHE_HITS_PER_S("Database Cache Hits/sec", new PerSecond(List.of(CACHE_HITS)));

    /** The twelve of the tables of transactional and of total I/O, in the order of the source. */
    public static final List<Column> IO = List.copyOf(Arrays.asList(values()).subList(0, 12));

    /** RocksDB tells of no read of the log while it replays it. */
    public static final List<Column> UNSEEN_IN_RECOVERY =
            List.of(AVG_LOG_READ_LATENCY_MS, LOG_READS_PER_S, AVG_LOG_READ_BYTES);

    private static final double NANOS_PER_MILLI = 1e6;

    /** What a counter of total I/O has beside that of the transactions. */
    private static final Map<IoCounter, IoCounter> OTHERS = Map.of(
            DB_READS, MAINTENANCE_READS,
            DB_READ_NS, MAINTENANCE_READ_NS,
            DB_READ_BYTES, MAINTENANCE_READ_BYTES,
            LOG_READS, REPLICATION_READS,
            LOG_READ_NS, REPLICATION_READ_NS,
            LOG_READ_BYTES, REPLICATION_READ_BYTES);

    private final String heading;
    // Records of lists that nobody changes.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Formula formula;

    Column(String heading, Formula formula) {
        this.heading = heading;
        this.formula = formula;
    }

    /** Of which operations a histogram is kept. */
    public enum Timed {
        DB_READ,
        LOG_WRITE
    }

    /** How a column is made. */
    sealed interface Formula {}

    record PerSecond(List<IoCounter> counters) implements Formula {}

    /** The sum of some counters over that of others, divided by a scale. */
    record Mean(List<IoCounter> sums, List<IoCounter> counts, double scale) implements Formula {}

    record Quantile(Timed timed, double percentile) implements Formula {}

    /** The largest of a mean over all samples. */
    record SampleMax(Mean mean) implements Formula {}

    private static Mean millis(IoCounter nanos, IoCounter count) {
        return new Mean(List.of(nanos), List.of(count), NANOS_PER_MILLI);
    }

    private static Mean mean(IoCounter sum, IoCounter count) {
        return new Mean(List.of(sum), List.of(count), 1);
    }

    /** {@return its name in qualification.json} */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return its heading in a table, with the unit, as the source prints it} */
    public String heading() {
        return heading;
    }

    /** {@return its value; null when there was nothing to take a mean of} */
    public @Nullable Double of(Measured measured) {
        return value(formula, measured);
    }

    /**
     * {@return its value with the reads of maintenance and replication among them: the table of total
     * I/O} For the columns of {@link #IO} alone.
     */
    public @Nullable Double ofTotal(Measured measured) {
        return switch (formula) {
            case PerSecond rate -> value(new PerSecond(withOthers(rate.counters)), measured);
            case Mean mean ->
                value(
                        new Mean(withOthers(mean.sums), withOthers(mean.counts), mean.scale),
                        measured);
            case Quantile quantile -> null;
            case SampleMax max -> null;
        };
    }

    private static @Nullable Double value(Formula formula, Measured measured) {
        return switch (formula) {
            case PerSecond rate -> over(measured.counts().sum(rate.counters), measured.seconds());
            case Mean mean -> value(mean, measured.counts());
            case Quantile quantile -> {
                Histogram nanos = measured.nanos().get(quantile.timed);
                yield nanos == null || nanos.getTotalCount() == 0
                        ? null
                        : nanos.getValueAtPercentile(quantile.percentile) / NANOS_PER_MILLI;
            }
            case SampleMax max ->
                measured.samples().stream()
                        .map(sample -> value(max.mean, sample.counts()))
                        .filter(Objects::nonNull)
                        .max(Double::compare)
                        .orElse(null);
        };
    }

    private static @Nullable Double value(Mean mean, IoCounts counts) {
        return over(counts.sum(mean.sums), counts.sum(mean.counts) * mean.scale);
    }

    private static @Nullable Double over(double dividend, double divisor) {
        return divisor == 0 ? null : dividend / divisor;
    }

    private static List<IoCounter> withOthers(List<IoCounter> counters) {
        return Stream.concat(
                        counters.stream(),
                        counters.stream().flatMap(one -> Stream.ofNullable(OTHERS.get(one))))
                .toList();
    }
}
