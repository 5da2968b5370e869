package org.hubmark.bench.scale.result;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** How long something took, milliseconds. */
public record Latencies(double mean, double p50, double p95, double p99, double max) {
    private static final double NANOS = 1e6;

    /** {@return what a histogram of nanoseconds holds; null when that is nothing} */
    public static @Nullable Latencies of(Histogram nanos) {
        return nanos.getTotalCount() == 0
                ? null
                : new Latencies(
                        nanos.getMean() / NANOS,
                        at(nanos, 50),
                        at(nanos, 95),
                        at(nanos, 99),
                        nanos.getMaxValue() / NANOS);
    }

    /** {@return each figure by the rule of {@link StudyRule}; null when there are none} */
    static @Nullable Latencies of(List<Latencies> runs) {
        return runs.isEmpty()
                ? null
                : new Latencies(
                        rule(runs, Latencies::mean),
                        rule(runs, Latencies::p50),
                        rule(runs, Latencies::p95),
                        rule(runs, Latencies::p99),
                        rule(runs, Latencies::max));
    }

    private static double rule(List<Latencies> runs, ToDoubleFunction<Latencies> figure) {
        return StudyRule.mean(runs.stream().mapToDouble(figure).toArray());
    }

    private static double at(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS;
    }
}
