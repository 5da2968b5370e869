package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.results.report.Charts;
import org.hubmark.bench.users.result.RawLatencies;
import org.hubmark.bench.users.result.Task;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The plots of the source (its figures 2 to 9) over users, and percentiles of each level. */
final class Figures {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double PERCENTILE_STEP = 1.5;
    /** The least that the source tried; far fewer would be lost in one plot with its point. */
    private static final double PUBLISHED_USERS_MIN = 500;

    private final JsonNode results;
    private final List<Charts.Chart> charts = new ArrayList<>();

    private Figures(JsonNode results) {
        this.results = results;
    }

    static Charts of(JsonNode results, Path folder) throws IOException {
        Figures figures = new Figures(results);
        figures.score();
        figures.sending();
        figures.tasks();
        figures.byUsers(
                "cpu",
                "CPU over users",
                "Of all cores.",
                "percent",
                Map.of(
                        "server's machine", "/resources/cpu_percent",
                        "server", "/resources/server_cpu_percent",
                        "driver", "/resources/driver_cpu_percent"));
        figures.byDevice("queue", "Disk queue length over users", "requests", "queue_length", "");
        figures.disks();
        figures.byUsers(
                "memory",
                "Available memory over users",
                "Of the server's machine.",
                "MB",
                Map.of("available", "/resources/available_memory_mb"));
        figures.byUsers(
                "paging",
                "Paging over users",
                "Pages read and written for lack of memory.",
                "pages/s",
                Map.of("pages", "/resources/pages_per_s"));
        figures.percentiles(folder);
        return new Charts(figures.charts);
    }

    private void score() {
        List<List<Double>> points = new ArrayList<>();
        for (JsonNode level : results.path("levels")) {
            if (level.path("score_ms").isNumber()) {
                List<Double> point = new ArrayList<>(List.of(
                        level.path("users").asDouble(), level.path("score_ms").asDouble()));
                JsonNode interval = level.path("score_ci95_ms");
                if (interval.isObject()) {
                    point.add(interval.path("low").asDouble());
                    point.add(interval.path("high").asDouble());
                }
                points.add(point);
            }
        }
        if (points.isEmpty()) {
            return;
        }
        List<Charts.Series> all = new ArrayList<>();
        all.add(series("score", Charts.Style.MEASURED, points));
        all.add(limit(results.at("/limits/score_ms")));
        if (points.getLast().getFirst() >= PUBLISHED_USERS_MIN) {
            all.add(series(
                    "configuration B, 1997 (published)",
                    Charts.Style.PUBLISHED,
                    List.of(Published.scorePoint())));
        }
        add(
                "score",
                "Score over users",
                "The weighted mean of the tasks' 95th percentiles, with its interval where there are"
                        + " several runs, and the limit. Beside, where as many users were tried, the one"
                        + " score that is left of the source.",
                "ms",
                all);
    }

    private void sending() {
        List<List<Double>> mean = points("/send_latency_ms/mean");
        List<List<Double>> p95 = points("/send_latency_ms/p95");
        if (!p95.isEmpty()) {
            add(
                    "sending",
                    "Sending over users",
                    "All tasks that send, together.",
                    "ms",
                    List.of(
                            series("95th percentile", Charts.Style.MEASURED, p95),
                            series("mean", Charts.Style.MEASURED, mean),
                            limit(results.at("/limits/send_ms"))));
        }
    }

    private void tasks() {
        List<Charts.Series> all = new ArrayList<>();
        for (Task task : Task.values()) {
            List<List<Double>> points = new ArrayList<>();
            for (JsonNode level : results.path("levels")) {
                for (JsonNode its : level.path("tasks")) {
                    if (its.path("task").asText().equals(task.name())
                            && its.path("p95_ms").isNumber()) {
                        points.add(List.of(
                                level.path("users").asDouble(),
                                its.path("p95_ms").asDouble()));
                    }
                }
            }
            if (!points.isEmpty()) {
                all.add(series(task.name(), Charts.Style.MEASURED, points));
            }
        }
        if (!all.isEmpty()) {
            add(
                    "tasks",
                    "95th percentile of each task over users",
                    "A line for each task.",
                    "ms",
                    all);
        }
    }

