package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Setup;
import org.hubmark.bench.results.cost.CostFit;

import java.util.ArrayList;
import java.util.List;

/** The scenarios that a cost model is fitted to, and the check that the model follows from them. */
final class CostLine {
    private static final String FIXED = "fixed";

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

    /** {@return the valid repeats of the scenarios that a model is of} */
    static List<CostFit.Point> points(JsonNode model, JsonNode results) {
        List<CostFit.Point> points = new ArrayList<>();
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
                    points.add(new CostFit.Point(
                            scenario.path("message_size_kb").asDouble(),
                            secondsPerMsg(model, scenario),
                            cost.asDouble()));
                }
            }
        }
        return points;
    }

    /** At full load there is no background to bear, and none where the model knows of none. */
    private static double secondsPerMsg(JsonNode model, JsonNode scenario) {
        double rate = scenario.path("throughput_msgs_per_s").asDouble();
        boolean asked = model.path("fits").isBoolean();
        return asked && rateKind(scenario).equals(FIXED) && rate > 0 ? 1 / rate : 0;
    }

    /** {@return what tells a model from the others} */
    private static String name(JsonNode model, JsonNode results) {
        List<Setup> all = new ArrayList<>();
        results.path("cost_models").forEach(one -> all.add(Setup.of(one.path("where"))));
        List<String> words = Setup.of(model.path("where")).words(Setup.varied(all));
        return words.isEmpty() ? "all" : String.join(", ", words);
    }

    /** {@return the name for people; never empty, and marked if a scenario of it is unsafe} */
    static String markedName(JsonNode model, JsonNode results) {
        String name = name(model, results);
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
            List<CostFit.Point> points = points(model, results);
            String where = "cost model of " + model.path("quantity").asText() + " ("
                    + name(model, results) + ")";
            String source = "least squares over the valid repeats";
            comparison.compare(
                    "", where, "points", model.path("points").asDouble(), points.size(), source);
            CostFit fit = CostFit.of(points);
            if (fit != null) {
                comparison.compare("", where, "a", model.path("a").asDouble(), fit.a(), source);
                comparison.compare(
                        "", where, "b_per_kb", model.path("b_per_kb").asDouble(), fit.b(), source);
            }
        }
    }

    private static boolean isOf(JsonNode model, JsonNode scenario) {
        return Setup.of(model.path("where"))
                .equals(Setup.of(scenario).with(Condition.ASKED_RATE, null));
    }

    private static String rateKind(JsonNode scenario) {
        String rate = scenario.path("asked_rate").asText("");
        return rate.startsWith("max") ? rate : FIXED;
    }
}
