package org.hubmark.bench.qualify.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.qualify.phase.CacheFigures;
import org.hubmark.bench.qualify.phase.Phase;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Proves of the plot beside the answer that it has the slowest of many instances, each in its own colour,
 * and the limits, an hour each. Draws a recorded phase whose instances are others: the later, the slower they read.
 */
class QualificationChartsTest {
    private static final int INSTANCES = 12;

    private static Repeat instance(int number) {
        Repeat.Builder sample = Repeat.counted().count(InstanceFigures.AT_NS, 15e9);
        // An instance that wrote no log is not slow.
        Map<IoCounter, Double> counts = Map.of(
                IoCounter.DB_READS,
                100.0,
                IoCounter.DB_READ_NS,
                number * 1e8,
                IoCounter.DB_WRITES,
                0.0,
                IoCounter.LOG_WRITES,
                number == 12 ? 0.0 : 10.0,
                IoCounter.LOG_WRITE_NS,
                number == 12 ? 0.0 : (20 - number) * 1e6);
        Repeat.Builder all = Repeat.counted()
                .name(InstanceFigures.INSTANCE, "Instance." + number)
                .count(InstanceFigures.COLLECTION_NS, 15e9);
        counts.forEach((counter, count) -> {
            sample.count(counter.counter(), count);
            all.count(counter.counter(), count);
        });
        return all.samples(List.of(sample.made())).made();
    }

    private static Document recorded() throws IOException {
        Document document = new GoldenInput(
                        JsonFile.read(GoldenFiles.FOLDER.resolve("recorded/qualification.json")),
                        GoldenFiles.FOLDER.resolve("recorded"))
                .document();
        List<Repeat> instances = new ArrayList<>();
        for (int i = 1; i <= INSTANCES; i++) {
            instances.add(instance(i));
        }
        Row row = Phase.PERFORMANCE.row(document).orElseThrow();
        Repeat phase = row.repeat();
        Repeat many = new Repeat(
                true,
                phase.names(),
                phase.counters(),
                phase.times(),
                Map.of(InstanceFigures.INSTANCES.key(), instances),
                phase.samples());
        return new Document(
                document.kind(),
                document.provenance(),
                true,
                document.facts(),
                List.of(
                        new Table(
                                PhaseFigures.PHASES, List.of(new Row(row.names(), List.of(many)))),
                        document.table(CacheFigures.CACHES)),
                List.of());
    }

    private static List<String> drawn(Charts.Chart chart, int panel) {
        return chart.series().stream()
                .filter(one -> one.panel() == panel && !one.points().isEmpty())
                .map(one -> one.name() + " " + one.points())
                .toList();
    }

    @Test
    void theSlowestInstancesAndTheirLimits() throws IOException {
        List<Charts.Chart> plots = QualificationCharts.of(recorded()).plots();
        assertThat(plots).hasSize(1);
        assertThat(drawn(plots.getFirst(), 0))
                .containsExactly(
                        "Instance.9 [[15.0, 9.0]]",
                        "Instance.10 [[15.0, 10.0]]",
                        "Instance.11 [[15.0, 11.0]]",
                        "Instance.12 [[15.0, 12.0]]",
                        "limit [[15.0, 3600000.0], [15.0, 3600000.0]]");
        assertThat(drawn(plots.getFirst(), 1))
                .containsExactly(
                        "Instance.1 [[15.0, 1.9]]",
                        "Instance.2 [[15.0, 1.8]]",
                        "Instance.3 [[15.0, 1.7]]",
                        "Instance.4 [[15.0, 1.6]]",
                        "limit [[15.0, 3600000.0], [15.0, 3600000.0]]");
        // By its place among all of them a name has its colour.
        assertThat(plots.getFirst().series().stream().limit(INSTANCES))
                .extracting(Charts.Series::name)
                .startsWith("Instance.1", "Instance.2")
                .endsWith("Instance.12");
    }
}
