package org.hubmark.bench.users.result;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The LoadSim score: the weighted mean of the tasks' 95th percentiles. */
final class Score {
    private Score() {}

    /**
     * {@return milliseconds, or null when no task that counts was done} Weights of tasks that were not
     * done are left out of the sum by which is divided.
     */
    static @Nullable Double of(List<TaskFigures> tasks) {
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
