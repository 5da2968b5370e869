package org.hubmark.bench.users;

import org.hubmark.bench.users.profile.UserProfile;
import org.hubmark.bench.users.result.Task;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The intended starts of one user's tasks: exponential gaps, and kinds drawn by how often each is done
 * in a day. All of it comes from the seed. One thread.
 */
final class TaskSchedule {
    private final Task[] tasks;
    /** Tasks a day, added up. */
    private final double[] upTo;

    private final double meanGapNanos;
    private final SplittableRandom random;
    private long dueNanos;
    private Task task;

    /**
     * Begins.
     *
     * @param dayNanos how long a day takes here: compressed
     */
    TaskSchedule(UserProfile profile, long fromNanos, double dayNanos, long seed) {
        Map<Task, Double> perDay = new TreeMap<>(profile.tasksPerDay());
        this.tasks = perDay.keySet().toArray(new Task[0]);
        this.upTo = new double[tasks.length];
        double sum = 0;
        for (int i = 0; i < tasks.length; i++) {
            sum += profile.perDay(tasks[i]);
            upTo[i] = sum;
        }
        this.meanGapNanos = dayNanos / sum;
        this.random = new SplittableRandom(seed);
        this.dueNanos = fromNanos;
        this.task = tasks[0];
        next();
    }

    /** {@return when the next task is due} */
    long dueNanos() {
        return dueNanos;
    }

    /** {@return what it is} */
    Task task() {
        return task;
    }

    /** Goes on to the one after it. */
    void next() {
        dueNanos += Math.round(-Math.log(1 - random.nextDouble()) * meanGapNanos);
        double drawn = random.nextDouble() * upTo[upTo.length - 1];
        int i = 0;
        while (i < tasks.length - 1 && upTo[i] <= drawn) {
            i++;
        }
        task = tasks[i];
    }
}
