package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.users.result.RawLatencies;
import org.hubmark.bench.users.result.Task;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A plot for each level: the percentiles of each task's latency, of all its runs together. */
final class Percentiles {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double STEP = 1.5;

    private Percentiles() {}

    static List<Charts.Chart> of(JsonNode results, Path folder) throws IOException {
        List<Charts.Chart> charts = new ArrayList<>();
        for (JsonNode level : results.path("levels")) {
            int users = level.path("users").asInt();
            List<Charts.Series> all = new ArrayList<>();
            byTask(level, users, folder)
                    .forEach((task, nanos) ->
                            all.add(Charts.Series.of(task, Charts.Style.MEASURED, points(nanos))));
            if (!all.isEmpty()) {
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
        return charts;
    }

    private static Map<String, Histogram> byTask(JsonNode level, int users, Path folder)
            throws IOException {
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
        return byTask;
    }

    private static List<List<Double>> points(Histogram nanos) {
        List<List<Double>> points = new ArrayList<>();
        for (double inverse = 1; inverse <= nanos.getTotalCount(); inverse *= STEP) {
            points.add(List.of(
                    inverse, nanos.getValueAtPercentile(100 - 100 / inverse) / NANOS_PER_MILLI));
        }
        return points;
    }
}
