package org.hubmark.bench.scale.report;

import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.scale.result.Latencies;
import org.hubmark.bench.scale.result.PublishedPoint;
import org.hubmark.bench.scale.result.ScalabilityLaw;
import org.hubmark.bench.scale.result.ScalePoint;
import org.hubmark.bench.scale.result.ScaleResults;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The plots of a scale-out. */
final class ScaleCharts {
    private static final double STEP = 0.1;

    private final ScaleResults results;
    private final List<Charts.Chart> charts = new ArrayList<>();

    private ScaleCharts(ScaleResults results) {
        this.results = results;
    }

    static Charts of(ScaleResults results) {
        ScaleCharts made = new ScaleCharts(results);
        made.throughput();
        made.efficiency();
        made.latency();
        made.cpu();
        return new Charts(made.charts);
    }

    private void throughput() {
        List<Charts.Series> series = new ArrayList<>();
        series.add(measured(
                "measured",
                points(point -> with(point, point.throughputMsgsPerS(), point.throughputCi95()))));
        ScalePoint one = results.points().getFirst();
        if (one.hosts() == 1) {
            series.add(Charts.Series.of(
                    "linear",
                    Charts.Style.UNCORRECTED,
                    points(point -> List.of(
                            (double) point.hosts(), point.hosts() * one.throughputMsgsPerS()))));
        }
        ScalabilityLaw model = results.model();
        if (model != null) {
            List<List<Double>> curve = new ArrayList<>();
            int least = results.points().getFirst().hosts();
            int most = results.points().getLast().hosts();
            for (double hosts = least; hosts <= most + STEP / 2; hosts += STEP) {
                curve.add(List.of(hosts, model.at(hosts)));
            }
            series.add(Charts.Series.of(
                    "universal scalability law (model)", Charts.Style.FITTED, curve));
        }
        add(
                "throughput",
                "Throughput",
                "Messages a second that all hubs together accepted.",
                "messages/s",
                series);
    }

    private void efficiency() {
        List<List<Double>> points = points(point -> {
            Double efficiency = point.efficiency();
            return efficiency == null ? null : with(point, efficiency, point.efficiencyCi95());
        });
        if (!points.isEmpty()) {
            add(
                    "efficiency",
                    "Efficiency",
                    "Throughput over hosts times the throughput of one host.",
                    "1 is linear",
                    List.of(measured("efficiency", points)));
        }
    }

    private void latency() {
        List<Charts.Series> series = new ArrayList<>();
        line(series, "send mean", point -> of(point.sendLatencyMs(), Latencies::mean));
        line(series, "send p95", point -> of(point.sendLatencyMs(), Latencies::p95));
        line(series, "arrival p95", point -> of(point.arrivalLatencyMs(), Latencies::p95));
        for (PublishedPoint point : results.published()) {
            published(
                    series,
                    "vSAN send mean (published)",
                    point,
                    point.sendLatencyMs().mean());
            published(
                    series,
                    "vSAN send p95 (published)",
                    point,
                    point.sendLatencyMs().p95());
        }
        add(
                "latency",
                "Latency",
                "Sending to the answer, and arrival; the study's points were measured on other"
                        + " hardware, with other software, under another load.",
                "ms",
                series);
    }

    private void cpu() {
        List<Charts.Series> series = new ArrayList<>();
        line(series, "CPU of all hosts", ScalePoint::cpuUsPerMsg);
        if (!series.isEmpty()) {
            add("cpu", "CPU", "CPU time of hubs, brokers and bookies.", "us a message", series);
        }
    }

    private void line(
            List<Charts.Series> series,
            String name,
            Function<ScalePoint, @Nullable Double> figure) {
        List<List<Double>> points = points(point -> {
            Double value = figure.apply(point);
            return value == null ? null : List.of((double) point.hosts(), value);
        });
        if (!points.isEmpty()) {
            series.add(measured(name, points));
        }
    }

    private static void published(
            List<Charts.Series> series, String name, PublishedPoint point, @Nullable Double value) {
        if (value != null) {
            series.add(Charts.Series.of(
                    name, Charts.Style.PUBLISHED, List.of(List.of((double) point.hosts(), value))));
        }
    }

    private List<List<Double>> points(Function<ScalePoint, @Nullable List<Double>> figure) {
        List<List<Double>> points = new ArrayList<>();
        for (ScalePoint point : results.points()) {
            List<Double> made = figure.apply(point);
            if (made != null) {
                points.add(made);
            }
        }
        return points;
    }

    private static List<Double> with(ScalePoint point, double value, @Nullable Interval interval) {
        return interval == null
                ? List.of((double) point.hosts(), value)
                : List.of((double) point.hosts(), value, interval.low(), interval.high());
    }

    private static @Nullable Double of(
            @Nullable Latencies latencies, ToDoubleFunction<Latencies> figure) {
        return latencies == null ? null : (Double) figure.applyAsDouble(latencies);
    }

    private static Charts.Series measured(String name, List<List<Double>> points) {
        return Charts.Series.of(name, Charts.Style.MEASURED, points);
    }

    private void add(
            String id, String title, String text, String unit, List<Charts.Series> series) {
        charts.add(new Charts.Chart(
                id, Charts.Kind.BY_HOSTS, title, text, unit, List.of(), List.of(), series));
    }
}
