package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Figure;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** What a matrix answers: the effect of each factor, and the rate over the grid of its cells. */
final class EffectTables {
    private EffectTables() {}

    /** {@return a row each level of a factor; none where nothing was varied} */
    static Sheet.Grid effects(JsonNode results) {
        List<List<TableCell>> rows = new ArrayList<>();
        for (JsonNode effect : results.path("effects")) {
            JsonNode interval = effect.path("ci95");
            rows.add(List.of(
                    text(title(effect.path("factor").asText()) + ": "
                            + effect.path("level").asText() + ", compared with "
                            + effect.path("baseline").asText()),
                    text(effect.path("quantity").asText()),
                    text(percent(effect.path("ratio"))),
                    interval.isObject()
                            ? text(percent(interval.path("low")) + " to "
                                    + percent(interval.path("high")))
                            : new TableCell("-", false),
                    text(percent(effect.path("ratio_min")) + " to "
                            + percent(effect.path("ratio_max"))),
                    TableCell.of(effect.path("cells"), 0),
                    text(effect.path("verdict").asText())));
        }
        return new Sheet.Grid(
                List.of(
                        "Factor",
                        "On",
                        "Effect",
                        "95 % interval",
                        "Cell by cell",
                        "Pairs",
                        "Verdict"),
                rows);
    }

    /** {@return the rate of each configuration by size; none where only one of the two varies} */
    static Sheet.Grid grid(ScenarioTables tables) {
        TreeSet<Double> sizes = new TreeSet<>();
        Map<String, Map<Double, TableCell>> byName = new LinkedHashMap<>();
        Row rate = new Row("throughput_msgs_per_s", "", 2);
        for (int i = 0; i < tables.scenarios().size(); i++) {
            JsonNode scenario = tables.scenarios().get(i);
            double size = scenario.path("message_size_kb").asDouble();
            sizes.add(size);
            byName.computeIfAbsent(
                            tables.dimensions().markedName(scenario), name -> new LinkedHashMap<>())
                    .put(
                            size,
                            rate(
                                    scenario,
                                    tables.cell(rate, i),
                                    tables.columns().get(i)));
        }
        if (sizes.size() < 2 || byName.size() < 2) {
            return new Sheet.Grid(List.of(), List.of());
        }
        List<String> headings = new ArrayList<>(List.of("msg/s (95 % interval)"));
        sizes.forEach(size -> headings.add(Figure.text(size) + " KB"));
        List<List<TableCell>> rows = new ArrayList<>();
        byName.forEach((name, bySize) -> {
            List<TableCell> row = new ArrayList<>(List.of(text(name)));
            sizes.forEach(size -> row.add(bySize.getOrDefault(size, new TableCell("-", false))));
            rows.add(row);
        });
        return new Sheet.Grid(headings, rows);
    }

    private static TableCell rate(JsonNode scenario, TableCell rate, Table.Column column) {
        String low = end(scenario, "low");
        String marks = column.valid() ? "" : " NOT VALID";
        return low == null
                ? text(rate.text() + marks)
                : text(rate.text() + " (" + low + " to " + end(scenario, "high") + ")" + marks);
    }

    private static @Nullable String end(JsonNode scenario, String which) {
        TableCell cell = new Row("throughput_ci95_msgs_per_s." + which, "", 2).cell(scenario);
        return cell.known() ? cell.text() : null;
    }

    private static String title(String factor) {
        return Arrays.stream(Condition.values())
                .filter(condition -> condition.key().equals(factor))
                .map(Condition::title)
                .findFirst()
                .orElse("Message size");
    }

    private static String percent(JsonNode ratio) {
        return String.format(Locale.ROOT, "%+.1f %%", 100 * (ratio.asDouble() - 1));
    }

    private static TableCell text(String text) {
        return new TableCell(text, true);
    }
}
