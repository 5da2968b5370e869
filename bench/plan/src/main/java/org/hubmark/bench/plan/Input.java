package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Values;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A number that a reader may move.
 *
 * @param key ends with its unit
 * @param label what it is called in words
 * @param unit empty for a plain factor
 * @param assumed what is taken where nobody says it; null where there is nothing to assume
 */
public record Input(
        String key,
        String label,
        String unit,
        Bounds bounds,
        @Nullable Assumption assumed) implements Formula.Own {
    /** Assumed value of an input, with the reason. */
    record Assumption(double value, String because) {}

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
}
