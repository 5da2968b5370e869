package org.hubmark.bench.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * One figure as it is printed.
 *
 * @param text the figure; a dash where it is not known
 * @param known false where the result has null
 */
public record Cell(String text, boolean known) {
    private static final Cell UNKNOWN = new Cell("-", false);

    /**
     * Formats a value.
     *
     * @param decimals digits after the point, rounded half up; null to leave a number as it is
     */
    static Cell of(JsonNode value, @Nullable Integer decimals) {
        if (value.isNull() || value.isMissingNode()) {
            return UNKNOWN;
        }
        if (value.isNumber()) {
            BigDecimal number = value.decimalValue();
            BigDecimal shown = decimals == null
                    ? number.stripTrailingZeros()
                    : number.setScale(decimals, RoundingMode.HALF_UP);
            return new Cell(shown.toPlainString(), true);
        }
        return new Cell(words(value.asText()), true);
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
}
