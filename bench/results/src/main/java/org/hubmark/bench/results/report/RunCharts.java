package org.hubmark.bench.results.report;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.results.Results.AcceptLatency;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Plots of latency over percentiles, from the histograms where they are. */
final class RunCharts {
    private static final double NANOS_PER_MILLISECOND = 1e6;

    /** Points of a percentile curve for each halving of the distance to 100. */
    private static final int TICKS_PER_HALVING = 8;

    private RunCharts() {}

    /**
     * {@return one chart with a line for each scenario, and one beside it for the uncorrected latency;
     * none if nothing is known}
     *
     * @param names of the scenarios
     */
    static List<Charts.Chart> latency(List<Scenario> scenarios, List<String> names, RawFiles raw) {
        List<Charts.Series> series = new ArrayList<>();
        for (int i = 0; i < scenarios.size(); i++) {
            Scenario scenario = scenarios.get(i);
            String name = names.get(i);
            add(series, name, Charts.Style.MEASURED, scenario, raw);
            add(series, name + ", uncorrected", Charts.Style.UNCORRECTED, scenario, raw);
        }
        if (series.isEmpty()) {
            return List.of();
        }
        return List.of(new Charts.Chart(
                "latency",
                Charts.Kind.PERCENTILE,
                scenarios.stream().anyMatch(ScenarioTables::isClosedLoop)
                        ? ScenarioTables.CLOSED_LOOP + " by percentile"
                        : "Accept latency by percentile",
                "Time to the 250 from the intended start of a message; dashed from its actual send, which"
                        + " hides waiting. From the median to the slowest; both axes are"
                        + " logarithmic.",
                "ms",
                List.of(),
                List.of(),
                series));
    }

    private static void add(
            List<Charts.Series> series,
            String name,
            Charts.Style style,
            Scenario scenario,
            RawFiles raw) {
        boolean isCorrected = style == Charts.Style.MEASURED;
        List<List<Double>> points = curve(
                raw.latencies(scenario, isCorrected),
                isCorrected
                        ? scenario.figures().latencies().acceptLatencyMs()
                        : scenario.figures().latencies().acceptLatencyUncorrectedMs());
        if (!points.isEmpty()) {
            series.add(Charts.Series.of(name, style, points));
        }
    }

    private static List<List<Double>> stated(AcceptLatency stated) {
        List<List<Double>> points = new ArrayList<>();
        points.add(List.of(inverse(50), stated.p50()));
        add(95, stated.p95(), points);
        add(99, stated.p99(), points);
        add(99.9, stated.p999(), points);
        return points;
    }

    private static void add(double percent, @Nullable Double millis, List<List<Double>> points) {
        if (millis != null) {
            points.add(List.of(inverse(percent), millis));
        }
    }

    private static List<List<Double>> curve(
            @Nullable Histogram histogram, @Nullable AcceptLatency stated) {
        List<List<Double>> points = new ArrayList<>();
        if (histogram == null) {
            return stated == null ? List.of() : stated(stated);
        }
        histogram
                .percentiles(TICKS_PER_HALVING)
                .forEach(value -> points.add(List.of(
                        inverse(value.getPercentileLevelIteratedTo()),
                        value.getValueIteratedTo() / NANOS_PER_MILLISECOND)));
        // The last one is 100%, which a logarithmic axis never reaches.
        points.removeIf(point -> point.getFirst().isInfinite());
        return points;
    }

    /** 50% is 2, 90% is 10, 99% is 100: one in how many is slower. */
    private static double inverse(double percentile) {
        return 100 / (100 - percentile);
    }
}
