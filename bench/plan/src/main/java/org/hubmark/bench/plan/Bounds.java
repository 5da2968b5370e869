package org.hubmark.bench.plan;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of a number.
 *
 * @param above it is larger than this; null for no such bound
 * @param from it is at least this; null for no such bound
 * @param to it is at most this; null for no such bound
 */
public record Bounds(
        @Nullable Double above,
        @Nullable Double from,
        @Nullable Double to) {
    /** {@return one without an upper end} */
    static Bounds above(double above) {
        return new Bounds(above, null, null);
    }

    /** {@return one without an upper end} */
    static Bounds from(double from) {
        return new Bounds(null, from, null);
    }

    /** {@return the same with an upper end} */
    Bounds to(double most) {
        return new Bounds(above, from, most);
    }

    /** {@return whether a value is within it} */
    boolean allows(double value) {
        return Double.isFinite(value)
                && (above == null || value > above)
                && (from == null || value >= from)
                && (to == null || value <= to);
    }

    /**
     * Refuses a value that is not within it.
     *
     * @param name of what has the value
     * @param unit of the value; may be empty
     * @throws UserError saying what it can be
     */
    public void check(String name, double value, String unit) {
        if (!allows(value)) {
            String text = Double.isNaN(value) ? "NaN" : Digits.plain(value);
            throw UserError.usage(name + " " + text + ": give " + words(unit));
        }
    }

    /** {@return it in words} */
    String words(String unit) {
        String low = above != null
                ? "a number above " + Digits.plain(above)
                : from != null ? Digits.plain(from) + " or more" : "a number";
        return low
                + (to == null ? "" : ", at most " + Digits.plain(to))
                + (unit.isEmpty() ? "" : " (" + unit + ")");
    }
}
