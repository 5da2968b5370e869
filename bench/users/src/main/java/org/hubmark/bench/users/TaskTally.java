package org.hubmark.bench.users;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.Task;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What became of the tasks of a run, counted by all users at once. Any thread. */
final class TaskTally {
    /** Some kinds have words of the server in them, which may differ each time. */
    static final int KINDS_MAX = 20;

    static final String OTHERS = "for other reasons";

    private final Map<Task, One> byTask = new EnumMap<>(Task.class);
    /** What went wrong beside the tasks, by kind in words. */
    private final Map<String, LongAdder> aside = new ConcurrentHashMap<>();

    private record One(
            LongAdder planned, LongAdder late, Map<String, LongAdder> failures, Histogram nanos) {
        One() {
            this(
                    new LongAdder(),
                    new LongAdder(),
                    new ConcurrentHashMap<>(),
                    new ConcurrentHistogram(3));
        }

        private Repeat counted(Task task, double weight) {
            Map<String, Long> kinds = sums(failures);
            Repeat.Builder counted = Repeat.counted()
                    .name(LevelForm.TASK, task.name())
                    .name(LevelForm.WEIGHT, weight)
                    .count(LevelForm.PLANNED, planned.sum())
                    .count(
                            LevelForm.FAILED,
                            kinds.values().stream().mapToLong(Long::longValue).sum())
                    .count(LevelForm.LATE, late.sum())
                    .times(LevelForm.TASK_NS, nanos.copy());
            kinds.forEach((kind, count) -> {
                var unused = counted.count(LevelForm.failedBy(kind), count);
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

    void late(Task task) {
        of(task).late().increment();
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
        String counted = to.size() < KINDS_MAX || to.containsKey(kind) ? kind : OTHERS;
        to.computeIfAbsent(counted, unused -> new LongAdder()).increment();
    }

    /**
     * Takes down all of it, once nobody counts any more; tasks that were not planned are left out.
     *
     * @param weights of the score, by task; one that is missing has none
     */
    void count(Repeat.Builder counted, Map<Task, Double> weights) {
        List<Repeat> tasks = new ArrayList<>();
        Histogram sending = new Histogram(3);
        byTask.forEach((task, one) -> {
            if (one.planned().sum() > 0) {
                tasks.add(one.counted(task, weights.getOrDefault(task, 0.0)));
                if (Task.SENDING.contains(task)) {
                    sending.add(one.nanos());
                }
            }
        });
        counted.parts(LevelForm.TASKS, tasks).times(LevelForm.SEND_NS, sending);
    }

    /** {@return what went wrong beside the tasks} */
    Map<String, Long> asides() {
        return sums(aside);
    }

    private static Map<String, Long> sums(Map<String, LongAdder> adders) {
        Map<String, Long> sums = new TreeMap<>();
        adders.forEach((kind, count) -> sums.put(kind, count.sum()));
        return sums;
    }
}
