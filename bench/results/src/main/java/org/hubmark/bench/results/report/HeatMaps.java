package org.hubmark.bench.results.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.results.Scenario;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Heat maps of a matrix: message size along, everything else that was varied up. With one size, or
 * where nothing but the size was varied, there is none: the other plots say it better.
 */
final class HeatMaps {
    private final List<Scenario> scenarios;
    private final Dimensions dimensions;
    private final List<String> sizes;
    private final List<String> rows;

    /**
     * Chooses the axes.
     *
     * @param scenarios by size
     */
    HeatMaps(List<Scenario> scenarios, Dimensions dimensions) {
        this.scenarios = scenarios;
        this.dimensions = dimensions;
        Set<String> columns = new LinkedHashSet<>();
        Set<String> configurations = new LinkedHashSet<>();
        for (Scenario scenario : scenarios) {
            columns.add(column(scenario));
            configurations.add(row(scenario));
        }
        this.sizes = List.copyOf(columns);
        this.rows = List.copyOf(configurations);
    }

    /** {@return a map of a figure; none if the scenarios make no matrix or nothing is known} */
    List<Charts.Chart> chart(String id, Column column, String title, String unit) {
        if (sizes.size() < 2 || rows.size() < 2) {
            return List.of();
        }
        List<List<Double>> cells = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            Double value = scenario.figures().get(column);
            if (value != null) {
                cells.add(List.of(
                        (double) sizes.indexOf(column(scenario)),
                        (double) rows.indexOf(row(scenario)),
                        value,
                        Dimensions.isUnsafe(scenario) ? 1.0 : 0.0));
            }
        }
        if (cells.isEmpty()) {
            return List.of();
        }
        return List.of(new Charts.Chart(
                id,
                Charts.Kind.HEAT,
                title,
                title
                        + " of each cell of the matrix. A dashed border and \"unsafe\": acknowledged mail"
                        + " can be lost when the power fails.",
                unit,
                sizes,
                rows,
                List.of(Charts.Series.of(title, Charts.Style.MEASURED, cells))));
    }

    /** With one size only, the last dimension goes along. */
    private String column(Scenario scenario) {
        return isBySize()
                ? ScenarioTables.size(scenario.messageSizeKb())
                : scenario
                        .conditions()
                        .setup()
                        .words(List.of(dimensions.varied().getLast()))
                        .stream()
                        .findFirst()
                        .orElse("-");
    }

    private String row(Scenario scenario) {
        if (isBySize()) {
            return dimensions.name(scenario);
        }
        Dimensions others = new Dimensions(
                dimensions.varied().subList(0, dimensions.varied().size() - 1));
        return others.name(scenario);
    }

    private boolean isBySize() {
        return dimensions.varied().size() < 2
                || scenarios.stream()
                                .map(one -> ScenarioTables.size(one.messageSizeKb()))
                                .distinct()
                                .count()
                        > 1;
    }
}
