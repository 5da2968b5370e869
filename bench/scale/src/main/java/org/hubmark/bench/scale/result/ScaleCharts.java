package org.hubmark.bench.scale.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.Charts.Series;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The plots of a scale-out. */
final class ScaleCharts {
    private ScaleCharts() {}

    static Charts of(Document document) {
        Table points = document.table(ScaleOut.POINTS);
        List<Charts.Chart> all = Stream.of(
                        chart(
                                "throughput",
                                "Throughput",
                                "Messages a second that all hubs together accepted.",
                                "messages/s",
                                throughput(points)),
                        chart(
                                "latency",
                                "Latency",
                                "Sending to the answer. The study's points were measured on"
                                        + " other hardware, with other software, under another load.",
                                "ms",
                                latency(points)),
                        chart(
                                "efficiency",
                                "Efficiency",
                                "Throughput over hosts times the throughput of one host.",
                                "1 is linear",
                                List.of(line(points, "efficiency", ScaleOut.EFFICIENCY))))
                .filter(chart -> !chart.series().isEmpty())
                .toList();
        return new Charts(all);
    }

    private static Charts.Chart chart(
            String id, String title, String text, String unit, List<Series> series) {
        return new Charts.Chart(
                id,
                Charts.Kind.BY_HOSTS,
                title,
                text,
                unit,
                List.of(),
                series.stream().filter(one -> !one.points().isEmpty()).toList());
    }

    private static List<Series> throughput(Table points) {
        List<Series> series = new ArrayList<>();
        series.add(line(points, "measured", ScaleOut.THROUGHPUT));
        Row one = points.rows().getFirst();
        if (one.number(ScaleOut.HOSTS) == 1) {
            double alone = points.estimate(one, ScaleOut.THROUGHPUT).value();
            series.add(Series.of(
                    "linear",
                    Charts.Style.UNCORRECTED,
                    points.rows().stream()
                            .map(row -> row.number(ScaleOut.HOSTS))
                            .map(hosts -> List.of(hosts, hosts * alone))
                            .toList()));
        }
        return series;
    }

    private static List<Series> latency(Table points) {
        List<Series> series = new ArrayList<>();
        series.add(line(points, "send mean", ScaleOut.SEND_MEAN));
        series.add(line(points, "send p95", ScaleOut.SEND_P95));
        for (PublishedPoint point : PublishedPoint.all()) {
            PublishedPoint.SendLatency sending = point.sendLatencyMs();
            series.add(published("vSAN send mean (published)", point, sending.mean()));
            series.add(published("vSAN send p95 (published)", point, sending.p95()));
        }
        series.add(
                Series.across("limit of send p95 (published)", PublishedPoint.limitMs(), series));
        return series;
    }

    private static Series line(Table points, String name, Column column) {
        return Series.of(
                name,
                Charts.Style.MEASURED,
                points.rows().stream()
                        .map(row -> points.point(row.number(ScaleOut.HOSTS), row, column))
                        .filter(point -> !point.isEmpty())
                        .toList());
    }

    private static Series published(String name, PublishedPoint point, @Nullable Double value) {
        return Series.of(
                name,
                Charts.Style.PUBLISHED,
                value == null ? List.of() : List.of(List.of((double) point.hosts(), value)));
    }
}
