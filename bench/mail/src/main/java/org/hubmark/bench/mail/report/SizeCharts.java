package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.Scenario;
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

    private final List<Scenario> scenarios;
    private final Dimensions dimensions;
    private final List<HubStudy.Published> published;
    private final List<Double> sizes;

    SizeCharts(List<Scenario> scenarios, Dimensions dimensions, PublishedStudy study) {
        this.scenarios = scenarios;
        this.dimensions = dimensions;
        TreeSet<Double> all = new TreeSet<>();
        scenarios.forEach(scenario -> all.add(scenario.messageSizeKb()));
        this.sizes = List.copyOf(all);
        this.published = study.columns();
    }

    /** {@return the rate by size with its intervals, the published rates as reference lines} */
    List<Charts.Chart> throughput() {
        List<Charts.Series> series = lines(Figure.THROUGHPUT_MSGS_PER_S);
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
    List<Charts.Chart> chart(String id, Column column, String title, String unit) {
        if (scenarios.size() > BARS_MAX || sizes.size() > BARS_MAX / 2) {
            List<Charts.Series> lines = lines(column);
            return lines.isEmpty()
                    ? List.of()
                    : List.of(new Charts.Chart(
                            id,
                            Charts.Kind.BY_SIZE,
                            title,
                            title + " by message size. The figures are in the tables.",
                            unit,
                            List.of(),
                            List.of(),
                            lines));
        }
        Map<String, List<@Nullable Double>> ours = new LinkedHashMap<>();
        for (Scenario scenario : scenarios) {
            String name = "this run, " + dimensions.markedName(scenario);
            // A second scenario of this size and name would hide the first: its id tells it apart.
            boolean taken = ours.containsKey(name)
                    && ours.get(name).get(sizes.indexOf(scenario.messageSizeKb())) != null;
            put(
                    ours,
                    taken ? scenario.id() : name,
                    scenario.messageSizeKb(),
                    scenario.figures().get(column));
        }
        if (ours.values().stream().allMatch(values -> values.stream().allMatch(Objects::isNull))) {
            return List.of();
        }
        Map<String, List<@Nullable Double>> theirs = new LinkedHashMap<>();
        for (HubStudy.Published one : published) {
            // Bars of the study at a size that was not measured would stand alone.
            if (sizes.contains(one.messageSizeKb())) {
                put(
                        theirs,
                        PublishedStudy.storage(one) + " (published)",
                        one.messageSizeKb(),
                        one.figures().get(column.key()));
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
                title + " by message size. The figures are in the tables.",
                unit,
                scenarios.stream()
                        .map(one -> ScenarioTables.size(one.messageSizeKb()))
                        .distinct()
                        .toList(),
                List.of(),
                series));
    }

    private List<Charts.Series> lines(Column column) {
        Map<String, List<List<Double>>> ours = new LinkedHashMap<>();
        for (Scenario scenario : scenarios) {
            Double value = scenario.figures().get(column);
            if (value != null) {
                boolean ofRate = column.equals(Figure.THROUGHPUT_MSGS_PER_S);
                Interval spread = ofRate ? scenario.spread().throughputCi95MsgsPerS() : null;
                Double mean = scenario.spread().throughputGeometricMeanMsgsPerS();
                List<Double> point = spread == null || mean == null
                        ? List.of(scenario.messageSizeKb(), value)
                        : List.of(scenario.messageSizeKb(), mean, spread.low(), spread.high());
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
            for (HubStudy.Published one : published) {
                theirs.computeIfAbsent(
                                PublishedStudy.storage(one) + " (published)",
                                name -> new ArrayList<>())
                        .add(List.of(
                                one.messageSizeKb(),
                                one.figures().getOrDefault(column.key(), 0.0)));
            }
            theirs.forEach((name, points) ->
                    series.add(Charts.Series.of(name, Charts.Style.PUBLISHED, points)));
        }
        return series;
    }

    private void put(
            Map<String, List<@Nullable Double>> bars,
            String name,
            double sizeKb,
            @Nullable Double value) {
        if (value != null) {
            bars.computeIfAbsent(
                            name, n -> new ArrayList<>(Collections.nCopies(sizes.size(), null)))
                    .set(sizes.indexOf(sizeKb), value);
        }
    }
}
