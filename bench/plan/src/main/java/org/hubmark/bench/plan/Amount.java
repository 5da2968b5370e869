package org.hubmark.bench.plan;

import com.fasterxml.jackson.annotation.JsonValue;

import org.hubmark.bench.kit.page.Cells;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/**
 * A number with its unit, as people read it: what was measured, and what is made of it, with four digits,
 * and what somebody said with all of them. Files keep all digits.
 *
 * @param value NaN where it isn't known
 * @param unit empty for a plain number
 * @param isExact whether all digits count
 */
record Amount(double value, String unit, boolean isExact) {
    private static final MathContext DIGITS = new MathContext(4);

    /** {@return one of which four digits count} */
    static Amount of(double value, String unit) {
        return new Amount(value, unit, false);
    }

    /** {@return the number for a file; null where it isn't known} */
    @JsonValue
    public @Nullable Double known() {
        return Double.isFinite(value) ? (Double) value : null;
    }

    /** {@return it in words} */
    String text() {
        return unit.isEmpty() || !Double.isFinite(value) ? number() : number() + " " + unit;
    }

    /** {@return it in words without its unit} */
    String number() {
        if (!Double.isFinite(value)) {
            return Cells.UNKNOWN;
        }
        BigDecimal exact = BigDecimal.valueOf(value);
        BigDecimal shown = (isExact ? exact : exact.round(DIGITS)).stripTrailingZeros();
        return String.format(Locale.ROOT, "%,." + Math.max(0, shown.scale()) + "f", shown);
    }
}
