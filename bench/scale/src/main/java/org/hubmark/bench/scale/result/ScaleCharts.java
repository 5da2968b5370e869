package org.hubmark.bench.scale.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The plots of a scale-out. */
final class ScaleCharts {
    private final Table points;
    private final List<Charts.Chart> charts = new ArrayList<>();

    private ScaleCharts(Table points) {
        this.points = points;
    }

    static Charts of(Document document) {
        ScaleCharts made = new ScaleCharts(document.table(ScaleOut.POINTS));
        made.throughput();
        made.efficiency();
        made.latency();
        made.cpu();
        return new Charts(made.charts);
    }

    private void throughput() {
        List<Charts.Series> series = new ArrayList<>();
        line(series, "measured", ScaleOut.THROUGHPUT);
        Row one = points.rows().getFirst();
        if (one.number(ScaleOut.HOSTS) == 1) {
            double alone = points.estimate(one, ScaleOut.THROUGHPUT).value();
            series.add(Charts.Series.of(
                    "linear",
                    Charts.Style.UNCORRECTED,
                    points.rows().stream()
                            .map(row -> row.number(ScaleOut.HOSTS))
                            .map(hosts -> List.of(hosts, hosts * alone))
                            .toList()));
        }
        add(
                "throughput",
                "Throughput",
                "Messages a second that all hubs together accepted.",
                "messages/s",
                series);
    }

    private void efficiency() {
        List<Charts.Series> series = new ArrayList<>();
        line(series, "efficiency", ScaleOut.EFFICIENCY);
        add(
                "efficiency",
                "Efficiency",
                "Throughput over hosts times the throughput of one host.",
                "1 is linear",
                series);
    }

    private void latency() {
        List<Charts.Series> series = new ArrayList<>();
        line(series, "send mean", ScaleOut.SEND_MEAN);
        line(series, "send p95", ScaleOut.SEND_P95);
        line(series, "arrival p95", ScaleOut.ARRIVAL_P95);
        for (PublishedPoint point : PublishedPoint.all()) {
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
        line(series, "CPU of all hosts", ScaleOut.CPU);
        add("cpu", "CPU", "CPU time of hubs, brokers and bookies.", "us a message", series);
    }

    private void line(List<Charts.Series> series, String name, Column column) {
        List<List<Double>> line = new ArrayList<>();
        for (Row row : points.rows()) {
            Estimate estimate = points.estimate(row, column);
            Interval range = estimate.range();
            double hosts = row.number(ScaleOut.HOSTS);
            if (estimate.isKnown()) {
                line.add(
                        range == null
                                ? List.of(hosts, estimate.value())
                                : List.of(hosts, estimate.value(), range.low(), range.high()));
            }
        }
        if (!line.isEmpty()) {
            series.add(Charts.Series.of(name, Charts.Style.MEASURED, line));
        }
    }

    private static void published(
            List<Charts.Series> series, String name, PublishedPoint point, @Nullable Double value) {
        if (value != null) {
            series.add(Charts.Series.of(
                    name, Charts.Style.PUBLISHED, List.of(List.of((double) point.hosts(), value))));
        }
    }

    private void add(
            String id, String title, String text, String unit, List<Charts.Series> series) {
        if (!series.isEmpty()) {
            charts.add(new Charts.Chart(
                    id, Charts.Kind.BY_HOSTS, title, text, unit, List.of(), series));
        }
    }
}
