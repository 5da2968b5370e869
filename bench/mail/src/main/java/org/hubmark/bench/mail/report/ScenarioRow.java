package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;
import java.util.function.Function;

/**
 * A row of a table of scenarios: what it shows, under which label, how.
 *
 * @param label what stands before the figures, with the unit
 * @param decimals digits after the point, or fewer where the repeats don't allow so many; 0 for
 *     what is counted, which is shown whole; null for a text
 */
record ScenarioRow(Field field, String label, @Nullable Integer decimals) {
    /** {@return a figure of the catalogue under its own heading} */
    static ScenarioRow of(Column column) {
        return new ScenarioRow(Fields.of(column), column.heading(), column.decimals());
    }

    /** {@return what was published in this row, with the digits that it was published with} */
    TableCell published(HubStudy.Published scenario) {
        return shown(field.published(scenario), decimals);
    }

    /** {@return what a scenario has in this row} */
    TableCell cell(Scenario scenario) {
        Object value = field.value().apply(scenario);
        Function<Scenario, @Nullable Double> otherEnd = field.otherEnd();
        if (decimals == null || decimals == 0 || !(value instanceof Number number)) {
            return shown(value, decimals);
        }
        double shown = number.doubleValue();
        if (otherEnd == null) {
            return TableCell.text(Digits.text(shown, repeats(scenario), decimals));
        }
        Double other = otherEnd.apply(scenario);
        return TableCell.text(
                Digits.ofRange(shown, other == null ? shown : other, repeats(scenario), decimals));
    }

    /**
     * {@return any value as a table has it}
     *
     * @param decimals digits after the point, rounded half up; null to leave a number as it is
     */
    static TableCell shown(@Nullable Object value, @Nullable Integer decimals) {
        if (value == null) {
            return TableCell.UNKNOWN;
        }
        if (value instanceof Number) {
            BigDecimal number = new BigDecimal(value.toString());
            return TableCell.text((decimals == null
                            ? number.stripTrailingZeros()
                            : number.setScale(decimals, RoundingMode.HALF_UP))
                    .toPlainString());
        }
        return TableCell.text(words(value.toString()));
    }

    /** The results and the study write {@code log_volume} and {@code cpu}; people read words. */
    private static String words(String text) {
        return switch (text) {
            case "cpu" -> "CPU";
            case "io" -> "I/O";
            case "true" -> "yes";
            case "false" -> "no";
            default -> text.replace('_', ' ');
        };
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
