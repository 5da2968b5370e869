package org.hubmark.bench.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * Results of schema 2, read as those of schema 3; docs/measurement.md says what changed. What the
 * repeats show is made anew from them, and a server of which nobody had asked is no longer called
 * safe.
 */
final class SecondSchema {
    private SecondSchema() {}

    /** Changes the tree in place. */
    static void upgrade(ObjectNode results) {
        results.put("schema", Results.SCHEMA);
        for (JsonNode scenario : results.path("scenarios")) {
            if (scenario instanceof ObjectNode one) {
                safety(one);
                if (!one.path("repeats").isEmpty()) {
                    spread(one);
                }
            }
        }
        for (JsonNode model : results.path("cost_models")) {
            if (model.path("where") instanceof ObjectNode where) {
                // All cells of a matrix stored what they took.
                where.put("intake", "store");
            }
        }
    }

    private static void safety(ObjectNode scenario) {
        boolean asked = scenario.path("durability").isTextual()
                && !scenario.path("intake").asText().equals("discard");
        if (!asked && !scenario.path("unsafe").asBoolean()) {
            scenario.putNull("unsafe");
        }
    }

    private static void spread(ObjectNode scenario) {
        List<Integer> numbers = new ArrayList<>();
        scenario.path("repeats").forEach(one -> numbers.add(one.path("repeat").asInt()));
        Spread spread = Spread.of(
                values(scenario, Figure.THROUGHPUT_MSGS_PER_S),
                values(scenario, Figure.CPU_COST_MCYCLES_PER_MSG),
                numbers);
        scenario.set(
                "throughput_ci95_msgs_per_s",
                ResultsFile.MAPPER.valueToTree(spread.throughputCi95MsgsPerS()));
        scenario.set(
                "cost_ci95_mcycles_per_msg",
                ResultsFile.MAPPER.valueToTree(spread.costCi95McyclesPerMsg()));
        scenario.put("throughput_trend_percent", spread.throughputTrendPercent());
    }

    private static double[] values(ObjectNode scenario, Figure figure) {
        List<Double> values = new ArrayList<>();
        for (JsonNode repeat : scenario.path("repeats")) {
            JsonNode value = repeat.path(figure.key());
            if (value.isNumber()) {
                values.add(value.asDouble());
            }
        }
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
