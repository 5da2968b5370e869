package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.ScenarioNames;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The plots of a report: figures by size and by rate, and how each scenario went, second by second. */
final class MailCharts {
    /** Figures over the size of messages, after that of the rate, by their plots. */
    private static final List<Map.Entry<String, Column>> BY_SIZE = List.of(
            Map.entry("cost-server", Figure.CPU_COST_PROCESS_MCYCLES_PER_MSG),
            Map.entry("cost", Figure.CPU_COST_MCYCLES_PER_MSG),
            Map.entry("log-writes", Figure.LOG_WRITES_PER_MSG),
            Map.entry("queue-writes", Figure.QUEUE_WRITES_PER_MSG));

    private static final List<Panel> PANELS = List.of(
            new Panel("messages/s", "_msgs_per_s", List.of("sent", "accepted", "delivered")),
            new Panel("queue, messages", "_msgs", List.of("queue")),
            new Panel(
                    "CPU, % of all cores", "_cpu_percent", List.of("machine", "server", "driver")),
            new Panel("writes/s", "_writes_per_s", List.of("log", "queue")),
            new Panel(
                    "accept latency, ms",
                    "_ms",
                    List.of("accept_p50", "accept_p99", "accept_max")));

    private final ScenarioNames names;
    private final List<Charts.Chart> charts = new ArrayList<>();

    /**
     * A panel of a timeline.
     *
     * @param lines the samples, by their keys without the end that they share
     */
    private record Panel(String title, String end, List<String> lines) {}

    private MailCharts(ScenarioNames names) {
        this.names = names;
        bySize("throughput", Figure.THROUGHPUT_MSGS_PER_S);
        BY_SIZE.forEach(one -> bySize(one.getKey(), one.getValue()));
        for (int i = 0; i < names.scenarios().size(); i++) {
            timeline(i);
        }
    }

    static Charts of(ScenarioNames names) {
        return new Charts(new MailCharts(names).charts);
    }

    /** One of which nothing is known is left out. */
    private void add(
            String id,
            Charts.Kind kind,
            String title,
            String description,
            String unit,
            List<String> panels,
            List<Charts.Series> series) {
        if (!series.isEmpty()) {
            charts.add(new Charts.Chart(id, kind, title, description, unit, panels, series));
        }
    }

    /** A figure with the intervals that it has, and as it was published. */
    private void bySize(String id, Column column) {
        List<Charts.Series> series = measured(column);
        boolean isKnown = !series.isEmpty();
        List<Charts.Series> published = isKnown ? published(column) : List.of();
        series.addAll(published);
        boolean isOfRate = column.equals(Figure.THROUGHPUT_MSGS_PER_S);
        boolean isValid =
                names.scenarios().stream().allMatch(one -> one.validity().valid());
        add(
                id,
                Charts.Kind.BY_SIZE,
                column.label(),
                column.label() + " by message size."
                        + (isOfRate ? " Bars: 95 % interval of the mean over the repeats." : "")
                        + (published.isEmpty() ? "" : " Muted: as published, on other hardware.")
                        + (isValid ? "" : " A cross is a cell that is not valid."),
                column.unit(),
                List.of(),
                series);
    }

    private List<Charts.Series> measured(Column column) {
        List<Charts.Series> series = new ArrayList<>();
        names.scenarios().stream()
                .filter(one -> Double.isFinite(one.value(column)))
                .sorted(Comparator.comparingDouble(Scenario::messageSizeKb))
                .collect(
                        Collectors.groupingBy(names::line, LinkedHashMap::new, Collectors.toList()))
                .forEach((name, line) -> series.add(new Charts.Series(
                        "this run, " + name,
                        Charts.Style.MEASURED,
                        0,
                        line.stream().map(one -> point(one, column)).toList(),
                        IntStream.range(0, line.size())
                                .filter(place -> !line.get(place).validity().valid())
                                .boxed()
                                .collect(Collectors.toSet()))));
        return series;
    }

    private static List<Double> point(Scenario scenario, Column column) {
        Interval interval = scenario.spread().throughputCi95MsgsPerS();
        Double mean = scenario.spread().throughputGeometricMeanMsgsPerS();
        boolean isOfRate = column.equals(Figure.THROUGHPUT_MSGS_PER_S);
        return isOfRate && interval != null && mean != null
                ? List.of(scenario.messageSizeKb(), mean, interval.low(), interval.high())
                : List.of(scenario.messageSizeKb(), scenario.value(column));
    }

    private List<Charts.Series> published(Column column) {
        List<Charts.Series> series = new ArrayList<>();
        names.published().stream()
                .filter(one -> one.figures().get(column.key()) != null)
                .collect(Collectors.groupingBy(
                        HubStudy.Published::storage, LinkedHashMap::new, Collectors.toList()))
                .forEach((storage, line) -> series.add(Charts.Series.of(
                        storage + " (published)",
                        Charts.Style.PUBLISHED,
                        line.stream()
                                .map(one -> Arrays.asList(
                                        one.messageSizeKb(), one.figures().get(column.key())))
                                .toList())));
        return series;
    }

    /** The repeats of a scenario that has samples, one after the other. */
    private void timeline(int place) {
        List<Repeat> repeats = names.scenarios().get(place).row().counted();
        List<Charts.Series> series = new ArrayList<>();
        List<String> panels = new ArrayList<>();
        for (Panel panel : PANELS) {
            int before = series.size();
            for (String line : panel.lines) {
                List<List<@Nullable Double>> points = points(line + panel.end, repeats);
                if (points.stream().anyMatch(point -> point.get(1) != null)) {
                    series.add(new Charts.Series(
                            line.replace('_', ' '),
                            Charts.Style.MEASURED,
                            panels.size(),
                            points,
                            Set.of()));
                }
            }
            // What is not known in any second has no panel.
            if (series.size() > before) {
                panels.add(panel.title);
            }
        }
        add(
                "timeline-" + (place + 1),
                Charts.Kind.TIMELINE,
                names.picture(place),
                "Each second of the measured time; repeats stand one after the other.",
                "per second",
                panels,
                series);
    }

    private static List<List<@Nullable Double>> points(String key, List<Repeat> repeats) {
        List<List<@Nullable Double>> points = new ArrayList<>();
        double start = 0;
        for (Repeat repeat : repeats) {
            double end = start;
            for (Repeat sample : repeat.samples()) {
                Double seconds = sample.counters().get("elapsed_s");
                if (seconds != null) {
                    end = start + seconds;
                    points.add(Arrays.asList(end, sample.counters().get(key)));
                }
            }
            // An empty point parts the repeats.
            points.add(Arrays.asList(end, null));
            start = end;
        }
        return points;
    }
}
