package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.ScenarioNames;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Plots over the size of messages, with the published figures beside. */
final class SizeCharts {
    private final List<Scenario> scenarios;
    private final ScenarioNames names;
    private final boolean isOfHub;

    SizeCharts(Results results, ScenarioNames names) {
        this.scenarios = names.scenarios().stream()
                .sorted(Comparator.comparingDouble(Scenario::messageSizeKb))
                .toList();
        this.names = names;
        this.isOfHub = results.scenarios().stream().anyMatch(ScenarioNames::isOfHub);
    }

    /** {@return a figure by size, with the intervals that it has; none if nothing is known} */
    List<Charts.Chart> chart(String id, Column column, String title, String unit) {
        List<Charts.Series> series = new ArrayList<>(ours(column));
        if (series.isEmpty()) {
            return List.of();
        }
        List<Charts.Series> theirs = theirs(column);
        series.addAll(theirs);
        boolean isOfRate = column.equals(Figure.THROUGHPUT_MSGS_PER_S);
        boolean isValid = scenarios.stream().allMatch(one -> one.validity().valid());
        return List.of(new Charts.Chart(
                id,
                Charts.Kind.BY_SIZE,
                title,
                title
                        + " by message size."
                        + (isOfRate ? " Bars: 95 % interval of the mean over the repeats." : "")
                        + (theirs.isEmpty() ? "" : " Muted: as published, on other hardware.")
                        + (isValid ? "" : " A cross is a cell that is not valid."),
                unit,
                List.of(),
                series));
    }

    private List<Charts.Series> ours(Column column) {
        Map<String, List<List<Double>>> points = new LinkedHashMap<>();
        Map<String, Set<Integer>> invalid = new LinkedHashMap<>();
        for (Scenario scenario : scenarios) {
            Double value = scenario.get(column);
            if (value != null) {
                double size = scenario.messageSizeKb();
                String name = "this run, " + names.line(scenario);
                // A second scenario of this size and name: its id tells it apart.
                boolean taken = points.getOrDefault(name, List.of()).stream()
                        .anyMatch(point -> point.getFirst() == size);
                String own = taken ? scenario.id() : name;
                List<List<Double>> line = points.computeIfAbsent(own, key -> new ArrayList<>());
                Set<Integer> crosses = invalid.computeIfAbsent(own, key -> new TreeSet<>());
                if (!scenario.validity().valid()) {
                    crosses.add(line.size());
                }
                boolean ofRate = column.equals(Figure.THROUGHPUT_MSGS_PER_S);
                Interval spread = ofRate ? scenario.spread().throughputCi95MsgsPerS() : null;
                Double mean = scenario.spread().throughputGeometricMeanMsgsPerS();
                line.add(
                        spread == null || mean == null
                                ? List.of(size, value)
                                : List.of(size, mean, spread.low(), spread.high()));
            }
        }
        return points.entrySet().stream()
                .map(line -> new Charts.Series(
                        line.getKey(),
                        Charts.Style.MEASURED,
                        0,
                        line.getValue(),
                        invalid.getOrDefault(line.getKey(), Set.of())))
                .toList();
    }

    private List<Charts.Series> theirs(Column column) {
        Map<String, List<List<Double>>> points = new LinkedHashMap<>();
        for (HubStudy.Published one :
                isOfHub ? HubStudy.published().scenarios() : List.<HubStudy.Published>of()) {
            Double value = one.figures().get(column.key());
            if (value != null) {
                points.computeIfAbsent(one.storage() + " (published)", name -> new ArrayList<>())
                        .add(List.of(one.messageSizeKb(), value));
            }
        }
        return points.entrySet().stream()
                .map(line ->
                        Charts.Series.of(line.getKey(), Charts.Style.PUBLISHED, line.getValue()))
                .toList();
    }
}
