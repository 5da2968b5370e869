package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Cells;
import org.jspecify.annotations.Nullable;

import java.util.Locale;

/** Numbers as the report prints them. */
final class Numbers {
    private Numbers() {}

    /** {@return 12,000} */
    static String whole(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@return a whole number, or a dash} */
    static String whole(JsonNode number) {
        return number.isNumber() ? whole(number.asLong()) : Cells.UNKNOWN;
    }

    /** {@return a number with so many decimals, or a dash} */
    static String decimals(JsonNode number, int decimals) {
        return number.isNumber() ? decimals(number.asDouble(), decimals) : Cells.UNKNOWN;
    }

    static String decimals(double number, int decimals) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", number);
    }

    /** {@return a number with so many decimals, or a dash} */
    static String known(@Nullable Double number, int decimals) {
        return number == null ? Cells.UNKNOWN : decimals(number, decimals);
    }

    /** {@return a number with the decimals that it has, any other value as a cell has it} */
    static String plain(JsonNode value) {
        return value.isFloatingPointNumber()
                ? value.decimalValue().stripTrailingZeros().toPlainString()
                : Cells.of(value);
    }

    /** {@return milliseconds, or a dash} */
    static String millis(JsonNode number) {
        return decimals(number, 1);
    }

    /** {@return yes, no or a dash} */
    static String yesOrNo(JsonNode value) {
        return value.isBoolean() ? value.asBoolean() ? "yes" : "no" : Cells.UNKNOWN;
    }
}
