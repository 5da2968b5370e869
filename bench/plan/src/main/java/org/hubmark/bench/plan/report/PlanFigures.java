package org.hubmark.bench.plan.report;

import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.plan.Plan;
import org.hubmark.bench.plan.Values;
import org.hubmark.bench.plan.formula.Curve;

import java.util.ArrayList;
import java.util.List;

/** The plots: what was measured with the limits, and drives over users. */
final class PlanFigures {
    private final Plan plan;
    private final List<Charts.Chart> charts = new ArrayList<>();

    private PlanFigures(Plan plan) {
        this.plan = plan;
    }

    static Charts of(List<Plan> plans) {
        List<Charts.Chart> all = new ArrayList<>();
        for (Plan plan : plans) {
            PlanFigures figures = new PlanFigures(plan);
            figures.curve(
                    "io_curve",
                    Charts.Kind.BY_IO,
                    "Read latency over I/O a second",
                    "What was measured, with the limit. Between points a straight line is taken, and"
                            + " nothing beyond the last.",
                    "ms",
                    "read_latency_limit_ms");
            figures.curve(
                    "hub_curve",
                    Charts.Kind.BY_MESSAGES,
                    "Accept latency over messages a second",
                    "The 99th percentile at each rate that was measured.",
                    "ms",
                    "accept_latency_limit_ms");
            figures.misses();
            figures.predictedMisses();
            figures.drives();
            all.addAll(figures.charts);
        }
        return new Charts(all);
    }

    private void curve(
            String name,
            Charts.Kind kind,
            String title,
            String text,
            String unit,
            String limitName) {
        Values.GivenCurve given = plan.values().curves().get(name);
        if (given == null) {
            return;
        }
        List<List<Double>> points = new ArrayList<>();
        given.curve().points().forEach(point -> points.add(List.of(point.x(), point.y())));
        draw(name, kind, title, text, unit, points, plan.values().number(limitName));
    }

    private void draw(
            String name,
            Charts.Kind kind,
            String title,
            String text,
            String unit,
            List<List<Double>> points,
            double limit) {
        if (points.isEmpty()) {
            return;
        }
        List<Charts.Series> series = new ArrayList<>();
        series.add(new Charts.Series("measured", Charts.Style.MEASURED, 0, points));
        if (!Double.isNaN(limit)) {
            series.add(new Charts.Series(
                    "limit",
                    Charts.Style.PUBLISHED,
                    0,
                    List.of(
                            List.of(points.getFirst().getFirst(), limit),
                            List.of(points.getLast().getFirst(), limit))));
        }
        add(name, kind, title, text, unit, series);
    }

    /** What is left of the reads; the axis is one of ratios, on which no cache has no place. */
    private void misses() {
        Values.GivenCurve given = plan.values().curves().get("hit_curve");
        if (given == null) {
            return;
        }
        List<List<Double>> points = new ArrayList<>();
        given.curve().points().stream()
                .filter(point -> point.x() > 0)
                .forEach(point -> points.add(List.of(point.x(), 1 - point.y())));
        draw(
                "hit_curve",
                Charts.Kind.BY_CACHE,
                "Miss ratio over the size of the cache",
                "Reads a transaction beside those without a cache.",
                "share",
                points,
                1 - plan.values().number("hit_ratio_floor"));
    }

    private void predictedMisses() {
        Values.GivenCurve given = plan.values().curves().get("profile_curve");
        Values.GivenCurve low = plan.values().curves().get("profile_low_curve");
        Values.GivenCurve high = plan.values().curves().get("profile_high_curve");
        if (given == null || low == null || high == null) {
            return;
        }
        List<List<Double>> points = new ArrayList<>();
        for (Curve.Point point : given.curve().points()) {
            points.add(List.of(
                    point.x(),
                    1 - point.y(),
                    1 - high.curve().at(point.x()),
                    1 - low.curve().at(point.x())));
        }
        List<Charts.Series> series = new ArrayList<>();
        for (String cache : List.of("cache_mb", "cache_mb_wanted")) {
            double size = plan.values().number(cache);
            double hits = given.curve().at(size);
            if (!Double.isNaN(hits)) {
                series.add(Charts.Series.of(
                        plan.model().label(cache),
                        Charts.Style.POINTS,
                        List.of(List.of(size, 1 - hits))));
            }
        }
        series.add(Charts.Series.of("predicted", Charts.Style.FITTED, points));
        add(
                "profile_curve",
                Charts.Kind.BY_CACHE,
                "Predicted miss ratio over the size of the cache",
                "Of reads of data, by the cache profile of a qualification, with its error band.",
                "share",
                series);
    }

    private void drives() {
        List<Charts.Series> series = new ArrayList<>();
        for (String step : List.of("drives_for_io", "drives_for_capacity")) {
            List<List<Double>> points = WhatIfTable.points(plan, step);
            if (!points.isEmpty()) {
                series.add(new Charts.Series(
                        plan.model().label(step), Charts.Style.MEASURED, 0, points));
            }
        }
        double drives = plan.values().number("drives");
        if (series.isEmpty()) {
            return;
        }
        if (!Double.isNaN(drives)) {
            double users = plan.values().number("users");
            series.add(new Charts.Series(
                    "drives that are there",
                    Charts.Style.PUBLISHED,
                    0,
                    List.of(
                            List.of(users * WhatIfTable.FACTORS.getFirst(), drives),
                            List.of(users * WhatIfTable.FACTORS.getLast(), drives))));
        }
        add(
                "drives",
                Charts.Kind.BY_USERS,
                "Drives over users",
                "The larger of the lines is what it takes.",
                "drives",
                series);
    }

    private void add(
            String id,
            Charts.Kind kind,
            String title,
            String text,
            String unit,
            List<Charts.Series> series) {
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
