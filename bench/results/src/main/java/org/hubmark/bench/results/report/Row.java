package org.hubmark.bench.results.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.results.HubStudy;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.function.Function;

/**
 * A row of a table of scenarios: what it shows, under which label, how.
 *
 * @param label what stands before the figures, with the unit
 * @param decimals digits after the point, or fewer where the repeats don't allow so many; 0 for
 *     what is counted, which is shown whole; null for a text
 */
record Row(Field field, String label, @Nullable Integer decimals) {
    /** {@return a figure of the catalogue under its own heading} */
    static Row of(Column column) {
        return new Row(Fields.of(column), column.heading(), column.decimals());
    }

    /** {@return what was published in this row, with the digits that it was published with} */
    TableCell published(HubStudy.Published scenario) {
        return TableCell.of(field.published(scenario), decimals);
    }

    /** {@return what a scenario has in this row} */
    TableCell cell(Scenario scenario) {
        Object value = field.value().apply(scenario);
        Function<Scenario, @Nullable Double> otherEnd = field.otherEnd();
        if (decimals == null || decimals == 0 || !(value instanceof Number number)) {
            return TableCell.of(value, decimals);
        }
        double shown = number.doubleValue();
        if (otherEnd == null) {
            return new TableCell(Digits.text(shown, repeats(scenario), decimals), true);
        }
        Double other = otherEnd.apply(scenario);
        return new TableCell(
                Digits.ofRange(shown, other == null ? shown : other, repeats(scenario), decimals),
                true);
    }

    /** The ends of an interval and of a range have the digits of the figure that they are of. */
    private double[] repeats(Scenario scenario) {
        return scenario.repeats().stream()
                .map(field.ofRepeat())
                .filter(Objects::nonNull)
                .mapToDouble(value -> Objects.requireNonNull(value))
                .toArray();
    }
}
