package org.hubmark.bench.kit.document;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** What formulas are made of: what a repeat counted, or all repeats of a row together. */
public interface Values {
    /** {@return a counter; NaN where it isn't known} */
    double count(Formula.Counter counter);

    /** {@return times; an empty histogram where there are none, not to be changed} */
    Histogram times(Times wanted);

    /** {@return another figure; NaN where it isn't known} */
    default double of(Column column) {
        return column.value(this);
    }

    /** {@return what else is known, by key; null where one isn't known} */
    default Map<String, @Nullable Object> names() {
        return Map.of();
    }

    /** {@return a name as text; empty where it isn't known} */
    default String name(Name name) {
        Object value = names().get(name.key());
        return value == null ? "" : value.toString();
    }

    /** {@return a name as a type; null where it isn't known} */
    default <T> @Nullable T name(Name name, Class<T> type) {
        return Document.typed(names().get(name.key()), type);
    }

    /** {@return a name that is a list; none where it isn't known} */
    default List<String> texts(Name name) {
        return Name.texts(names().get(name.key()));
    }

    /** {@return a name that is a number; NaN where it is none} */
    default double number(Name name) {
        return names().get(name.key()) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /** {@return its parts of a form} */
    default List<? extends Values> parts(Form form) {
        return List.of();
    }

    /** {@return what was counted in shares of its time} */
    default List<? extends Values> samples() {
        return List.of();
    }
}
