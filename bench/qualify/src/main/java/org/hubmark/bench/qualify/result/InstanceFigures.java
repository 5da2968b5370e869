package org.hubmark.bench.qualify.result;

import com.fasterxml.jackson.annotation.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The columns of one instance.
 *
 * @param instance its name
 * @param columns those that are known
 * @param totals of {@link Column#IO}, with maintenance and replication
 * @param counts of which they were made
 */
public record InstanceFigures(
        String instance, Map<Column, Double> columns, Map<Column, Double> totals, IoCounts counts) {
    /** Takes copies. */
    public InstanceFigures {
        columns = Map.copyOf(columns);
        totals = Map.copyOf(totals);
    }

    /** {@return what the catalogue makes of what was measured} */
    public static InstanceFigures of(String instance, Measured measured) {
        Map<Column, Double> columns = new EnumMap<>(Column.class);
        for (Column column : Column.values()) {
            put(columns, column, column.of(measured));
        }
        Map<Column, Double> totals = new EnumMap<>(Column.class);
        for (Column column : Column.IO) {
            put(totals, column, column.ofTotal(measured));
        }
        return new InstanceFigures(instance, columns, totals, measured.counts());
    }

    /** {@return the same without columns that are not known after all} */
    public InstanceFigures without(List<Column> unknown) {
        Map<Column, Double> left = new EnumMap<>(Column.class);
        left.putAll(columns);
        Map<Column, Double> leftOfTotals = new EnumMap<>(Column.class);
        leftOfTotals.putAll(totals);
        unknown.forEach(left::remove);
        unknown.forEach(leftOfTotals::remove);
        return new InstanceFigures(instance, left, leftOfTotals, counts);
    }

    private static void put(Map<Column, Double> all, Column column, @Nullable Double value) {
        if (value != null) {
            all.put(column, value);
        }
    }

    /** {@return a column, or null when it isn't known} */
    public @Nullable Double get(Column column) {
        return columns.get(column);
    }

    /** {@return database reads and writes a second} */
    public double iops() {
        return columns.getOrDefault(Column.DB_READS_PER_S, 0.0)
                + columns.getOrDefault(Column.DB_WRITES_PER_S, 0.0);
    }

    /** {@return it as it stands in qualification.json: every column, null for what isn't known} */
    @JsonValue
    public Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("instance", instance);
        for (Column column : Column.values()) {
            json.put(column.key(), columns.get(column));
        }
        Map<String, @Nullable Object> total = new LinkedHashMap<>();
        for (Column column : Column.IO) {
            total.put(column.key(), totals.get(column));
        }
        json.put("total", total);
        Map<String, Object> counters = new LinkedHashMap<>();
        for (IoCounter counter : IoCounter.values()) {
            counters.put(counter.key(), counts.get(counter));
        }
        json.put("counters", counters);
        return json;
    }
}
