package org.hubmark.bench.users.result;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One run of a level, as it stands in users.json.
 *
 * @param run 1 for the first
 * @param complete false when it was interrupted
 * @param startedAt ISO 8601, UTC
 * @param scoreMs weighted mean of the tasks' 95th percentiles
 * @param accounting of all messages, those of the warm-up too
 * @param day what was counted for perUserDay
 * @param perUserDayError standard errors
 * @param resources null when nothing is known
 */
public record UserRun(
        int run,
        boolean complete,
        String startedAt,
        String finishedAt,
        double measuredS,
        @Nullable Double scoreMs,
        List<TaskFigures> tasks,
        SendLatency sendLatencyMs,
        ArrivalLatency arrivalLatencyMs,
        Accounting accounting,
        DayCounts day,
        PerUserDay perUserDay,
        PerUserDay perUserDayError,
        @Nullable Resources resources,
        List<String> notes) {
    /** Copies. */
    public UserRun {
        tasks = List.copyOf(tasks);
        notes = notes == null ? List.of() : List.copyOf(notes);
    }

    /**
     * {@return the figures of a run}
     *
     * @param weights of the score, by task; a task that is missing has none
     */
    public static UserRun of(PlayedRun played, Map<Task, Double> weights) {
        List<TaskFigures> tasks = new ArrayList<>();
        Histogram sending = new Histogram(3);
        for (Task task : Task.values()) {
            TaskCounts counts = played.tasks().get(task);
            if (counts != null) {
                tasks.add(TaskFigures.of(task, counts, weights.getOrDefault(task, 0.0)));
                if (Task.SENDING.contains(task)) {
                    sending.add(counts.nanos());
                }
            }
        }
        return new UserRun(
                played.run(),
                played.complete(),
                played.startedAt(),
                played.finishedAt(),
                played.measuredSeconds(),
                score(tasks),
                tasks,
                SendLatency.of(sending),
                ArrivalLatency.of(played.arrivalNanos()),
                played.accounting(),
                played.day(),
                PerUserDay.of(played.day()),
                PerUserDay.errorOf(played.day()),
                played.resources(),
                played.notes());
    }

    /**
     * {@return LoadSim's score, milliseconds, or null when no task that counts was done} Weights of
     * tasks that were not done are left out of the sum by which is divided.
     */
    private static @Nullable Double score(List<TaskFigures> tasks) {
        double sum = 0;
        double weights = 0;
        for (TaskFigures task : tasks) {
            Double p95 = task.p95Ms();
            if (p95 != null && task.weight() > 0) {
                sum += task.weight() * p95;
                weights += task.weight();
            }
        }
        return weights > 0 ? (Double) (sum / weights) : null;
    }
}
