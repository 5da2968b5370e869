package org.hubmark.bench.qualify.result;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Average, minimum and maximum of a counter of the host over all samples; null when not known. */
public record Range(
        @Nullable Double avg,
        @Nullable Double min,
        @Nullable Double max) {
    /** {@return that of some values} */
    public static Range of(List<Double> values) {
        var all = values.stream().mapToDouble(Double::doubleValue).summaryStatistics();
        return all.getCount() == 0
                ? new Range(null, null, null)
                : new Range(all.getAverage(), all.getMin(), all.getMax());
    }
}
