package org.hubmark.bench.users.result;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A row of the table of tasks. Latencies are milliseconds from the intended start, of tasks that were
 * done; null when none was.
 *
 * @param open those that were neither done nor had failed when the run was over
 * @param late those that began late because the user was still busy
 * @param weight share of the score, 0 to 1
 * @param failures by kind in words
 */
public record TaskFigures(
        Task task,
        long planned,
        long done,
        long failed,
        long open,
        long late,
        @Nullable Double p50Ms,
        @Nullable Double p95Ms,
        @Nullable Double p99Ms,
        @Nullable Double meanMs,
        @Nullable Double sdMs,
        @Nullable Double maxMs,
        double weight,
        Map<String, Long> failures) {
    /** Copies, in alphabetical order. */
    public TaskFigures {
        failures =
                failures == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(failures));
    }

    static TaskFigures of(Task task, TaskCounts counts, double weight) {
        Histogram nanos = counts.nanos();
        long done = nanos.getTotalCount();
        long failed =
                counts.failures().values().stream().mapToLong(Long::longValue).sum();
        return new TaskFigures(
                task,
                counts.planned(),
                done,
                failed,
                counts.planned() - done - failed,
                counts.late(),
                Latency.percentile(nanos, 50),
                Latency.percentile(nanos, 95),
                Latency.percentile(nanos, 99),
                Latency.mean(nanos),
                Latency.deviation(nanos),
                Latency.max(nanos),
                weight,
                counts.failures());
    }
}
