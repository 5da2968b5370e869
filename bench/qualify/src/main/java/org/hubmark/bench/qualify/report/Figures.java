package org.hubmark.bench.qualify.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.qualify.result.Column;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.Measured;
import org.hubmark.bench.qualify.result.RawSamples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The plots: latency over time, percentiles, and a heat map of the instances over time, for each phase
 * with transactions; drawn by the code that draws those of the other reports.
 */
final class Figures {
    private static final double NANOS_PER_MILLI = 1e6;
    /** So many columns of a heat map can be told apart. */
    private static final int HEAT_COLUMNS_MAX = 24;

    private static final double PERCENTILE_STEP = 1.5;

    private Figures() {}

    static Charts of(JsonNode qualification, Path folder) throws IOException {
        List<Charts.Chart> charts = new ArrayList<>();
        for (JsonNode phase : qualification.path("phases")) {
            if (phase.path("loop").isTextual()) {
                String name = phase.path("phase").asText();
                Map<String, Measured> raw = new TreeMap<>(RawSamples.read(folder, name));
                if (!raw.isEmpty()) {
                    charts.add(timeline(name, raw));
                    charts.add(percentiles(name, raw));
                    charts.add(heat(name, raw));
                }
                JsonNode profile = phase.path("cache_profile");
                if (profile.isObject()) {
                    charts.add(CacheProfileSection.chart(name, profile, MissingNode.getInstance()));
                }
            }
        }
        JsonNode blocks = qualification.at("/cache/blocks");
        JsonNode first = qualification.at("/cache/blocks/0/performance/cache_profile");
        if (!qualification.at("/cache/sizes").isEmpty() && first.isObject()) {
            charts.add(CacheProfileSection.chart("first round", first, blocks));
        }
        return new Charts(charts);
    }

    private static Charts.Chart timeline(String phase, Map<String, Measured> raw) {
        List<Charts.Series> series = new ArrayList<>();
        raw.forEach((instance, measured) -> {
            series.add(line(instance, 0, measured, IoCounter.DB_READ_NS, IoCounter.DB_READS));
            series.add(line(instance, 1, measured, IoCounter.LOG_WRITE_NS, IoCounter.LOG_WRITES));
        });
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

    private static Charts.Series line(
            String instance, int panel, Measured measured, IoCounter nanos, IoCounter count) {
        List<List<Double>> points = new ArrayList<>();
        for (Measured.Sample sample : measured.samples()) {
            double operations = sample.counts().get(count);
            if (operations > 0) {
                points.add(List.of(
                        sample.atSeconds(),
                        sample.counts().get(nanos) / NANOS_PER_MILLI / operations));
            }
        }
        return new Charts.Series(instance, Charts.Style.MEASURED, panel, points);
    }

    private static Charts.Chart percentiles(String phase, Map<String, Measured> raw) {
        List<Charts.Series> series = new ArrayList<>();
        for (Column.Timed timed : Column.Timed.values()) {
            Histogram all = new Histogram(3);
            raw.values().forEach(measured -> {
                Histogram its = measured.nanos().get(timed);
                if (its != null) {
                    all.add(its);
                }
            });
            List<List<Double>> points = new ArrayList<>();
            for (double inverse = 1; inverse <= all.getTotalCount(); inverse *= PERCENTILE_STEP) {
                points.add(List.of(
                        inverse, all.getValueAtPercentile(100 - 100 / inverse) / NANOS_PER_MILLI));
            }
            series.add(new Charts.Series(
                    timed.name().toLowerCase(Locale.ROOT).replace('_', ' ') + "s",
                    Charts.Style.MEASURED,
                    0,
                    points));
        }
        return new Charts.Chart(
                phase + "-percentiles",
                Charts.Kind.PERCENTILE,
                phase + ": percentiles of latency",
                "Of all instances together.",
                "ms",
                List.of(),
                List.of(),
                series);
    }

    private static Charts.Chart heat(String phase, Map<String, Measured> raw) {
        List<String> instances = List.copyOf(raw.keySet());
        int samples = raw.values().iterator().next().samples().size();
        int columns = Math.max(1, Math.min(HEAT_COLUMNS_MAX, samples));
        List<String> categories = new ArrayList<>();
        List<List<Double>> cells = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            int from = column * samples / columns;
            int to = (column + 1) * samples / columns;
            for (int row = 0; row < instances.size(); row++) {
                Measured measured = raw.get(instances.get(row));
                double nanos = 0;
                double reads = 0;
                for (int i = from;
                        measured != null && i < Math.min(to, measured.samples().size());
                        i++) {
                    nanos += measured.samples().get(i).counts().get(IoCounter.DB_READ_NS);
                    reads += measured.samples().get(i).counts().get(IoCounter.DB_READS);
                }
                if (reads > 0) {
                    cells.add(List.of(
                            (double) column, (double) row, nanos / NANOS_PER_MILLI / reads, 0.0));
                }
            }
            Measured first = raw.get(instances.getFirst());
            categories.add(
                    first == null || to == 0
                            ? ""
                            : Math.round(first.samples().get(to - 1).atSeconds()) + " s");
        }
        return new Charts.Chart(
                phase + "-heat",
                Charts.Kind.HEAT,
                phase + ": average latency of database reads",
                "A row for each instance, time along.",
                "ms",
                categories,
                instances,
                List.of(new Charts.Series("reads", Charts.Style.MEASURED, 0, cells)));
    }
}
