package org.hubmark.bench.kit.document;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A row of a table with what each of its repeats counted; its figures are made of that whenever they are
 * asked for.
 *
 * @param names by key; null where one isn't known
 * @param repeats in their order
 */
public record Row(Map<String, @Nullable Object> names, List<Repeat> repeats) {
    /** Copies. */
    public Row {
        names = Collections.unmodifiableMap(new LinkedHashMap<>(names));
        repeats = List.copyOf(repeats);
    }

    /** {@return a name as text; empty where it isn't known} */
    public String name(Name name) {
        Object value = names.get(name.key());
        return value == null ? "" : value.toString();
    }

    /** {@return a name as a type; null where it isn't known} */
    public <T> @Nullable T name(Name name, Class<T> type) {
        Object value = names.get(name.key());
        return value == null ? null : JsonFile.typed(value, type);
    }

    /** {@return a name that is a number; NaN where it is none} */
    public double number(Name name) {
        return names.get(name.key()) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /** {@return a figure in each repeat, NaN where it isn't known} */
    public double[] values(Column column) {
        return repeats.stream().mapToDouble(column::value).toArray();
    }

    /** {@return what an input of formulas is in all repeats; NaN where they don't have it alike} */
    double alike(Formula input) {
        double[] all = repeats.stream().mapToDouble(input::value).distinct().toArray();
        return all.length == 1 ? all[0] : Double.NaN;
    }

    /** {@return its parts over all repeats, those of one name in one row} */
    public Table part(Form form) {
        Map<String, List<Repeat>> all = new LinkedHashMap<>();
        for (Repeat repeat : repeats) {
            for (Repeat part : repeat.parts().getOrDefault(form.key(), List.of())) {
                all.computeIfAbsent(id(form, part.names()), id -> new ArrayList<>())
                        .add(part);
            }
        }
        return new Table(
                form,
                all.values().stream()
                        .map(parts -> new Row(named(form, parts.getFirst().names()), parts))
                        .toList());
    }

    private static Map<String, @Nullable Object> named(
            Form form, Map<String, @Nullable Object> all) {
        Map<String, @Nullable Object> names = new LinkedHashMap<>();
        form.names().forEach(name -> names.put(name.key(), all.get(name.key())));
        return names;
    }

    /** {@return what tells it from other rows of the table, for people too} */
    public String id(Form form) {
        return id(form, names);
    }

    static String id(Form form, Map<String, @Nullable Object> names) {
        List<String> all = new ArrayList<>();
        for (Name name : form.names()) {
            if (name.identifies()) {
                all.add(name.label().toLowerCase(Locale.ROOT) + " " + names.get(name.key()));
            }
        }
        return String.join(", ", all);
    }
}
