package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.FactorEffect;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What a matrix answers: the effect of each factor, and the rate over the grid of its cells. */
final class EffectTables {
    private static final ScenarioRow RATE = new ScenarioRow(Fields.RATE, "", 2);
    private static final ScenarioRow MEAN = new ScenarioRow(Fields.RATE_MEAN, "", 2);
    private static final ScenarioRow LOW = new ScenarioRow(Fields.RATE_LOW, "", 2);
    private static final ScenarioRow HIGH = new ScenarioRow(Fields.RATE_HIGH, "", 2);

    private EffectTables() {}

    /** {@return a row each level of a factor; none where nothing was varied} */
    static Block.Grid effects(Results results) {
        List<List<String>> rows = new ArrayList<>();
        for (FactorEffect effect : results.effects()) {
            rows.add(List.of(
                    factor(effect),
                    effect.quantity(),
                    percent(effect.ratio()),
                    effect.intervalText(),
                    effect.ratio() == null
                            ? Cells.UNKNOWN
                            : percent(effect.ratioMin()) + " to " + percent(effect.ratioMax()),
                    String.valueOf(effect.cells()),
                    effect.verdict()));
        }
        return new Block.Grid(
                        "Each level compared with the first, over all cells that differ in nothing"
                                + " else" + load(results),
                        List.of(
                                "Factor",
                                "On",
                                "Effect",
                                "Interval (level)",
                                "Cell by cell",
                                "Pairs",
                                "Verdict"),
                        rows)
                .with(Set.of(1, 6));
    }

    /** {@return the rate of each configuration by size; none where only one of the two varies} */
    static Block.Grid grid(ScenarioTables tables) {
        TreeSet<Double> sizes = new TreeSet<>();
        Map<String, Map<Double, TableCell>> byName = new LinkedHashMap<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            Scenario scenario = tables.scenarios().get(i);
            sizes.add(scenario.messageSizeKb());
            byName.computeIfAbsent(
                            tables.dimensions().markedName(scenario), name -> new LinkedHashMap<>())
                    .put(scenario.messageSizeKb(), rate(tables, i));
        }
        List<Block.Heading> headings = new ArrayList<>();
        List<List<TableCell>> rows = new ArrayList<>();
        if (sizes.size() > 1 && byName.size() > 1) {
            sizes.forEach(size -> headings.add(Block.Heading.of(Digits.plain(size) + " KB")));
            byName.forEach((name, bySize) -> {
                List<TableCell> row = new ArrayList<>(List.of(TableCell.text(name)));
                sizes.forEach(size -> row.add(bySize.getOrDefault(size, TableCell.UNKNOWN)));
                rows.add(row);
            });
        }
        return ScenarioTables.grid(
                "Messages a second: geometric means with 95 % intervals", headings, rows);
    }

    private static TableCell rate(ScenarioTables tables, int place) {
        Scenario scenario = tables.scenarios().get(place);
        TableCell low = LOW.cell(scenario);
        TableCell rate = tables.cell(low.isKnown() ? MEAN : RATE, place);
        return rate.as(rate.text()
                + (low.isKnown()
                        ? " (" + low.text() + " to " + HIGH.cell(scenario).text() + ")"
                        : "")
                + (scenario.validity().valid() ? "" : " NOT VALID"));
    }

    /** {@return the load that layouts were judged by; empty where no effect of one is told} */
    private static String load(Results results) {
        boolean isTold = results.effects().stream()
                .anyMatch(effect ->
                        effect.factor().equals(Condition.LAYOUT.key()) && effect.ratio() != null);
        Set<String> loads = new TreeSet<>();
        for (Scenario scenario : results.scenarios()) {
            for (Condition condition : List.of(Condition.DELIVER, Condition.CHECKPOINT_DEPTH_MB)) {
                condition.word(scenario.conditions().get(condition)).ifPresent(loads::add);
            }
        }
        return isTold
                ? ". Layouts are judged by a load of which mail waits and is written to the queue volume ("
                        + String.join(", ", loads) + ")"
                : "";
    }

    private static String factor(FactorEffect effect) {
        for (Condition condition : Condition.values()) {
            if (condition.key().equals(effect.factor())) {
                return condition.title() + ": " + condition.beside(effect.level())
                        + ", compared with " + condition.beside(effect.baseline());
            }
        }
        return "Message size: " + effect.level() + ", compared with " + effect.baseline();
    }

    private static String percent(@Nullable Double ratio) {
        return ratio == null
                ? Cells.UNKNOWN
                : String.format(Locale.ROOT, "%+.1f %%", 100 * (ratio - 1));
    }
}
