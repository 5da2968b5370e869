package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.cost.CostFit;
import org.hubmark.bench.mail.cost.CostModels;
import org.hubmark.bench.mail.document.CostModel;
import org.hubmark.bench.mail.document.Results;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Plots of the cost models: the points, the line through them and what is known of its place. */
final class FitCharts {
    /** Points of a drawn line: with logarithmic axes a straight one is bent. */
    private static final int STEPS = 24;

    private static final Map<String, String> TITLES = Map.of(
            "cpu_cost_mcycles_per_msg", "CPU cost model",
            "cpu_cost_process_mcycles_per_msg", "CPU cost model, server alone",
            "log_writes_per_msg", "Log write model",
            "queue_writes_per_msg", "Queue write model");

    private FitCharts() {}

    /** {@return a chart for each modelled quantity} */
    static List<Charts.Chart> charts(Results results) {
        Map<String, List<CostModel>> byQuantity = new LinkedHashMap<>();
        for (CostModel model : results.costModels()) {
            byQuantity
                    .computeIfAbsent(model.quantity(), quantity -> new ArrayList<>())
                    .add(model);
        }
        List<Charts.Chart> charts = new ArrayList<>();
        byQuantity.forEach((quantity, models) -> {
            List<Charts.Series> series = new ArrayList<>();
            for (CostModel model : models) {
                List<CostFit.Point> points = CostLine.points(model, results);
                if (!points.isEmpty()) {
                    String name = CostLine.markedName(model, results);
                    series.add(Charts.Series.of(
                            name,
                            Charts.Style.POINTS,
                            points.stream()
                                    .map(point -> List.of(point.sizeKb(), point.cost()))
                                    .toList()));
                    series.add(Charts.Series.of(name, Charts.Style.FITTED, line(model, points)));
                }
            }
            if (!series.isEmpty()) {
                charts.add(new Charts.Chart(
                        "fit-" + quantity.replace('_', '-'),
                        Charts.Kind.BY_SIZE,
                        TITLES.getOrDefault(quantity, quantity),
                        models.size() == 1
                                ? formula(models.getFirst())
                                : "A point a repeat, and the fitted lines; their formulas are in"
                                        + " the table of cost models.",
                        CostModels.quantity(quantity).unit(),
                        List.of(),
                        series));
            }
        });
        return charts;
    }

    /** {@return the models as a table} */
    static Block.Grid table(Results results) {
        List<List<String>> rows = new ArrayList<>();
        for (CostModel model : results.costModels()) {
            rows.add(List.of(
                    model.quantity().replace('_', ' '),
                    CostLine.markedName(model, results),
                    formula(model),
                    number(model.rSquared(), 4),
                    number(model.residualMaxPercent(), 1),
                    String.valueOf(model.points())));
        }
        return new Block.Grid(
                        "Cost of a message = a + b x KB, with 95 % intervals",
                        List.of(
                                "Cost",
                                "Where",
                                "Model",
                                "R squared",
                                "Largest residual, %",
                                "Points"),
                        rows)
                .with(Set.of(1, 2));
    }

    private static String number(@Nullable Double value, int decimals) {
        return value == null
                ? Cells.UNKNOWN
                : new BigDecimal(value).setScale(decimals, RoundingMode.HALF_UP).toPlainString();
    }

    private static String formula(CostModel model) {
        return term(model.a(), model.aCi95()) + " + " + term(model.bPerKb(), model.bCi95PerKb())
                + " x KB";
    }

    private static String term(double value, @Nullable Interval interval) {
        return interval == null
                ? brief(value)
                : brief(value) + " [" + brief(interval.low()) + " to " + brief(interval.high())
                        + "]";
    }

    private static String brief(double value) {
        return new BigDecimal(value)
                .round(new MathContext(4))
                .stripTrailingZeros()
                .toPlainString();
    }

    private static List<List<Double>> line(CostModel model, List<CostFit.Point> points) {
        double from = points.stream().mapToDouble(CostFit.Point::sizeKb).min().orElseThrow();
        double to = points.stream().mapToDouble(CostFit.Point::sizeKb).max().orElseThrow();
        CostFit fitted = CostFit.of(points);
        List<List<Double>> line = new ArrayList<>();
        for (int i = 0; i <= STEPS; i++) {
            double size = from * Math.pow(to / from, (double) i / STEPS);
            double cost = model.a() + model.bPerKb() * size;
            double half = fitted == null ? 0 : fitted.margin(size);
            line.add(
                    fitted == null
                            ? List.of(size, cost)
                            : List.of(size, cost, cost - half, cost + half));
        }
        return line;
    }
}
