package org.hubmark.bench.kit.document;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Name of a row or a repeat, or another fact about it that is not counted.
 *
 * @param key in the file; what stands before a dot is an object that holds what stands behind it
 * @param label in a table; empty for one that tables leave out
 * @param identifies whether it tells a row from the others of its table
 */
public record Name(String key, String label, boolean identifies) {
    /** {@return one that tells rows apart} */
    public static Name of(String key, String label) {
        return new Name(key, label, true);
    }

    /** {@return one that is only said} */
    public static Name note(String key, String label) {
        return new Name(key, label, false);
    }

    /** {@return its value as texts, where it is a list; none where it isn't known} */
    static List<String> texts(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }
}
