package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.results.Figure;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A row of a table of scenarios: which field it shows, under which label, how.
 *
 * @param field the field's name in a scenario; a dot leads into an object
 * @param label what stands before the figures, with the unit
 * @param decimals digits after the point, or fewer where the repeats don't allow so many; 0 for
 *     what is counted, which is shown whole; null for a text
 */
record Row(String field, String label, @Nullable Integer decimals) {
    /** {@return what was published in this row, with the digits that it was published with} */
    TableCell published(JsonNode scenario) {
        return TableCell.of(Repeat.at(scenario, field), decimals);
    }

    /** The ends of a range over the repeats, each with the other. */
    private static final Map<String, String> RANGES = Map.of(
            "throughput_msgs_per_s_min", "throughput_msgs_per_s_max",
            "throughput_msgs_per_s_max", "throughput_msgs_per_s_min");

    /** {@return what {@code scenario} has in this row} */
    TableCell cell(JsonNode scenario) {
        JsonNode value = Repeat.at(scenario, field);
        String other = RANGES.get(field);
        if (other != null && decimals != null && value.isNumber()) {
            double end = Repeat.at(scenario, other).asDouble(value.asDouble());
            return new TableCell(
                    Digits.ofRange(value.asDouble(), end, repeats(scenario), decimals), true);
        }
        return decimals == null || decimals == 0 || !value.isNumber()
                ? TableCell.of(value, decimals)
                : new TableCell(Digits.text(value.asDouble(), repeats(scenario), decimals), true);
    }

    /** The ends of an interval and of a range have the digits of the figure that they are of. */
    private double[] repeats(JsonNode scenario) {
        String of = field;
        if (field.startsWith("throughput_")) {
            of = Figure.THROUGHPUT_MSGS_PER_S.key();
        } else if (field.startsWith("cost_")) {
            of = Figure.CPU_COST_MCYCLES_PER_MSG.key();
        }
        List<Double> values = new ArrayList<>();
        for (JsonNode repeat : scenario.path("repeats")) {
            JsonNode value = Repeat.at(repeat, of);
            if (value.isNumber()) {
                values.add(value.asDouble());
            }
        }
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
