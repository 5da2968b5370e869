package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Values;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A number that a reader may change.
 *
 * @param key ends with its unit
 * @param label what it is called in words
 * @param unit empty for a plain factor
 * @param above it is larger than this; null for no such bound
 * @param from it is at least this; null for no such bound
 * @param to it is at most this; null for no such bound
 * @param assumed what is taken where nobody says it; null where there is nothing to assume
 * @param because why it is assumed
 */
public record Input(
        String key,
        String label,
        String unit,
        @Nullable Double above,
        @Nullable Double from,
        @Nullable Double to,
        @Nullable Double assumed,
        @Nullable String because)
        implements Formula.Own {
    /** {@return what a plan keeps it under} */
    Formula.Counter counter() {
        return new Formula.Counter(key);
    }

    @Override
    public String words(List<String> parts) {
        return label;
    }

    @Override
    public double value(Values values) {
        return values.count(counter());
    }

    /** {@return whether it can be a value} */
    boolean allows(double value) {
        return Double.isFinite(value)
                && (above == null || value > above)
                && (from == null || value >= from)
                && (to == null || value <= to);
    }

    /**
     * Refuses a value that it can't be.
     *
     * @param name by which the value was given
     * @throws UserError saying what it can be
     */
    public void check(String name, double value) {
        if (!allows(value)) {
            String text = Double.isNaN(value) ? "NaN" : Digits.plain(value);
            throw UserError.usage(name + " " + text + ": give " + range());
        }
    }

    /** {@return what it can be, in words} */
    String range() {
        String low = above != null
                ? "a number above " + Digits.plain(above)
                : from != null ? Digits.plain(from) + " or more" : "a number";
        return low
                + (to == null ? "" : ", at most " + Digits.plain(to))
                + (unit.isEmpty() ? "" : " (" + unit + ")");
    }
}
