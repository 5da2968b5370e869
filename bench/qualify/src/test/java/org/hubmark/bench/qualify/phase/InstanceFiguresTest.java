package org.hubmark.bench.qualify.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.YamlResource;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Proves the columns of an instance by a second computation of each, written out here, on counters drawn
 * at random; that the averages are those of the source, by its own instances; and the figures of hours.
 */
class InstanceFiguresTest {
    private static final long SECOND = 1_000_000_000;

    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);

    private IoCounts counts() {
        Map<IoCounter, Long> counts = new EnumMap<>(IoCounter.class);
        for (IoCounter counter : IoCounter.values()) {
            counts.put(counter, random.nextLong(1, 1_000_000));
        }
        return new IoCounts(counts);
    }

    private Histogram nanos() {
        Histogram histogram = new Histogram(3);
        for (int i = 0; i < 1000; i++) {
            histogram.recordValue(random.nextLong(1, 100_000_000));
        }
        return histogram;
    }

    private static Repeat.Builder counted(IoCounts counts) {
        return counts.counted();
    }

    private static double value(String key, Repeat instance) {
        return column(InstanceFigures.INSTANCES.columns(), key).value(instance);
    }

    private static Column column(List<Column> columns, String key) {
        return columns.stream()
                .filter(column -> column.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eachColumnIsWhatItsNameSays() {
        List<IoCounts> samples = List.of(counts(), counts(), counts(), counts());
        IoCounts c = samples.stream().reduce(IoCounts.NONE, IoCounts::plus);
        Histogram reads = nanos();
        Histogram writes = nanos();
        Repeat instance = counted(c)
                .count(InstanceFigures.COLLECTION_NS, 60 * SECOND)
                .times(InstanceFigures.READ_TIMES, reads)
                .times(InstanceFigures.LOG_TIMES, writes)
                .samples(samples.stream().map(one -> counted(one).made()).toList())
                .made();
        Map<String, Double> expected = new HashMap<>();
        for (String total : List.of("", "total.")) {
            boolean all = !total.isEmpty();
            double dbReads =
                    c.get(IoCounter.DB_READS) + (all ? c.get(IoCounter.MAINTENANCE_READS) : 0);
            double logReads =
                    c.get(IoCounter.LOG_READS) + (all ? c.get(IoCounter.REPLICATION_READS) : 0);
            double dbWrites = c.get(IoCounter.DB_WRITES);
            double logWrites = c.get(IoCounter.LOG_WRITES);
            expected.put(
                    total + "avg_db_read_latency_ms",
                    (c.get(IoCounter.DB_READ_NS) + (all ? c.get(IoCounter.MAINTENANCE_READ_NS) : 0))
                            / 1e6
                            / dbReads);
            expected.put(
                    total + "avg_db_write_latency_ms",
                    c.get(IoCounter.DB_WRITE_NS) / 1e6 / dbWrites);
            expected.put(total + "db_reads_per_s", dbReads / 60);
            expected.put(total + "db_writes_per_s", dbWrites / 60);
            expected.put(
                    total + "avg_db_read_bytes",
                    (c.get(IoCounter.DB_READ_BYTES)
                                    + (all ? c.get(IoCounter.MAINTENANCE_READ_BYTES) : 0))
                            / dbReads);
            expected.put(total + "avg_db_write_bytes", c.get(IoCounter.DB_WRITE_BYTES) / dbWrites);
            expected.put(
                    total + "avg_log_read_latency_ms",
                    (c.get(IoCounter.LOG_READ_NS)
                                    + (all ? c.get(IoCounter.REPLICATION_READ_NS) : 0))
                            / 1e6
                            / logReads);
            expected.put(
                    total + "avg_log_write_latency_ms",
                    c.get(IoCounter.LOG_WRITE_NS) / 1e6 / logWrites);
            expected.put(total + "log_reads_per_s", logReads / 60);
            expected.put(total + "log_writes_per_s", logWrites / 60);
            expected.put(
                    total + "avg_log_read_bytes",
                    (c.get(IoCounter.LOG_READ_BYTES)
                                    + (all ? c.get(IoCounter.REPLICATION_READ_BYTES) : 0))
                            / logReads);
            expected.put(
                    total + "avg_log_write_bytes", c.get(IoCounter.LOG_WRITE_BYTES) / logWrites);
        }
        expected.put("maintenance_reads_per_s", c.get(IoCounter.MAINTENANCE_READS) / 60.0);
        expected.put(
                "avg_maintenance_read_bytes",
                (double) c.get(IoCounter.MAINTENANCE_READ_BYTES)
                        / c.get(IoCounter.MAINTENANCE_READS));
        expected.put("replication_log_reads_per_s", c.get(IoCounter.REPLICATION_READS) / 60.0);
        expected.put(
                "avg_replication_log_read_bytes",
                (double) c.get(IoCounter.REPLICATION_READ_BYTES)
                        / c.get(IoCounter.REPLICATION_READS));
        expected.put("transactions_per_s", c.get(IoCounter.TRANSACTIONS) / 60.0);
        expected.put("stalls_per_s", c.get(IoCounter.STALLS) / 60.0);
        expected.put("cache_hits_per_s", c.get(IoCounter.CACHE_HITS) / 60.0);
        double worstRead = 0;
        double worstWrite = 0;
        for (IoCounts s : samples) {
            worstRead = Math.max(
                    worstRead, s.get(IoCounter.DB_READ_NS) / 1e6 / s.get(IoCounter.DB_READS));
            worstWrite = Math.max(
                    worstWrite, s.get(IoCounter.LOG_WRITE_NS) / 1e6 / s.get(IoCounter.LOG_WRITES));
        }
        expected.put("max_sample_db_read_latency_ms", worstRead);
        expected.put("max_sample_log_write_latency_ms", worstWrite);
        expected.put("p95_db_read_latency_ms", reads.getValueAtPercentile(95) / 1e6);
        expected.put("p99_db_read_latency_ms", reads.getValueAtPercentile(99) / 1e6);
        expected.put("p99_9_db_read_latency_ms", reads.getValueAtPercentile(99.9) / 1e6);
        expected.put("max_db_read_latency_ms", reads.getMaxValue() / 1e6);
        expected.put("p95_log_write_latency_ms", writes.getValueAtPercentile(95) / 1e6);
        expected.put("p99_9_log_write_latency_ms", writes.getValueAtPercentile(99.9) / 1e6);
        expected.put("p99_log_write_latency_ms", writes.getValueAtPercentile(99) / 1e6);
        expected.put("max_log_write_latency_ms", writes.getMaxValue() / 1e6);
        assertThat(InstanceFigures.INSTANCES.columns())
                .extracting(Column::key)
                .containsExactlyInAnyOrderElementsOf(expected.keySet());
        expected.forEach((key, value) -> assertThat(value(key, instance))
                .as("%s, seed %d", key, seed)
                .isCloseTo(value, within(1e-9 * value)));
    }

    @Test
    void whatWasNotDoneIsNotKnownAndNotZero() {
        Repeat nothing = counted(IoCounts.NONE)
                .count(InstanceFigures.COLLECTION_NS, 60 * SECOND)
                .made();
        for (String key : List.of(
                "avg_db_read_latency_ms",
                "p99_db_read_latency_ms",
                "max_sample_db_read_latency_ms")) {
            assertThat(value(key, nothing)).as(key).isNaN();
        }
        assertThat(value("db_reads_per_s", nothing)).isZero();
    }

    /** The source's own instances: 371 reads, 14.580 ms unweighted and 14.578 weighted. */
    @Test
    void averagesAreThoseOfTheSource() {
        double seconds = 7199;
        List<Repeat> instances = new ArrayList<>();
        for (var row : YamlResource.read("/reference/esrp-c210-m2.yaml")
                .at("/phases/performance/transactional_io/rows")) {
            long reads = Math.round(row.get(3).asDouble() * seconds);
            long writes = Math.round(row.get(4).asDouble() * seconds);
            IoCounts counts = new IoCounts(Map.of(
                    IoCounter.DB_READS,
                    reads,
                    IoCounter.DB_READ_NS,
                    Math.round(row.get(1).asDouble() * 1e6 * reads),
                    IoCounter.DB_WRITES,
                    writes,
                    IoCounter.DB_WRITE_NS,
                    Math.round(row.get(2).asDouble() * 1e6 * writes)));
            instances.add(counted(counts)
                    .name(InstanceFigures.INSTANCE, row.get(0).asText())
                    .count(InstanceFigures.COLLECTION_NS, seconds * SECOND)
                    .made());
        }
        Repeat phase = Repeat.counted()
                .count(PhaseFigures.THREADS, 3)
                .count(InstanceFigures.COLLECTION_NS, seconds * SECOND)
                .parts(InstanceFigures.INSTANCES, instances)
                .made();
        Map<String, Double> published = Map.of(
                "achieved_iops", 651.699,
                "db_reads_per_s", 370.981,
                "db_writes_per_s", 280.717,
                "avg_db_read_latency_ms", 14.580,
                "avg_db_read_latency_ms_weighted", 14.578,
                "avg_db_write_latency_ms", 1.342);
        published.forEach((key, value) -> assertThat(
                        column(PhaseFigures.PHASES.columns(), key).value(phase))
                .as(key)
                .isCloseTo(value, within(0.05)));
    }
}
