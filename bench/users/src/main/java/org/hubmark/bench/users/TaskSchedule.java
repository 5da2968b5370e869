package org.hubmark.bench.users;

import org.hubmark.bench.users.profile.UserProfile;

import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The intended starts of one user's tasks: exponential gaps, and kinds drawn by how often each is done
 * in a day. All of it comes from the seed. One thread.
 */
final class TaskSchedule {
    /** By the tasks a day, added up. */
    private final NavigableMap<Double, Task> upTo = new TreeMap<>();

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
        double sum = 0;
        for (Task task : Task.values()) {
            if (task.perDay(profile) > 0) {
                sum += task.perDay(profile);
                upTo.put(sum, task);
            }
        }
        this.meanGapNanos = dayNanos / sum;
        this.random = new SplittableRandom(seed);
        this.dueNanos = fromNanos;
        this.task = Objects.requireNonNull(upTo.firstEntry()).getValue();
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
        double drawn = random.nextDouble() * upTo.lastKey();
        task = Objects.requireNonNull(upTo.higherEntry(drawn)).getValue();
    }
}
