package org.hubmark.bench.users.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/**
 * All runs with one number of users, as it stands in users.json. Latencies and resources are means over
 * the middle runs ({@link MiddleRuns}), maxima and numbers of tasks and messages those of all runs.
 *
 * @param runs how many were played
 * @param middleRuns numbers of those whose figures were averaged
 * @param scoreMedianMs over all runs
 * @param scoreCi95Ms Student's interval over all runs; null under two
 * @param passes null when no run was played to its end
 * @param reasons why it does not pass
 * @param accounting stands flat in the file
 * @param expectedPerUserDay by the profile and these users; null when it can't be said
 * @param repeats the runs
 */
public record Level(
        int users,
        int runs,
        List<Integer> middleRuns,
        @Nullable Double scoreMs,
        @Nullable Double scoreMedianMs,
        @Nullable Interval scoreCi95Ms,
        @Nullable Boolean passes,
        List<String> reasons,
        List<TaskFigures> tasks,
        SendLatency sendLatencyMs,
        ArrivalLatency arrivalLatencyMs,
        @JsonUnwrapped Accounting accounting,
        PerUserDay perUserDay,
        PerUserDay perUserDayError,
        @Nullable PerUserDay expectedPerUserDay,
        @Nullable Resources resources,
        List<UserRun> repeats) {
    /** Copies. */
    public Level {
        middleRuns = List.copyOf(middleRuns);
        reasons = List.copyOf(reasons);
        tasks = List.copyOf(tasks);
        repeats = List.copyOf(repeats);
    }

    /** {@return the figures of a level of at least one run} */
    public static Level of(
            int users,
            List<UserRun> repeats,
            @Nullable PerUserDay expectedPerUserDay,
            Limits limits) {
        // A run that was broken off says nothing beside whole ones; alone it is better than
        // nothing.
        List<UserRun> whole = repeats.stream().filter(UserRun::complete).toList();
        List<UserRun> counted = whole.isEmpty() ? repeats : whole;
        MiddleRuns middle = MiddleRuns.of(counted);
        double[] scores = counted.stream()
                .map(UserRun::scoreMs)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        Double score = middle.mean(UserRun::scoreMs);
        List<TaskFigures> tasks = tasks(counted, middle);
        SendLatency send = new SendLatency(
                middle.mean(run -> run.sendLatencyMs().mean()),
                middle.mean(run -> run.sendLatencyMs().p95()));
        ArrivalLatency arrival = new ArrivalLatency(
                middle.mean(run -> run.arrivalLatencyMs().p50()),
                middle.mean(run -> run.arrivalLatencyMs().p95()),
                max(counted.stream().map(run -> run.arrivalLatencyMs().max()).toList()));
        Accounting accounting =
                Accounting.sum(counted.stream().map(UserRun::accounting).toList());
        DayCounts day = counted.stream().map(UserRun::day).reduce(DayCounts.NONE, DayCounts::plus);
        // What was still under way when a run was broken off is not missing.
        List<String> reasons = whole.isEmpty()
                ? List.of()
                : Judgement.judge(limits, score, send.p95(), tasks, accounting);
        return new Level(
                users,
                counted.size(),
                middle.numbers(),
                score,
                scores.length == 0 ? null : (Double) Inference.median(scores),
                Inference.ofMean(scores),
                whole.isEmpty() ? null : (Boolean) reasons.isEmpty(),
                reasons,
                tasks,
                send,
                arrival,
                accounting,
                PerUserDay.of(day),
                PerUserDay.errorOf(day),
                expectedPerUserDay,
                MeanResources.of(middle),
                repeats);
    }

    private static List<TaskFigures> tasks(List<UserRun> all, MiddleRuns middle) {
        List<TaskFigures> figures = new ArrayList<>();
        for (Task task : Task.values()) {
            List<TaskFigures> its = all.stream()
                    .map(run -> of(run, task))
                    .filter(Objects::nonNull)
                    .toList();
            if (!its.isEmpty()) {
                figures.add(sum(task, its, middle));
            }
        }
        figures.sort(Comparator.comparing(TaskFigures::task));
        return figures;
    }

    private static @Nullable TaskFigures of(UserRun run, Task task) {
        return run.tasks().stream()
                .filter(figures -> figures.task() == task)
                .findFirst()
                .orElse(null);
    }

    private static TaskFigures sum(Task task, List<TaskFigures> its, MiddleRuns middle) {
        TreeMap<String, Long> failures = new TreeMap<>();
        its.forEach(one ->
                one.failures().forEach((kind, count) -> failures.merge(kind, count, Long::sum)));
        return new TaskFigures(
                task,
                its.stream().mapToLong(TaskFigures::planned).sum(),
                its.stream().mapToLong(TaskFigures::done).sum(),
                its.stream().mapToLong(TaskFigures::failed).sum(),
                its.stream().mapToLong(TaskFigures::open).sum(),
                its.stream().mapToLong(TaskFigures::late).sum(),
                mean(middle, task, TaskFigures::p50Ms),
                mean(middle, task, TaskFigures::p95Ms),
                mean(middle, task, TaskFigures::p99Ms),
                mean(middle, task, TaskFigures::meanMs),
                mean(middle, task, TaskFigures::sdMs),
                max(its.stream().map(TaskFigures::maxMs).toList()),
                its.getFirst().weight(),
                failures);
    }

    /** A figure of a task. */
    private interface Column {
        @Nullable
        Double of(TaskFigures figures);
    }

    private static @Nullable Double mean(MiddleRuns middle, Task task, Column column) {
        return middle.mean(run -> {
            TaskFigures figures = of(run, task);
            return figures == null ? null : column.of(figures);
        });
    }

    private static @Nullable Double max(List<@Nullable Double> values) {
        Double max = null;
        for (Double value : values) {
            if (value != null && (max == null || value > max)) {
                max = value;
            }
        }
        return max;
    }
}
