package org.hubmark.bench.plan;

import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * A number that a plan is made of.
 *
 * @param name ends with its unit
 * @param unit empty for a plain factor
 * @param above it is larger than this; null for no such bound
 * @param from it is at least this; null for no such bound
 * @param to it is at most this; null for no such bound
 * @param assumed what is taken where nobody says it; null where there is nothing to assume
 * @param because why that is assumed; null where nothing is
 */
public record Input(
        String name,
        String label,
        String unit,
        @Nullable Double above,
        @Nullable Double from,
        @Nullable Double to,
        @Nullable Double assumed,
        @Nullable String because) {
    /** {@return whether a value is within the bounds} */
    public boolean allows(double value) {
        return Double.isFinite(value)
                && (above == null || value > above)
                && (from == null || value >= from)
                && (to == null || value <= to);
    }

    /**
     * Refuses a value that is out of the bounds.
     *
     * @param option that gave it; null where it is from elsewhere
     * @throws UserError saying which they are
     */
    public void check(double value, @Nullable String option) {
        if (!allows(value)) {
            throw UserError.usage(
                    (option == null ? name : option) + " " + text(value) + ": give " + bounds());
        }
    }

    /** {@return its bounds in words} */
    public String bounds() {
        String low = above != null
                ? "a number above " + text(above)
                : from != null ? text(from) + " or more" : "a number";
        return low
                + (to == null ? "" : ", at most " + text(to))
                + (unit.isEmpty() ? "" : " (" + unit + ")");
    }

    /** {@return a number with four digits that count} */
    static String rounded(double value) {
        return Double.isFinite(value)
                ? text(new BigDecimal(value).round(new MathContext(4)).doubleValue())
                : text(value);
    }

    /** {@return a number without needless digits} */
    static String text(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
                : Double.toString(value);
    }
}
