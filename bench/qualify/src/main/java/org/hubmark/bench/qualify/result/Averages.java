package org.hubmark.bench.qualify.result;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The columns of all instances together: rates are added up; of latencies and sizes the mean of the
 * instances is taken, as Jetstress does, and beside it, under {@code ..._weighted}, the mean of all
 * operations, in which an instance counts as much as it did.
 */
public final class Averages {
    private Averages() {}

    /** {@return them, under the names that they have in qualification.json} */
    public static Map<String, Double> of(List<InstanceFigures> instances, double seconds) {
        Map<String, Double> all = new TreeMap<>();
        IoCounts together = instances.stream()
                .map(InstanceFigures::counts)
                .reduce(IoCounts.NONE, IoCounts::plus);
        Measured pooled = new Measured(together, seconds, Map.of(), List.of());
        for (Column column : Column.IO) {
            Double weighted = column.of(pooled);
            List<Double> values = instances.stream()
                    .map(instance -> instance.get(column))
                    .filter(Objects::nonNull)
                    .toList();
            if (weighted == null || values.isEmpty()) {
                continue;
            }
            if (column.key().endsWith("_per_s")) {
                all.put(column.key(), weighted);
            } else {
                all.put(
                        column.key(),
                        values.stream()
                                .mapToDouble(Double::doubleValue)
                                .average()
                                .orElseThrow());
                all.put(column.key() + "_weighted", weighted);
            }
        }
        return all;
    }
}
