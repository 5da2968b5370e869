package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.statistics.Digits;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * By which rules a level passes: the score of LoadSim, the 95th percentile of sending of LoadGen, every
 * task done and every message once in each mailbox that it was for. A task that failed is no fast task.
 */
public final class Judgement {
    private Judgement() {}

    /** {@return whether a level passes; null where no run was played to its end} */
    public static @Nullable Boolean passes(Document document, Row level) {
        return isJudged(level) ? (Boolean) reasons(document, level).isEmpty() : null;
    }

    private static boolean isJudged(Row level) {
        // What was still under way when a run was broken off is not missing.
        return level.repeats().stream().anyMatch(Repeat::complete);
    }

    /** {@return why a level does not pass; none where it passes, or is not judged} */
    public static List<String> reasons(Document document, Row level) {
        if (!isJudged(level)) {
            return List.of();
        }
        LevelLimits limits = UsersResult.limits(document);
        Table levels = document.table(LevelForm.LEVELS);
        List<String> reasons = new ArrayList<>();
        Estimate score = levels.estimate(level, LevelForm.SCORE);
        if (!score.isKnown()) {
            reasons.add("no task of the score was done");
        } else if (!(score.value() < limits.scoreMs())) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "score %.1f ms, not below %s",
                    score.value(),
                    Digits.plain(limits.scoreMs())));
        }
        Estimate send = levels.estimate(level, LevelForm.SEND_P95);
        if (send.isKnown() && !(send.value() <= limits.sendMs())) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "95th percentile of sending %.1f ms, above %s",
                    send.value(),
                    Digits.plain(limits.sendMs())));
        }
        Table tasks = level.part(LevelForm.TASKS);
        for (Row task : tasks.rows()) {
            String name = task.name(LevelForm.TASK);
            long planned = count(tasks, task, LevelForm.PLANNED_TASKS);
            long failed = count(tasks, task, LevelForm.FAILED_TASKS);
            long open = count(tasks, task, LevelForm.OPEN_TASKS);
            if (failed > 0) {
                reasons.add(
                        name + ": " + failed + " of " + planned + " failed (" + kinds(task) + ")");
            }
            if (open > 0) {
                reasons.add(
                        name + ": " + open + " of " + planned + " not done when the run was over");
            }
        }
        reasons.addAll(lost(document, level));
        return reasons;
    }

    private static String kinds(Row task) {
        List<String> kinds = new ArrayList<>();
        LevelForm.failures(task).forEach((kind, count) -> kinds.add(kind + " " + count));
        return String.join(", ", kinds);
    }

    /** {@return what is wrong with the messages of a level; nothing where it is not judged} */
    static List<String> lost(Document document, Row level) {
        List<String> reasons = new ArrayList<>();
        if (!isJudged(level)) {
            return reasons;
        }
        Table levels = document.table(LevelForm.LEVELS);
        long expected = count(levels, level, LevelForm.EXPECTED_COPIES);
        long missing = count(levels, level, LevelForm.MISSING_MSGS);
        long uncounted = count(levels, level, LevelForm.UNCOUNTED_MSGS);
        long twice = count(levels, level, LevelForm.TWICE_MSGS);
        if (missing > 0) {
            reasons.add(missing + " of " + expected + " messages missing in their mailboxes");
        }
        if (uncounted > 0) {
            reasons.add(uncounted + " of " + expected
                    + " messages not counted: their mailboxes could not be looked into");
        }
        if (twice > 0) {
            reasons.add(twice + " messages more than once in a mailbox");
        }
        return reasons;
    }

    /** {@return how many tasks of a level failed} */
    static long failed(Row level) {
        Table tasks = level.part(LevelForm.TASKS);
        return tasks.rows().stream()
                .mapToLong(task -> count(tasks, task, LevelForm.FAILED_TASKS))
                .sum();
    }

    /** {@return whether a task or a message of a run failed} */
    public static boolean isFaulty(Repeat run) {
        double faults = run.count(LevelForm.MISSING)
                + run.count(LevelForm.UNCOUNTED)
                + run.count(LevelForm.TWICE);
        for (Repeat task : run.parts().getOrDefault(LevelForm.TASKS.key(), List.of())) {
            faults += LevelForm.FAILED_TASKS.value(task) + LevelForm.OPEN_TASKS.value(task);
        }
        return faults > 0;
    }

    private static long count(Table table, Row row, Column column) {
        return Math.round(table.estimate(row, column).value());
    }
}
