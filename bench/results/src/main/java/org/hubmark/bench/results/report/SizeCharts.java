package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Charts;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** Plots over the size of messages, with the published figures beside. */
final class SizeCharts {
    /** More bars in a group cannot be told apart. */
    private static final int BARS_MAX = 24;

    private final List<JsonNode> scenarios;
    private final Dimensions dimensions;
    private final List<Study.Published> published;
    private final List<Double> sizes;

    SizeCharts(List<JsonNode> scenarios, Dimensions dimensions, Study study) {
        this.scenarios = scenarios;
        this.dimensions = dimensions;
        TreeSet<Double> all = new TreeSet<>();
        scenarios.forEach(scenario -> all.add(sizeOf(scenario)));
        this.sizes = List.copyOf(all);
        this.published = study.columns();
    }

    /** {@return the rate by size with its intervals, the published rates as reference lines} */
    List<Charts.Chart> throughput() {
        List<Charts.Series> series = lines("throughput_msgs_per_s", "throughput_ci95_msgs_per_s");
        return series.isEmpty()
                ? List.of()
                : List.of(new Charts.Chart(
                        "throughput",
                        Charts.Kind.BY_SIZE,
                        "Throughput by message size",
                        "Messages accepted a second. Bars: 95 % interval of the mean over the repeats."
                                + " Muted: as published, on other hardware.",
                        "messages/s",
                        List.of(),
                        List.of(),
                        series));
    }

    /** {@return a figure by size: bars while they are few, else lines; none if nothing is known} */
    List<Charts.Chart> chart(String id, String field, String title, String unit) {
        if (scenarios.size() > BARS_MAX || sizes.size() > BARS_MAX / 2) {
            List<Charts.Series> lines = lines(field, field + "_ci95");
            return lines.isEmpty()
                    ? List.of()
                    : List.of(new Charts.Chart(
                            id,
                            Charts.Kind.BY_SIZE,
                            title,
                            title + " by message size. The figures stand in the tables.",
                            unit,
                            List.of(),
                            List.of(),
                            lines));
        }
        Map<String, List<@Nullable Double>> ours = new LinkedHashMap<>();
        for (JsonNode scenario : scenarios) {
            String name = "this run, " + dimensions.markedName(scenario);
            // A second scenario of this size and name would hide the first: its id tells it apart.
            boolean taken = ours.containsKey(name)
                    && ours.get(name).get(sizes.indexOf(sizeOf(scenario))) != null;
            put(ours, taken ? scenario.path("id").asText() : name, scenario, field);
        }
        if (ours.values().stream().allMatch(values -> values.stream().allMatch(Objects::isNull))) {
            return List.of();
        }
        Map<String, List<@Nullable Double>> theirs = new LinkedHashMap<>();
        for (Study.Published column : published) {
            // Bars of the study at a size that was not measured would stand alone.
            if (sizes.contains(sizeOf(column.values()))) {
                put(theirs, column.storage() + " (published)", column.values(), field);
            }
        }
        List<Charts.Series> series = new ArrayList<>();
        ours.forEach((name, values) ->
                series.add(Charts.Series.of(name, Charts.Style.MEASURED, values)));
        theirs.forEach((name, values) ->
                series.add(Charts.Series.of(name, Charts.Style.PUBLISHED, values)));
        return List.of(new Charts.Chart(
                id,
                Charts.Kind.BARS,
                title,
                title + " by message size. The figures stand in the tables.",
                unit,
                scenarios.stream().map(ScenarioTables::size).distinct().toList(),
                List.of(),
                series));
    }

    /**
     * {@return what share of each ceiling the scenarios reach}
     *
     * @param names of the scenarios
     */
    List<Charts.Chart> ceilings(List<String> names) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("receive path, nothing stored", "ceilings.receive_percent");
        fields.put("log device alone", "ceilings.log_device_percent");
        fields.put("loopback: the driver against a sink", "ceilings.loopback_percent");
        List<Charts.Series> series = new ArrayList<>();
        fields.forEach((name, field) -> {
            List<@Nullable Double> shares = new ArrayList<>();
            scenarios.forEach(scenario -> shares.add(Repeat.number(Repeat.at(scenario, field))));
            if (shares.stream().anyMatch(Objects::nonNull)) {
                series.add(Charts.Series.of("of " + name, Charts.Style.MEASURED, shares));
            }
        });
        return series.isEmpty()
                ? List.of()
                : List.of(new Charts.Chart(
                        "ceilings",
                        Charts.Kind.SHARE,
                        "How near to the ceilings",
                        "Throughput in percent of what each part holds by itself, measured in the"
                                + " same run.",
                        "percent",
                        names,
                        List.of(),
                        series));
    }

    private List<Charts.Series> lines(String field, String interval) {
        Map<String, List<List<Double>>> ours = new LinkedHashMap<>();
        for (JsonNode scenario : scenarios) {
            JsonNode value = scenario.path(field);
            if (value.isNumber()) {
                JsonNode spread = scenario.path(interval);
                List<Double> point = spread.isObject()
                        ? List.of(
                                sizeOf(scenario),
                                value.asDouble(),
                                spread.path("low").asDouble(),
                                spread.path("high").asDouble())
                        : List.of(sizeOf(scenario), value.asDouble());
                ours.computeIfAbsent(
                                "this run, " + dimensions.markedName(scenario),
                                name -> new ArrayList<>())
                        .add(point);
            }
        }
        List<Charts.Series> series = new ArrayList<>();
        ours.forEach((name, points) ->
                series.add(Charts.Series.of(name, Charts.Style.MEASURED, points)));
        if (!series.isEmpty()) {
            Map<String, List<List<Double>>> theirs = new LinkedHashMap<>();
            for (Study.Published column : published) {
                theirs.computeIfAbsent(column.storage() + " (published)", name -> new ArrayList<>())
                        .add(List.of(
                                sizeOf(column.values()),
                                column.values().path(field).asDouble()));
            }
            theirs.forEach((name, points) ->
                    series.add(Charts.Series.of(name, Charts.Style.PUBLISHED, points)));
        }
        return series;
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

    private static double sizeOf(JsonNode scenario) {
        return scenario.path("message_size_kb").asDouble();
    }
}
