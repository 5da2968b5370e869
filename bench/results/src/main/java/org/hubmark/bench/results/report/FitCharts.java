package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.cost.CostFit;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
    static List<Charts.Chart> charts(JsonNode results) {
        Map<String, List<JsonNode>> byQuantity = new LinkedHashMap<>();
        for (JsonNode model : results.path("cost_models")) {
            byQuantity
                    .computeIfAbsent(model.path("quantity").asText(), quantity -> new ArrayList<>())
                    .add(model);
        }
        List<Charts.Chart> charts = new ArrayList<>();
        byQuantity.forEach((quantity, models) -> {
            List<Charts.Series> series = new ArrayList<>();
            for (JsonNode model : models) {
                List<CostFit.Point> points = CostLine.points(model, results);
                if (!points.isEmpty()) {
                    String name = CostLine.markedName(model, results);
                    series.add(Charts.Series.of(
                            name,
                            Charts.Style.POINTS,
                            points.stream()
                                    .map(point -> List.of(
                                            point.sizeKb(), withoutBackground(model, point)))
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
                                : "A point a repeat, and the fitted lines; their formulas stand in"
                                        + " the table of cost models.",
                        Figure.of(quantity).map(Figure::unit).orElse(quantity),
                        List.of(),
                        List.of(),
                        series));
            }
        });
        return charts;
    }

    private static double withoutBackground(JsonNode model, CostFit.Point point) {
        return point.cost() - model.path("background_per_s").asDouble() * point.secondsPerMsg();
    }

    /** {@return the models as a table} */
    static Sheet.Grid table(JsonNode results) {
        List<List<TableCell>> rows = new ArrayList<>();
        for (JsonNode model : results.path("cost_models")) {
            rows.add(List.of(
                    new TableCell(model.path("quantity").asText().replace('_', ' '), true),
                    new TableCell(CostLine.markedName(model, results), true),
                    new TableCell(formula(model), true),
                    TableCell.of(model.path("r_squared"), 4),
                    TableCell.of(model.path("residual_max_percent"), 1),
                    TableCell.of(model.path("left_out_max_percent"), 1),
                    TableCell.of(model.path("points"), 0),
                    fits(model)));
        }
        return new Sheet.Grid(
                List.of(
                        "Cost",
                        "Where",
                        "Model",
                        "R squared",
                        "Largest residual, %",
                        "Size left out, missed by %",
                        "Points",
                        "Fits"),
                rows);
    }

    private static TableCell fits(JsonNode model) {
        String misfit = model.path("misfit").asText("");
        return misfit.isEmpty()
                ? TableCell.of(model.path("fits"), null)
                : new TableCell("NO: " + misfit, true);
    }

    private static String formula(JsonNode model) {
        return term(model.path("a"), model.path("a_ci95")) + " + "
                + term(model.path("b_per_kb"), model.path("b_ci95_per_kb")) + " x KB"
                + (model.path("background_per_s").isNumber()
                        ? " + " + brief(model.path("background_per_s").asDouble()) + " / rate"
                        : "");
    }

    private static String term(JsonNode value, JsonNode interval) {
        String text = brief(value.asDouble());
        return interval.isObject()
                ? text + " [" + brief(interval.path("low").asDouble()) + " to "
                        + brief(interval.path("high").asDouble()) + "]"
                : text;
    }

    private static String brief(double value) {
        return new BigDecimal(value)
                .round(new MathContext(4))
                .stripTrailingZeros()
                .toPlainString();
    }

    private static List<List<Double>> line(JsonNode model, List<CostFit.Point> points) {
        double from = points.stream().mapToDouble(CostFit.Point::sizeKb).min().orElseThrow();
        double to = points.stream().mapToDouble(CostFit.Point::sizeKb).max().orElseThrow();
        CostFit fitted = CostFit.of(points);
        double a = model.path("a").asDouble();
        double b = model.path("b_per_kb").asDouble();
        List<List<Double>> line = new ArrayList<>();
        for (int i = 0; i <= STEPS; i++) {
            double size = from * Math.pow(to / from, (double) i / STEPS);
            double cost = a + b * size;
            double half = fitted == null ? 0 : fitted.margin(size);
            line.add(
                    fitted == null
                            ? List.of(size, cost)
                            : List.of(size, cost, cost - half, cost + half));
        }
        return line;
    }
}
