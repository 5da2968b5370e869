package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.statistics.Digits;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * One figure as it is printed.
 *
 * @param text the figure; a dash where it is not known
 * @param known false where the result has null
 * @param derivation where it comes from, to be unfolded; null if it is read, not derived
 * @param mismatch what the self-check makes of it instead; null if it agrees or was not checked
 */
public record TableCell(
        String text,
        boolean known,
        @Nullable Derivation derivation,
        @Nullable String mismatch) {
    static final TableCell UNKNOWN = new TableCell("-", false);

    /** A figure that cannot be unfolded. */
    public TableCell(String text, boolean known) {
        this(text, known, null, null);
    }

    /**
     * Formats a value.
     *
     * @param decimals digits after the point, rounded half up; null to leave a number as it is
     */
    static TableCell of(@Nullable Object value, @Nullable Integer decimals) {
        if (value == null) {
            return UNKNOWN;
        }
        if (value instanceof Number) {
            BigDecimal number = new BigDecimal(value.toString());
            BigDecimal shown = decimals == null
                    ? number.stripTrailingZeros()
                    : number.setScale(decimals, RoundingMode.HALF_UP);
            return new TableCell(shown.toPlainString(), true);
        }
        return new TableCell(words(value.toString()), true);
    }

    /** {@return a value of a file as it is; texts are of others, and no words of ours} */
    static TableCell plain(JsonNode value) {
        if (value.isTextual()) {
            return text(value.asText());
        }
        if (value.isNull() || value.isMissingNode()) {
            return UNKNOWN;
        }
        return value.isNumber()
                ? of(value.decimalValue(), null)
                : of(value.isValueNode() ? value.asText() : value.toString(), null);
    }

    /** {@return a figure of a single measurement} */
    static TableCell figure(@Nullable Double value, int decimals) {
        return value == null ? UNKNOWN : text(Digits.text(value, new double[0], decimals));
    }

    /** {@return a text as it is} */
    static TableCell text(String text) {
        return new TableCell(text, true);
    }

    /** {@return the same with what it is made of; a dash is made of nothing} */
    TableCell with(@Nullable Derivation derived, @Nullable String otherValue) {
        return known ? new TableCell(text, true, derived, otherValue) : this;
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