    private void disks() {
        byDevice("reads", "Disk reads over users", "reads/s", "reads_per_s", " reads");
        byDevice("writes", "Disk writes over users", "writes/s", "writes_per_s", " writes");
    }

    private void byUsers(
            String id, String title, String text, String unit, Map<String, String> pointers) {
        List<Charts.Series> all = new ArrayList<>();
        pointers.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(one -> {
            List<List<Double>> points = points(one.getValue());
            if (!points.isEmpty()) {
                all.add(series(one.getKey(), Charts.Style.MEASURED, points));
            }
        });
        if (!all.isEmpty()) {
            add(id, title, text, unit, all);
        }
    }

    private void byDevice(String id, String title, String unit, String key, String what) {
        Map<String, List<List<Double>>> byDevice = new LinkedHashMap<>();
        for (JsonNode level : results.path("levels")) {
            for (JsonNode disk : level.at("/resources/disks")) {
                if (disk.path(key).isNumber()) {
                    byDevice.computeIfAbsent(
                                    disk.path("device").asText(), unused -> new ArrayList<>())
                            .add(List.of(
                                    level.path("users").asDouble(),
                                    disk.path(key).asDouble()));
                }
            }
        }
        if (!byDevice.isEmpty()) {
            List<Charts.Series> all = new ArrayList<>();
            byDevice.forEach((device, points) ->
                    all.add(series(device + what, Charts.Style.MEASURED, points)));
            add(id, title, "A line for each device.", unit, all);
        }
    }

    private void percentiles(Path folder) throws IOException {
        for (JsonNode level : results.path("levels")) {
            int users = level.path("users").asInt();
            Map<String, Histogram> byTask = new LinkedHashMap<>();
            for (JsonNode run : level.path("repeats")) {
                Map<String, Histogram> raw =
                        RawLatencies.read(folder, users, run.path("run").asInt());
                for (Task task : Task.values()) {
                    Histogram its = raw.get(task.name());
                    if (its != null && its.getTotalCount() > 0) {
                        byTask.computeIfAbsent(task.name(), unused -> new Histogram(3))
                                .add(its);
                    }
                }
            }
            if (!byTask.isEmpty()) {
                List<Charts.Series> all = new ArrayList<>();
                byTask.forEach((task, nanos) ->
                        all.add(series(task, Charts.Style.MEASURED, percentiles(nanos))));
                charts.add(new Charts.Chart(
                        "percentiles-" + users,
                        Charts.Kind.PERCENTILE,
                        Numbers.whole(users) + " users: percentiles of latency",
                        "All runs together.",
                        "ms",
                        List.of(),
                        List.of(),
                        all));
            }
        }
    }

    private static List<List<Double>> percentiles(Histogram nanos) {
        List<List<Double>> points = new ArrayList<>();
        for (double inverse = 1; inverse <= nanos.getTotalCount(); inverse *= PERCENTILE_STEP) {
            points.add(List.of(
                    inverse, nanos.getValueAtPercentile(100 - 100 / inverse) / NANOS_PER_MILLI));
        }
        return points;
    }

    private List<List<Double>> points(String pointer) {
        List<List<Double>> points = new ArrayList<>();
        for (JsonNode level : results.path("levels")) {
            JsonNode value = level.at(pointer);
            if (value.isNumber()) {
                points.add(List.of(level.path("users").asDouble(), value.asDouble()));
            }
        }
        return points;
    }

    /** A line across all levels. */
    private Charts.Series limit(JsonNode millis) {
        List<List<Double>> points = new ArrayList<>();
        for (JsonNode level : results.path("levels")) {
            points.add(List.of(level.path("users").asDouble(), millis.asDouble()));
        }
        return series("limit", Charts.Style.PUBLISHED, points);
    }

    private static Charts.Series series(
            String name, Charts.Style style, List<List<Double>> points) {
        return new Charts.Series(name, style, 0, points);
    }

    private void add(
            String id, String title, String text, String unit, List<Charts.Series> series) {
        charts.add(new Charts.Chart(
                id, Charts.Kind.BY_USERS, title, text, unit, List.of(), List.of(), series));
    }
}
