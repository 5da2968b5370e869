package org.hubmark.bench.qualify.report;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Times;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.PhaseFigures;

import java.util.ArrayList;
import java.util.List;

/**
 * The plots: latency over time, percentiles, and a heat map of the instances over time, for each phase
 * with transactions.
 */
final class QualifyCharts {
    private static final double NANOS_PER_SECOND = 1e9;
    /** Largest number of columns of a heat map that can be told apart. */
    private static final int HEAT_COLUMNS_MAX = 24;

    private static final double PERCENTILE_STEP = 1.5;

    private QualifyCharts() {}

    static Charts of(Document document) {
        List<Charts.Chart> charts = new ArrayList<>();
        for (Row row : document.table(PhaseFigures.PHASES).rows()) {
            Repeat phase = row.repeat();
            String name = row.name(PhaseFigures.PHASE);
            boolean isSampled = phase.parts(InstanceFigures.INSTANCES).stream()
                    .anyMatch(one -> !one.samples().isEmpty());
            if (PhaseFigures.hasTransactions(phase) && isSampled) {
                charts.add(timeline(name, phase));
                charts.add(percentiles(name, phase));
                charts.add(heat(name, phase));
            }
        }
        return new Charts(charts);
    }

    private static Charts.Chart timeline(String phase, Repeat found) {
        List<Charts.Series> series = new ArrayList<>();
        for (Repeat instance : found.parts(InstanceFigures.INSTANCES)) {
            series.add(line(instance, 0, InstanceFigures.READ_LATENCY));
            series.add(line(instance, 1, InstanceFigures.LOG_LATENCY));
        }
        return new Charts.Chart(
                phase + "-time",
                Charts.Kind.TIMELINE,
                phase + ": latency over time",
                "The average of each sample, an instance a line.",
                "ms",
                List.of(),
                List.of("database reads, ms", "log writes, ms"),
                series);
    }

    private static Charts.Series line(Repeat instance, int panel, Column latency) {
        List<List<Double>> points = new ArrayList<>();
        for (Repeat sample : instance.samples()) {
            double millis = latency.value(sample);
            if (Double.isFinite(millis)) {
                points.add(List.of(seconds(sample), millis));
            }
        }
        return new Charts.Series(
                instance.name(InstanceFigures.INSTANCE), Charts.Style.MEASURED, panel, points);
    }

    private static double seconds(Repeat sample) {
        return sample.count(InstanceFigures.AT_NS) / NANOS_PER_SECOND;
    }

    private static Charts.Chart percentiles(String phase, Repeat found) {
        return new Charts.Chart(
                phase + "-percentiles",
                Charts.Kind.PERCENTILE,
                phase + ": percentiles of latency",
                "Of all instances together.",
                "ms",
                List.of(),
                List.of(),
                List.of(
                        percentiles("db reads", found, InstanceFigures.READ_TIMES),
                        percentiles("log writes", found, InstanceFigures.LOG_TIMES)));
    }

    private static Charts.Series percentiles(String name, Repeat found, Times times) {
        Histogram all = new Histogram(3);
        found.parts(InstanceFigures.INSTANCES).forEach(one -> all.add(one.times(times)));
        List<List<Double>> points = new ArrayList<>();
        for (double inverse = 1; inverse <= all.getTotalCount(); inverse *= PERCENTILE_STEP) {
            points.add(List.of(
                    inverse,
                    all.getValueAtPercentile(100 - 100 / inverse) / Formula.NANOS_PER_MILLI));
        }
        return Charts.Series.of(name, Charts.Style.MEASURED, points);
    }

    private static Charts.Chart heat(String phase, Repeat found) {
        List<Repeat> instances = found.parts(InstanceFigures.INSTANCES);
        int samples = instances.getFirst().samples().size();
        int columns = Math.max(1, Math.min(HEAT_COLUMNS_MAX, samples));
        List<String> categories = new ArrayList<>();
        List<List<Double>> cells = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            int from = column * samples / columns;
            int to = (column + 1) * samples / columns;
            for (int row = 0; row < instances.size(); row++) {
                List<Repeat> these = instances.get(row).samples().subList(from, to);
                double reads = sum(these, IoCounter.DB_READS);
                if (reads > 0) {
                    double nanos = sum(these, IoCounter.DB_READ_NS);
                    cells.add(List.of(
                            (double) column,
                            (double) row,
                            nanos / Formula.NANOS_PER_MILLI / reads,
                            0.0));
                }
            }
            categories.add(
                    to == 0
                            ? ""
                            : Math.round(seconds(instances.getFirst().samples().get(to - 1)))
                                    + " s");
        }
        return new Charts.Chart(
                phase + "-heat",
                Charts.Kind.HEAT,
                phase + ": average latency of database reads",
                "A row for each instance, time along.",
                "ms",
                categories,
                instances.stream()
                        .map(one -> one.name(InstanceFigures.INSTANCE))
                        .toList(),
                List.of(Charts.Series.of("reads", Charts.Style.MEASURED, cells)));
    }

    private static double sum(List<Repeat> samples, IoCounter counter) {
        return samples.stream()
                .mapToDouble(sample -> sample.count(counter.counter()))
                .sum();
    }
}
