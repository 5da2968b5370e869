package org.hubmark.bench.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** Plots of what a message costs by its size, with the published figures beside. */
final class SizeCharts {
    private final List<JsonNode> scenarios;
    private final List<Study.Published> published;
    private final List<Double> sizes;

    SizeCharts(List<JsonNode> scenarios, Study study) {
        this.scenarios = scenarios;
        TreeSet<Double> all = new TreeSet<>();
        scenarios.forEach(scenario -> all.add(sizeOf(scenario)));
        this.sizes = List.copyOf(all);
        // Bars of the study at a size that was not measured would stand alone: nothing to compare.
        this.published = study.columns().stream()
                .filter(column -> all.contains(sizeOf(column.values())))
                .toList();
    }

    /** {@return a group of bars a size, one bar a configuration; none if nothing is known} */
    List<Charts.Chart> chart(String id, String field, String title, String unit) {
        Map<String, List<@Nullable Double>> ours = new LinkedHashMap<>();
        for (JsonNode scenario : scenarios) {
            String name = configuration(scenario);
            // A second scenario of this size and class would hide the first: its id tells it apart.
            boolean taken = ours.containsKey(name)
                    && ours.get(name).get(sizes.indexOf(sizeOf(scenario))) != null;
            put(ours, taken ? scenario.path("id").asText() : name, scenario, field);
        }
        Map<String, List<@Nullable Double>> theirs = new LinkedHashMap<>();
        for (Study.Published column : published) {
            put(theirs, column.storage() + " (published)", column.values(), field);
        }
        if (ours.values().stream().allMatch(values -> values.stream().allMatch(Objects::isNull))) {
            return List.of();
        }
        List<Charts.Series> series = new ArrayList<>();
        ours.forEach((name, values) -> series.add(new Charts.Series(name, false, values)));
        theirs.forEach((name, values) -> series.add(new Charts.Series(name, true, values)));
        return List.of(new Charts.Chart(
                id,
                Charts.Kind.BARS,
                title,
                title + " by message size. The figures stand in the tables.",
                unit,
                scenarios.stream().map(ScenarioTables::size).distinct().toList(),
                series));
    }

    private void put(
            Map<String, List<@Nullable Double>> bars,
            String name,
            JsonNode scenario,
            String field) {
        JsonNode value = scenario.path(field);
        if (value.isNumber()) {
            bars.computeIfAbsent(
                            name, n -> new ArrayList<>(Collections.nCopies(sizes.size(), null)))
                    .set(sizes.indexOf(sizeOf(scenario)), value.asDouble());
        }
    }

    private static String configuration(JsonNode scenario) {
        String intake = scenario.path("intake").asText("");
        String durability = scenario.path("durability").asText("");
        if (intake.equals("discard")) {
            return "this run, discard";
        }
        return durability.isEmpty() ? "this run" : "this run, " + durability;
    }

    private static double sizeOf(JsonNode scenario) {
        return scenario.path("message_size_kb").asDouble();
    }
}
