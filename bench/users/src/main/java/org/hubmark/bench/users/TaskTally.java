package org.hubmark.bench.users;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.users.profile.UserProfile;
import org.hubmark.bench.users.result.LevelForm;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What became of the tasks of a run, counted by all users at once. Any thread. */
final class TaskTally {
    private final Map<Task, One> byTask = new EnumMap<>(Task.class);
    /** What went wrong beside the tasks, by kind in words. */
    private final Map<String, LongAdder> aside = new ConcurrentHashMap<>();

    private record One(LongAdder planned, Map<String, LongAdder> failures, Histogram nanos) {
        One() {
            this(new LongAdder(), new ConcurrentHashMap<>(), new ConcurrentHistogram(3));
        }

        private Repeat counted(Task task, double weight) {
            Repeat.Builder counted = Repeat.counted()
                    .name(LevelForm.TASK, task.name())
                    .name(LevelForm.WEIGHT, weight)
                    .count(LevelForm.PLANNED, planned.sum())
                    .count(
                            LevelForm.FAILED,
                            failures.values().stream().mapToLong(LongAdder::sum).sum())
                    .times(LevelForm.TASK_NS, nanos.copy());
            failures.forEach((kind, count) -> {
                var unused = counted.count(LevelForm.failedBy(kind), count.sum());
            });
            return counted.made();
        }
    }

    TaskTally() {
        for (Task task : Task.values()) {
            byTask.put(task, new One());
        }
    }

    void planned(Task task) {
        of(task).planned().increment();
    }

    void done(Task task, long nanos) {
        of(task).nanos().recordValue(Math.max(0, nanos));
    }

    void failed(Task task, String kind) {
        add(of(task).failures(), kind);
    }

    /** Something went wrong that is no task: looking for new mail, keeping the inbox at its limit. */
    void failedAside(String what) {
        add(aside, what);
    }

    private One of(Task task) {
        return Objects.requireNonNull(byTask.get(task));
    }

    private static void add(Map<String, LongAdder> to, String kind) {
        to.computeIfAbsent(kind, unused -> new LongAdder()).increment();
    }

    /**
     * Takes down all of it, once nobody counts any more; tasks that were not planned are left out.
     *
     * @param profile that has the weights of the score
     */
    void count(Repeat.Builder counted, UserProfile profile) {
        List<Repeat> tasks = new ArrayList<>();
        Histogram sending = new Histogram(3);
        byTask.forEach((task, one) -> {
            if (one.planned().sum() > 0) {
                tasks.add(one.counted(task, task.weight(profile)));
                if (Task.SENDING.contains(task)) {
                    sending.add(one.nanos());
                }
            }
        });
        counted.parts(LevelForm.TASKS, tasks).times(LevelForm.SEND_NS, sending);
    }

    /** {@return what went wrong beside the tasks, a line each} */
    List<String> asides() {
        return aside.entrySet().stream()
                .map(one -> one.getKey() + ": " + one.getValue().sum() + " times")
                .sorted()
                .toList();
    }
}
