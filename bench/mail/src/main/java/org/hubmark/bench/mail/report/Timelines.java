package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.ScenarioNames;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Plots of how each scenario went, second by second: one chart each, its repeats in a row. */
final class Timelines {
    private static final List<Panel> PANELS = List.of(
            new Panel(
                    "messages/s",
                    List.of(
                            new Line("sent", "sent_msgs_per_s"),
                            new Line("accepted", "accepted_msgs_per_s"),
                            new Line("delivered", "delivered_msgs_per_s"))),
            new Panel("queue, messages", List.of(new Line("queue length", "queue_msgs"))),
            new Panel(
                    "CPU, % of all cores",
                    List.of(
                            new Line("machine", "machine_cpu_percent"),
                            new Line("server", "server_cpu_percent"),
                            new Line("load driver", "driver_cpu_percent"))),
            new Panel(
                    "writes/s",
                    List.of(
                            new Line("log writes", "log_writes_per_s"),
                            new Line("queue writes", "queue_writes_per_s"))),
            new Panel(
                    "accept latency, ms",
                    List.of(
                            new Line("p50", "accept_p50_ms"),
                            new Line("p99", "accept_p99_ms"),
                            new Line("max", "accept_max_ms"))));

    private record Panel(String title, List<Line> lines) {}

    private record Line(String name, String column) {}

    private Timelines() {}

    /** {@return a chart for each scenario that has samples} */
    static List<Charts.Chart> charts(ScenarioNames names) {
        List<Scenario> scenarios = names.scenarios();
        List<Charts.Chart> charts = new ArrayList<>();
        for (int i = 0; i < scenarios.size(); i++) {
            List<Repeat> repeats = scenarios.get(i).row().counted();
            List<Charts.Series> series = new ArrayList<>();
            List<String> titles = new ArrayList<>();
            for (Panel panel : PANELS) {
                List<Charts.Series> lines = lines(panel, titles.size(), repeats);
                // What is not known in any second has no panel.
                if (!lines.isEmpty()) {
                    titles.add(panel.title());
                    series.addAll(lines);
                }
            }
            if (!series.isEmpty()) {
                charts.add(new Charts.Chart(
                        "timeline-" + (i + 1),
                        Charts.Kind.TIMELINE,
                        names.picture(i),
                        "Each second of the measured time; repeats stand one after the other.",
                        "per second",
                        titles,
                        series));
            }
        }
        return charts;
    }

    private static List<Charts.Series> lines(Panel panel, int number, List<Repeat> repeats) {
        List<Charts.Series> series = new ArrayList<>();
        for (Line line : panel.lines()) {
            List<List<@Nullable Double>> points = points(line.column(), repeats);
            if (points.stream().anyMatch(point -> point.get(1) != null)) {
                series.add(new Charts.Series(
                        line.name(), Charts.Style.MEASURED, number, points, Set.of()));
            }
        }
        return series;
    }

    private static List<List<@Nullable Double>> points(String column, List<Repeat> repeats) {
        List<List<@Nullable Double>> points = new ArrayList<>();
        double start = 0;
        for (Repeat repeat : repeats) {
            double end = start;
            for (Repeat sample : repeat.samples()) {
                Double seconds = sample.counters().get("elapsed_s");
                if (seconds != null) {
                    end = start + seconds;
                    points.add(Arrays.asList(end, sample.counters().get(column)));
                }
            }
            // An empty point parts the repeats.
            points.add(Arrays.asList(end, null));
            start = end;
        }
        return points;
    }
}
