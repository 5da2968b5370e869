package org.hubmark.bench.qualify.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Proves the catalogue of columns by a second computation of each, written out here, on counters drawn
 * at random; that the raw files give the same again; and that the averages are those of the source, by
 * its own instances.
 */
class ColumnTest {
    @TempDir
    Path folder;

    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);

    private IoCounts counts() {
        Map<IoCounter, Long> counts = new EnumMap<>(IoCounter.class);
        for (IoCounter counter : IoCounter.values()) {
            counts.put(counter, random.nextLong(1, 1_000_000));
        }
        return new IoCounts(counts);
    }

    private Measured measured() {
        List<Measured.Sample> samples = new ArrayList<>();
        IoCounts all = IoCounts.NONE;
        for (int i = 1; i <= 4; i++) {
            IoCounts counts = counts();
            samples.add(new Measured.Sample(15.0 * i, 15, counts));
            all = all.plus(counts);
        }
        Map<Column.Timed, Histogram> nanos = new EnumMap<>(Column.Timed.class);
        for (Column.Timed timed : Column.Timed.values()) {
            Histogram histogram = new Histogram(3);
            for (int i = 0; i < 1000; i++) {
                histogram.recordValue(random.nextLong(1, 100_000_000));
            }
            nanos.put(timed, histogram);
        }
        return new Measured(all, 60, nanos, samples);
    }

    @Test
    void eachColumnIsWhatItsNameSays() {
        Measured m = measured();
        IoCounts c = m.counts();
        Map<Column, Double> expected = new EnumMap<>(Column.class);
        expected.put(
                Column.AVG_DB_READ_LATENCY_MS,
                c.get(IoCounter.DB_READ_NS) / 1e6 / c.get(IoCounter.DB_READS));
        expected.put(
                Column.AVG_DB_WRITE_LATENCY_MS,
                c.get(IoCounter.DB_WRITE_NS) / 1e6 / c.get(IoCounter.DB_WRITES));
        expected.put(Column.DB_READS_PER_S, c.get(IoCounter.DB_READS) / 60.0);
        expected.put(Column.DB_WRITES_PER_S, c.get(IoCounter.DB_WRITES) / 60.0);
        expected.put(
                Column.AVG_DB_READ_BYTES,
                (double) c.get(IoCounter.DB_READ_BYTES) / c.get(IoCounter.DB_READS));
        expected.put(
                Column.AVG_DB_WRITE_BYTES,
                (double) c.get(IoCounter.DB_WRITE_BYTES) / c.get(IoCounter.DB_WRITES));
        expected.put(
                Column.AVG_LOG_READ_LATENCY_MS,
                c.get(IoCounter.LOG_READ_NS) / 1e6 / c.get(IoCounter.LOG_READS));
        expected.put(
                Column.AVG_LOG_WRITE_LATENCY_MS,
                c.get(IoCounter.LOG_WRITE_NS) / 1e6 / c.get(IoCounter.LOG_WRITES));
        expected.put(Column.LOG_READS_PER_S, c.get(IoCounter.LOG_READS) / 60.0);
        expected.put(Column.LOG_WRITES_PER_S, c.get(IoCounter.LOG_WRITES) / 60.0);
        expected.put(
                Column.AVG_LOG_READ_BYTES,
                (double) c.get(IoCounter.LOG_READ_BYTES) / c.get(IoCounter.LOG_READS));
        expected.put(
                Column.AVG_LOG_WRITE_BYTES,
                (double) c.get(IoCounter.LOG_WRITE_BYTES) / c.get(IoCounter.LOG_WRITES));
        expected.put(Column.MAINTENANCE_READS_PER_S, c.get(IoCounter.MAINTENANCE_READS) / 60.0);
        expected.put(
                Column.AVG_MAINTENANCE_READ_BYTES,
                (double) c.get(IoCounter.MAINTENANCE_READ_BYTES)
                        / c.get(IoCounter.MAINTENANCE_READS));
        expected.put(Column.REPLICATION_LOG_READS_PER_S, c.get(IoCounter.REPLICATION_READS) / 60.0);
        expected.put(
                Column.AVG_REPLICATION_LOG_READ_BYTES,
                (double) c.get(IoCounter.REPLICATION_READ_BYTES)
                        / c.get(IoCounter.REPLICATION_READS));
        expected.put(Column.TRANSACTIONS_PER_S, c.get(IoCounter.TRANSACTIONS) / 60.0);
        expected.put(Column.STALLS_PER_S, c.get(IoCounter.STALLS) / 60.0);
        expected.put(Column.CACHE_HITS_PER_S, c.get(IoCounter.CACHE_HITS) / 60.0);
        double worstRead = 0;
        double worstWrite = 0;
        for (Measured.Sample sample : m.samples()) {
            IoCounts s = sample.counts();
            worstRead = Math.max(
                    worstRead, s.get(IoCounter.DB_READ_NS) / 1e6 / s.get(IoCounter.DB_READS));
            worstWrite = Math.max(
                    worstWrite, s.get(IoCounter.LOG_WRITE_NS) / 1e6 / s.get(IoCounter.LOG_WRITES));
        }
        expected.put(Column.MAX_SAMPLE_DB_READ_LATENCY_MS, worstRead);
        expected.put(Column.MAX_SAMPLE_LOG_WRITE_LATENCY_MS, worstWrite);
        Histogram reads = m.nanos().getOrDefault(Column.Timed.DB_READ, new Histogram(3));
        Histogram writes = m.nanos().getOrDefault(Column.Timed.LOG_WRITE, new Histogram(3));
        expected.put(Column.P95_DB_READ_LATENCY_MS, reads.getValueAtPercentile(95) / 1e6);
        expected.put(Column.P99_DB_READ_LATENCY_MS, reads.getValueAtPercentile(99) / 1e6);
        expected.put(Column.MAX_DB_READ_LATENCY_MS, reads.getMaxValue() / 1e6);
        expected.put(Column.P99_LOG_WRITE_LATENCY_MS, writes.getValueAtPercentile(99) / 1e6);
        expected.put(Column.MAX_LOG_WRITE_LATENCY_MS, writes.getMaxValue() / 1e6);
        assertThat(expected).containsOnlyKeys(Column.values());
        expected.forEach((column, value) -> assertThat(column.of(m))
                .as("%s, seed %d", column.key(), seed)
                .isCloseTo(value, within(1e-9 * value)));
    }

    @Test
    void totalsHaveMaintenanceAndReplicationAmongThem() {
        Measured m = measured();
        IoCounts c = m.counts();
        double reads = c.get(IoCounter.DB_READS) + c.get(IoCounter.MAINTENANCE_READS);
        assertThat(Column.DB_READS_PER_S.ofTotal(m)).isCloseTo(reads / 60, within(1e-6));
        assertThat(Column.AVG_DB_READ_BYTES.ofTotal(m))
                .isCloseTo(
                        (c.get(IoCounter.DB_READ_BYTES) + c.get(IoCounter.MAINTENANCE_READ_BYTES))
                                / reads,
                        within(1e-6));
        assertThat(Column.DB_WRITES_PER_S.ofTotal(m)).isEqualTo(Column.DB_WRITES_PER_S.of(m));
        assertThat(Column.LOG_READS_PER_S.ofTotal(m))
                .isCloseTo(
                        (c.get(IoCounter.LOG_READS) + c.get(IoCounter.REPLICATION_READS)) / 60.0,
                        within(1e-6));
    }

    @Test
    void whatWasNotDoneIsNotKnownAndNotZero() {
        Measured nothing = new Measured(IoCounts.NONE, 60, Map.of(), List.of());
        assertThat(Column.AVG_DB_READ_LATENCY_MS.of(nothing)).isNull();
        assertThat(Column.P99_DB_READ_LATENCY_MS.of(nothing)).isNull();
        assertThat(Column.MAX_SAMPLE_DB_READ_LATENCY_MS.of(nothing)).isNull();
        assertThat(Column.DB_READS_PER_S.of(nothing)).isZero();
        assertThat(InstanceFigures.of("I.1", nothing).json())
                .containsEntry("avg_db_read_latency_ms", null)
                .containsKeys("p95_db_read_latency_ms", "avg_replication_log_read_bytes");
    }

    @Test
    void theRawFilesGiveTheSameAgain() throws IOException {
        Measured m = measured();
        try (RawSamples.Writer writer = new RawSamples.Writer(folder, "performance")) {
            for (Measured.Sample sample : m.samples()) {
                writer.sample("I.1", sample.atSeconds(), sample.seconds(), sample.counts());
            }
            for (Map.Entry<Column.Timed, Histogram> one : m.nanos().entrySet()) {
                writer.latencies("I.1", one.getKey(), 60, 60, one.getValue());
            }
        }
        Measured again = RawSamples.read(folder, "performance").get("I.1");
        assertThat(again).isNotNull();
        for (Column column : Column.values()) {
            Double value = column.of(m);
            assertThat(again == null ? null : column.of(again))
                    .as(column.key())
                    .isCloseTo(
                            value == null ? 0 : value, within(1e-3 * (value == null ? 1 : value)));
        }
    }

    /** The source's own instances: 371 reads, 14.580 ms unweighted and 14.578 weighted. */
    @Test
    void averagesAreThoseOfTheSource() throws IOException {
        List<InstanceFigures> instances = new ArrayList<>();
        try (InputStream in =
                ColumnTest.class.getResourceAsStream("/reference/esrp-c210-m2.yaml")) {
            JsonNode rows =
                    new YAMLMapper().readTree(in).at("/phases/performance/transactional_io/rows");
            for (JsonNode row : rows) {
                double seconds = 7199;
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
                instances.add(InstanceFigures.of(
                        row.get(0).asText(), new Measured(counts, seconds, Map.of(), List.of())));
            }
        }
        Map<String, Double> averages = Averages.of(instances, 7199);
        assertThat(averages.get("avg_db_read_latency_ms")).isCloseTo(14.580, within(0.0006));
        assertThat(averages.get("avg_db_read_latency_ms_weighted"))
                .isCloseTo(14.578, within(0.0006));
        assertThat(averages.get("db_reads_per_s")).isCloseTo(370.981, within(0.01));
        assertThat(Judgement.achievedIops(instances)).isCloseTo(651.699, within(0.01));
        assertThat(Judgement.judge(450, instances, new Thresholds(20, 100, 10, 100)))
                .isEmpty();
    }
}
