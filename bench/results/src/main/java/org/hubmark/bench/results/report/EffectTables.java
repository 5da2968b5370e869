package org.hubmark.bench.results.report;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.FactorEffect;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** What a matrix answers: the effect of each factor, and the rate over the grid of its cells. */
final class EffectTables {
    private static final Row RATE = new Row(Fields.RATE, "", 2);
    private static final Row MEAN = new Row(Fields.RATE_MEAN, "", 2);
    private static final Row LOW = new Row(Fields.RATE_LOW, "", 2);
    private static final Row HIGH = new Row(Fields.RATE_HIGH, "", 2);

    private EffectTables() {}

    /** {@return a row each level of a factor; none where nothing was varied} */
    static Sheet.Grid effects(Results results) {
        List<List<TableCell>> rows = new ArrayList<>();
        for (FactorEffect effect : results.effects()) {
            Interval interval = effect.ci95();
            rows.add(List.of(
                    TableCell.text(title(effect.factor()) + ": " + effect.level()
                            + ", compared with " + effect.baseline()),
                    TableCell.text(effect.quantity()),
                    TableCell.text(percent(effect.ratio())),
                    interval == null ? TableCell.UNKNOWN : TableCell.text(interval.changes()),
                    TableCell.text(
                            percent(effect.ratioMin()) + " to " + percent(effect.ratioMax())),
                    TableCell.of(effect.cells(), 0),
                    TableCell.text(effect.verdict())));
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
        for (int i = 0; i < tables.scenarios().size(); i++) {
            Scenario scenario = tables.scenarios().get(i);
            sizes.add(scenario.messageSizeKb());
            byName.computeIfAbsent(
                            tables.dimensions().markedName(scenario), name -> new LinkedHashMap<>())
                    .put(scenario.messageSizeKb(), rate(scenario, tables.cell(RATE, i)));
        }
        if (sizes.size() < 2 || byName.size() < 2) {
            return new Sheet.Grid(List.of(), List.of());
        }
        List<String> headings = new ArrayList<>(List.of("mean, msg/s (95 % interval)"));
        sizes.forEach(size -> headings.add(Digits.plain(size) + " KB"));
        List<List<TableCell>> rows = new ArrayList<>();
        byName.forEach((name, bySize) -> {
            List<TableCell> row = new ArrayList<>(List.of(TableCell.text(name)));
            sizes.forEach(size -> row.add(bySize.getOrDefault(size, TableCell.UNKNOWN)));
            rows.add(row);
        });
        return new Sheet.Grid(headings, rows);
    }

    private static TableCell rate(Scenario scenario, TableCell rate) {
        TableCell low = LOW.cell(scenario);
        return TableCell.text((low.known()
                        ? MEAN.cell(scenario).text() + " (" + low.text() + " to "
                                + HIGH.cell(scenario).text() + ")"
                        : rate.text())
                + (scenario.valid() ? "" : " NOT VALID"));
    }

    private static String title(String factor) {
        return Arrays.stream(Condition.values())
                .filter(condition -> condition.key().equals(factor))
                .map(Condition::title)
                .findFirst()
                .orElse("Message size");
    }

    private static String percent(double ratio) {
        return String.format(Locale.ROOT, "%+.1f %%", 100 * (ratio - 1));
    }
}
