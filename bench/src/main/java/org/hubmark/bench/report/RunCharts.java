package org.hubmark.bench.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plots of how a run went: its rate over time, its latency over percentiles. */
final class RunCharts {
    private static final double NANOS_PER_MILLISECOND = 1e6;

    /** Points of a percentile curve for each halving of the distance to 100. */
    private static final int TICKS_PER_HALVING = 8;

    private RunCharts() {}

    /** {@return the rate over time; none if there are no samples} */
    static List<Charts.Chart> throughput(Path samples) {
        if (!Files.isRegularFile(samples)) {
            return List.of();
        }
        // One line a repeat; the repeats of a scenario share its name.
        Map<List<String>, List<List<Double>>> lines = new LinkedHashMap<>();
        for (Map<String, String> row : rows(samples)) {
            String rate = row.getOrDefault("accepted_msgs_per_s", "");
            String time = row.getOrDefault("elapsed_s", "");
            if (!rate.isEmpty() && !time.isEmpty()) {
                List<String> repeat =
                        List.of(row.getOrDefault("scenario", ""), row.getOrDefault("repeat", ""));
                lines.computeIfAbsent(repeat, key -> new ArrayList<>())
                        .add(List.of(Double.valueOf(time), Double.valueOf(rate)));
            }
        }
        if (lines.isEmpty()) {
            return List.of();
        }
        List<Charts.Series> series = new ArrayList<>();
        lines.forEach(
                (key, points) -> series.add(new Charts.Series(key.getFirst(), false, points)));
        return List.of(new Charts.Chart(
                "throughput",
                Charts.Kind.TIME,
                "Throughput over time",
                "Messages accepted in each second; one line a repeat.",
                "messages/s",
                List.of(),
                series));
    }

    /** {@return latency over percentiles, from the histograms where they are} */
    static List<Charts.Chart> latency(List<JsonNode> scenarios, Path directory) {
        List<Charts.Series> series = new ArrayList<>();
        for (JsonNode scenario : scenarios) {
            String id = scenario.path("id").asText();
            Path log = directory.resolve(id + ".hlog");
            List<List<Double>> points = Files.isRegularFile(log)
                    ? curve(log)
                    : curve(scenario.path("accept_latency_ms"));
            if (!points.isEmpty()) {
                series.add(new Charts.Series(id, false, points));
            }
        }
        if (series.isEmpty()) {
            return List.of();
        }
        return List.of(new Charts.Chart(
                "latency",
                Charts.Kind.PERCENTILE,
                "Accept latency by percentile",
                "Time from the intended start of a message to its 250, from the median to the"
                        + " slowest; both axes are logarithmic.",
                "ms",
                List.of(),
                series));
    }

    /** The file is ours: no quoted fields. */
    private static List<Map<String, String>> rows(Path csv) {
        try {
            List<String> lines = Files.readAllLines(csv);
            List<Map<String, String>> rows = new ArrayList<>();
            if (lines.isEmpty()) {
                return rows;
            }
            String[] names = lines.getFirst().split(",", -1);
            for (String line : lines.subList(1, lines.size())) {
                String[] values = line.split(",", -1);
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < Math.min(names.length, values.length); i++) {
                    row.put(names[i].strip(), values[i].strip());
                }
                rows.add(row);
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All intervals of the log together: percentiles are never averaged. */
    private static List<List<Double>> curve(Path log) {
        Histogram all = new Histogram(3);
        try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
            while (reader.hasNext()) {
                EncodableHistogram interval = reader.nextIntervalHistogram();
                if (interval instanceof Histogram histogram && isCorrected(interval.getTag())) {
                    all.add(histogram);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<List<Double>> points = new ArrayList<>();
        if (all.getTotalCount() == 0) {
            return points;
        }
        all.percentiles(TICKS_PER_HALVING)
                .forEach(value -> points.add(List.of(
                        inverse(value.getPercentileLevelIteratedTo()),
                        value.getValueIteratedTo() / NANOS_PER_MILLISECOND)));
        // The last one is 100%, which a logarithmic axis never reaches.
        points.removeIf(point -> point.getFirst().isInfinite());
        return points;
    }

    /** Latency that does not count from the intended start may stand beside; it is not ours. */
    private static boolean isCorrected(@Nullable String tag) {
        return tag == null || !tag.startsWith("uncorrected");
    }

    /** Without a histogram, the percentiles that the results state. */
    private static List<List<Double>> curve(JsonNode latency) {
        List<List<Double>> points = new ArrayList<>();
        add(points, latency.path("p50"), 50);
        add(points, latency.path("p95"), 95);
        add(points, latency.path("p99"), 99);
        add(points, latency.path("p99_9"), 99.9);
        return points;
    }

    private static void add(List<List<Double>> points, JsonNode value, double percentile) {
        if (value.isNumber()) {
            points.add(List.of(inverse(percentile), value.asDouble()));
        }
    }

    /** 50% is 2, 90% is 10, 99% is 100: one in how many is slower. */
    private static double inverse(double percentile) {
        return 100 / (100 - percentile);
    }
}
