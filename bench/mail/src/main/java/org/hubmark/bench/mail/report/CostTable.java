package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.document.CostModel;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.ScenarioNames;
import org.hubmark.bench.mail.document.Setup;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Table of the cost models of a matrix. */
final class CostTable {
    private CostTable() {}

    /** {@return a row for each model} */
    static Block.Grid of(Results results) {
        List<List<String>> rows = new ArrayList<>();
        for (CostModel model : results.costModels()) {
            rows.add(List.of(
                    model.quantity().replace('_', ' '),
                    name(model, results),
                    term(model.a(), model.aCi95()) + " + "
                            + term(model.bPerKb(), model.bCi95PerKb()) + " x KB",
                    number(model.rSquared(), 4),
                    number(model.residualMaxPercent(), 1),
                    String.valueOf(model.points())));
        }
        return new Block.Grid(
                        "Cost of a message = a + b x KB, with 95 % intervals",
                        List.of(
                                "Cost",
                                "Where",
                                "Model",
                                "R squared",
                                "Largest residual, %",
                                "Points"),
                        rows)
                .with(Set.of(1, 2));
    }

    /** {@return what tells a model from the others, marked if a scenario of it is unsafe} */
    private static String name(CostModel model, Results results) {
        List<Setup> all = results.costModels().stream().map(CostModel::where).toList();
        List<String> words = model.where().words(Setup.varied(all));
        boolean isUnsafe = results.scenarios().stream()
                .anyMatch(scenario ->
                        model.where().equals(scenario.conditions().setup()) && scenario.isUnsafe());
        return (words.isEmpty() ? "all" : String.join(", ", words))
                + (isUnsafe ? " (" + ScenarioNames.UNSAFE + ")" : "");
    }

    private static String number(@Nullable Double value, int decimals) {
        return value == null
                ? Cells.UNKNOWN
                : new BigDecimal(value).setScale(decimals, RoundingMode.HALF_UP).toPlainString();
    }

    private static String term(double value, @Nullable Interval interval) {
        return interval == null
                ? brief(value)
                : brief(value) + " [" + brief(interval.low()) + " to " + brief(interval.high())
                        + "]";
    }

    private static String brief(double value) {
        return new BigDecimal(value)
                .round(new MathContext(4))
                .stripTrailingZeros()
                .toPlainString();
    }
}
