package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.apache.commons.statistics.distribution.TDistribution;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The scenarios that a cost model is fitted to, and the line through them. */
final class CostLine {
    private static final List<String> WHERE = List.of(
            "layout",
            "durability",
            "flush",
            "checkpoint_depth_mb",
            "connections",
            "device_profile");

    private CostLine() {}

    /** Takes a figure of a model and the same made anew. */
    @FunctionalInterface
    interface Comparison {
        void compare(
                String scenario,
                String where,
                String field,
                double stated,
                double value,
                String source);
    }

    /**
     * One measurement that a line is fitted to.
     *
     * @param sizeKb KB of 1000
     * @param cost of a message
     */
    record Point(double sizeKb, double cost) {}

    /**
     * A line by least squares of the residuals relative to the mean cost of the size; plain if one of
     * these is not above 0.
     *
     * @param a cost of a message without content
     * @param b cost of each KB
     * @param meanX weighted mean of the sizes
     * @param weights sum of the weights
     * @param xx weighted sum of the squares of the sizes less their mean
     * @param variance of a residual of weight 1
     * @param freedom degrees of it
     */
    record Line(
            double a,
            double b,
            double meanX,
            double weights,
            double xx,
            double variance,
            int freedom) {
        private static final double TWO_SIDED_95 = 0.975;

        /** {@return the line through points of at least two sizes} */
        static Line through(List<Point> points) {
            Map<Double, Double> means = points.stream()
                    .collect(Collectors.groupingBy(
                            Point::sizeKb, Collectors.averagingDouble(Point::cost)));
            boolean relative = means.values().stream().allMatch(mean -> mean > 0);
            double[] weights = points.stream()
                    .mapToDouble(point ->
                            relative ? Math.pow(means.getOrDefault(point.sizeKb(), 1.0), -2) : 1)
                    .toArray();
            double sum = 0;
            double x = 0;
            double y = 0;
            for (int i = 0; i < weights.length; i++) {
                sum += weights[i];
                x += weights[i] * points.get(i).sizeKb();
                y += weights[i] * points.get(i).cost();
            }
            double xx = 0;
            double xy = 0;
            for (int i = 0; i < weights.length; i++) {
                double dx = points.get(i).sizeKb() - x / sum;
                xx += weights[i] * dx * dx;
                xy += weights[i] * dx * (points.get(i).cost() - y / sum);
            }
            double b = xy / xx;
            double a = y / sum - b * x / sum;
            double squares = 0;
            for (int i = 0; i < weights.length; i++) {
                double residual = points.get(i).cost() - a - b * points.get(i).sizeKb();
                squares += weights[i] * residual * residual;
            }
            int freedom = points.size() - 2;
            return new Line(a, b, x / sum, sum, xx, freedom > 0 ? squares / freedom : 0, freedom);
        }

        /** {@return half the width of the 95 % interval of the line at a size} */
        double margin(double sizeKb) {
            if (freedom < 1) {
                return 0;
            }
            double dx = sizeKb - meanX;
            return TDistribution.of(freedom).inverseCumulativeProbability(TWO_SIDED_95)
                    * Math.sqrt(variance * (1 / weights + dx * dx / xx));
        }
    }

    /** {@return the valid repeats of the scenarios that a model is of} */
    static List<Point> points(JsonNode model, JsonNode results) {
        List<Point> points = new ArrayList<>();
        String quantity = model.path("quantity").asText();
        String rate = null;
        for (JsonNode scenario : results.path("scenarios")) {
            // A cost at a fixed rate is not one at full load: the first of a kind decides.
            if (!isOf(model, scenario) || (rate != null && !rate.equals(rateKind(scenario)))) {
                continue;
            }
            rate = rateKind(scenario);
            for (JsonNode repeat : scenario.path("repeats")) {
                JsonNode cost = repeat.path(quantity);
                if (repeat.path("valid").asBoolean() && cost.isNumber()) {
                    points.add(new Point(
                            scenario.path("message_size_kb").asDouble(), cost.asDouble()));
                }
            }
        }
        return points;
    }

    /** {@return what tells a model from the others} */
    static String name(JsonNode model) {
        List<String> words = new ArrayList<>();
        for (String field : WHERE) {
            Dimensions.word(field, model.path("where").path(field)).ifPresent(words::add);
        }
        return String.join(", ", words);
    }

    /** {@return the name for people; never empty, and marked if a scenario of it is unsafe} */
    static String markedName(JsonNode model, JsonNode results) {
        String name = name(model).isEmpty() ? "all" : name(model);
        for (JsonNode scenario : results.path("scenarios")) {
            if (isOf(model, scenario) && Dimensions.isUnsafe(scenario)) {
                return name + " (" + Dimensions.UNSAFE + ")";
            }
        }
        return name;
    }

    /** Fits every model anew. */
    static void check(JsonNode results, Comparison comparison) {
        for (JsonNode model : results.path("cost_models")) {
            List<Point> points = points(model, results);
            String where =
                    "cost model of " + model.path("quantity").asText() + " (" + name(model) + ")";
            String source = "least squares over the valid repeats";
            comparison.compare(
                    "", where, "points", model.path("points").asDouble(), points.size(), source);
            if (points.stream().map(Point::sizeKb).distinct().count() >= 2) {
                Line line = Line.through(points);
                comparison.compare("", where, "a", model.path("a").asDouble(), line.a(), source);
                comparison.compare(
                        "", where, "b_per_kb", model.path("b_per_kb").asDouble(), line.b(), source);
            }
        }
    }

    private static boolean isOf(JsonNode model, JsonNode scenario) {
        return WHERE.stream()
                .allMatch(field ->
                        text(model.path("where").path(field)).equals(text(scenario.path(field))));
    }

    private static String text(JsonNode value) {
        return value.isNumber() ? String.valueOf(value.asDouble()) : value.asText("");
    }

    private static String rateKind(JsonNode scenario) {
        String rate = scenario.path("asked_rate").asText("");
        return rate.startsWith("max") ? rate : "fixed";
    }
}
