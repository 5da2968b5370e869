package org.hubmark.bench.results;

import org.apache.commons.statistics.descriptive.Median;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes one record of several: the median of each number where it is known, the most frequent of
 * each text, the sum of each count of messages.
 */
public final class Medians {
    private Medians() {}

    public static Figures of(List<Figures> repeats) {
        return of(Figures.class, repeats);
    }

    private static <R extends Record> R of(Class<R> type, List<R> records) {
        try {
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            @Nullable Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                List<Object> known = new ArrayList<>();
                for (R one : records) {
                    Object value = components[i].getAccessor().invoke(one);
                    if (value != null) {
                        known.add(value);
                    }
                }
                values[i] = known.isEmpty() ? null : merge(type, types[i], known);
            }
            Constructor<R> constructor = type.getDeclaredConstructor(types);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("can't merge " + type.getSimpleName(), e);
        }
    }

    private static Object merge(Class<?> owner, Class<?> type, List<Object> known) {
        if (type == Double.class || type == double.class) {
            return median(known);
        }
        if (type == Long.class || type == long.class) {
            if (owner != Figures.Counts.class) {
                return Math.round(median(known));
            }
            return known.stream().mapToLong(value -> (Long) value).sum();
        }
        if (type == String.class) {
            return mostFrequent(known);
        }
        if (type == Figures.Limiting.class) {
            return limiting(known);
        }
        return nested(type.asSubclass(Record.class), known);
    }

    /** The reason belongs to the resource that it speaks of. */
    private static Object limiting(List<Object> known) {
        List<Object> names = new ArrayList<>();
        for (Object one : known) {
            String name = ((Figures.Limiting) one).limitingResource();
            if (name != null) {
                names.add(name);
            }
        }
        if (names.isEmpty()) {
            return Figures.Limiting.UNKNOWN;
        }
        Object name = mostFrequent(names);
        for (Object one : known) {
            if (name.equals(((Figures.Limiting) one).limitingResource())) {
                return one;
            }
        }
        return Figures.Limiting.UNKNOWN;
    }

    private static <R extends Record> R nested(Class<R> type, List<Object> known) {
        List<R> records = new ArrayList<>();
        known.forEach(value -> records.add(type.cast(value)));
        return of(type, records);
    }

    private static double median(List<Object> known) {
        return Median.withDefaults()
                .evaluate(known.stream()
                        .mapToDouble(value -> ((Number) value).doubleValue())
                        .toArray());
    }

    private static Object mostFrequent(List<Object> known) {
        Map<Object, Integer> counts = new LinkedHashMap<>();
        known.forEach(value -> counts.merge(value, 1, Integer::sum));
        Object best = known.getFirst();
        for (Map.Entry<Object, Integer> entry : counts.entrySet()) {
            if (entry.getValue() > counts.getOrDefault(best, 0)) {
                best = entry.getKey();
            }
        }
        return best;
    }
}
