package org.hubmark.bench.qualify.report;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Times;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.qualify.result.CacheFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.ProfileFigures;

import java.util.ArrayList;
import java.util.List;

/**
 * The plots: latency over time, percentiles, and a heat map of the instances over time, for each phase
 * with transactions; misses over the size of the cache.
 */
final class QualifyCharts {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MB = 1e6;
    /** Largest number of columns of a heat map that can be told apart. */
    private static final int HEAT_COLUMNS_MAX = 24;

    private static final double PERCENTILE_STEP = 1.5;
    /** Distance between two marked points of the curve. */
    private static final int STEP = 5;

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
            if (PhaseSections.isProfiled(phase)) {
                charts.add(misses(name, phase, List.of()));
            }
        }
        List<Row> caches = document.table(CacheFigures.CACHES).rows();
        if (!document.table(CacheFigures.SIZES).rows().isEmpty()) {
            Repeat first = caches.getFirst().repeats().getFirst();
            // Of the same round: databases grow from one to the next.
            charts.add(misses(
                    "first round",
                    first,
                    caches.stream().map(cache -> cache.repeats().getFirst()).toList()));
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

    /**
     * {@return the curve of misses with its band}
     *
     * @param tried other sizes in the same round; none where none were compared
     */
    private static Charts.Chart misses(String name, Repeat phase, List<Repeat> tried) {
        List<List<Double>> marks = new ArrayList<>();
        List<List<Double>> curve = new ArrayList<>();
        List<Repeat> points = phase.parts(ProfileFigures.POINTS);
        for (int i = 0; i < points.size(); i++) {
            double[] ratio = ProfileFigures.hitRatio(points.get(i));
            if (Double.isFinite(ratio[0])) {
                List<Double> place = List.of(
                        ProfileFigures.megabytes(points.get(i)),
                        1 - ratio[0],
                        1 - ratio[2],
                        1 - ratio[1]);
                curve.add(place);
                if (i % STEP == 0) {
                    marks.add(place.subList(0, 2));
                }
            }
        }
        List<Charts.Series> series = new ArrayList<>(List.of(
                Charts.Series.of("predicted", Charts.Style.POINTS, marks),
                Charts.Series.of("predicted", Charts.Style.FITTED, curve)));
        List<List<Double>> had = tried.stream()
                .filter(one -> Double.isFinite(ProfileFigures.HIT_RATIO.value(one)))
                .map(one -> List.of(
                        one.count(ProfileFigures.CACHE_BYTES) / BYTES_PER_MB,
                        1 - ProfileFigures.HIT_RATIO.value(one)))
                .toList();
        if (!had.isEmpty()) {
            series.add(Charts.Series.of("measured", Charts.Style.POINTS, had));
        }
        return new Charts.Chart(
                name.replace(' ', '-') + "-misses",
                Charts.Kind.BY_CACHE,
                name + ": miss ratio over the size of the cache",
                "Hit rate of reads of data blocks; predicted during the load, with its error band.",
                "share",
                List.of(),
                List.of(),
                series);
    }
}
