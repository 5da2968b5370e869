package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula.CurveInput;
import org.hubmark.bench.kit.document.Formula.Input;
import org.hubmark.bench.kit.page.Charts;

import java.util.ArrayList;
import java.util.List;

/** The plots: what was measured with the limits, and drives over users. */
final class PlanCharts {
    private final Plan plan;
    private final List<Charts.Chart> charts = new ArrayList<>();

    private PlanCharts(Plan plan) {
        this.plan = plan;
    }

    static Charts of(List<Plan> plans) {
        List<Charts.Chart> all = new ArrayList<>();
        for (Plan plan : plans) {
            PlanCharts figures = new PlanCharts(plan);
            figures.curve(
                    PlanInputs.IO_CURVE,
                    Charts.Kind.BY_IO,
                    "Read latency over I/O a second",
                    "Measured latency, with the limit. Between two points the curve is a straight"
                            + " line; beyond the last it is unknown.",
                    PlanInputs.READ_LATENCY_LIMIT_MS);
            figures.misses(
                    PlanInputs.HIT_CURVE,
                    "Miss ratio over the size of the cache",
                    "Reads a transaction, compared with those without a cache.");
            figures.misses(
                    PlanInputs.PROFILE_CURVE,
                    "Predicted miss ratio over the size of the cache",
                    "Miss ratio of reads of pages, by the cache profile of a qualification.");
            all.addAll(figures.charts);
        }
        return new Charts(all);
    }

    private void curve(CurveInput curve, Charts.Kind kind, String title, String text, Input limit) {
        List<List<Double>> points = plan.curve(curve).pairs();
        draw(curve.key(), kind, title, text, "ms", measured(points, plan.value(limit)));
    }

    private static List<Charts.Series> measured(List<List<Double>> points, double limit) {
        if (points.isEmpty()) {
            return List.of();
        }
        List<Charts.Series> series = new ArrayList<>();
        series.add(Charts.Series.of("measured", Charts.Style.MEASURED, points));
        level("limit", points.getFirst().getFirst(), points.getLast().getFirst(), limit, series);
        return series;
    }

    private static void level(
            String name, double from, double to, double height, List<Charts.Series> series) {
        if (!Double.isNaN(height)) {
            series.add(Charts.Series.of(
                    name,
                    Charts.Style.PUBLISHED,
                    List.of(List.of(from, height), List.of(to, height))));
        }
    }

    /** What is left of the reads; the axis is one of ratios, on which no cache has no place. */
    private void misses(CurveInput curve, String title, String text) {
        List<List<Double>> points = plan.curve(curve).points().stream()
                .filter(point -> point.x() > 0)
                .map(point -> List.of(point.x(), 1 - point.y()))
                .toList();
        draw(
                curve.key(),
                Charts.Kind.BY_CACHE,
                title,
                text,
                "share",
                measured(points, 1 - plan.value(PlanInputs.HIT_RATIO_FLOOR)));
    }

    private void draw(
            String id,
            Charts.Kind kind,
            String title,
            String text,
            String unit,
            List<Charts.Series> series) {
        if (!series.isEmpty()) {
            charts.add(new Charts.Chart(
                    plan.name() + "-" + id,
                    kind,
                    plan.name().equals("plan") ? title : plan.name() + ": " + title,
                    text,
                    unit,
                    List.of(),
                    List.of(),
                    series));
        }
    }
}
