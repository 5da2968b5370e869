package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.machine.statistics.Percentile;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * By which rules a level passes: the score of LoadSim, the 95th percentile of sending of LoadGen, every
 * task done and every message once in each mailbox that it was for. A task that failed is no fast task.
 */
public final class Judgement {
    /** So many times make a 95th percentile. */
    private static final long TIMES_MIN = Percentile.samplesMin(95);

    private static final String TOO_SHORT =
            ", which a 95th percentile takes; a longer --duration or more users give it";

    private Judgement() {}

    /** {@return whether a level passes; null where no run was played to its end, or all were too short} */
    public static @Nullable Boolean passes(Document document, Row level) {
        if (!isJudged(level)) {
            return null;
        }
        if (!failures(document, level).isEmpty()) {
            return false;
        }
        return unknown(document, level).isEmpty() ? (Boolean) true : null;
    }

    private static boolean isJudged(Row level) {
        // What was still under way when a run was broken off is not missing.
        return level.repeats().stream().anyMatch(Repeat::complete);
    }

    /**
     * {@return why a level does not pass, or why that is not known; none where it passes, and where no run was
     * played to its end}
     */
    public static List<String> reasons(Document document, Row level) {
        List<String> reasons = new ArrayList<>();
        if (isJudged(level)) {
            reasons.addAll(failures(document, level));
            reasons.addAll(unknown(document, level));
        }
        return reasons;
    }

    /** {@return percentiles that a level passes by and was too short for} */
    private static List<String> unknown(Document document, Row level) {
        Table levels = document.table(LevelForm.LEVELS);
        List<String> reasons = new ArrayList<>();
        if (!levels.estimate(level, LevelForm.SCORE).isKnown() && isDone(level)) {
            reasons.add("no task was done " + TIMES_MIN + " times in a run" + TOO_SHORT);
        }
        if (!levels.estimate(level, LevelForm.SEND_P95).isKnown()
                && count(levels, level, LevelForm.SENT_MSGS) > 0) {
            reasons.add("fewer than " + TIMES_MIN + " messages sent in a run" + TOO_SHORT);
        }
        return reasons;
    }

    private static boolean isDone(Row level) {
        Table tasks = level.part(LevelForm.TASKS);
        return tasks.rows().stream().anyMatch(task -> count(tasks, task, LevelForm.DONE_TASKS) > 0);
    }

    /** {@return what the score of a level leaves out, in a line; nothing where it has all or is not known} */
    static List<String> leftOut(Document document, Row level) {
        Estimate score = document.table(LevelForm.LEVELS).estimate(level, LevelForm.SCORE);
        Table tasks = level.part(LevelForm.TASKS);
        List<String> names = new ArrayList<>();
        for (Row task : tasks.rows()) {
            boolean isShort = task.counted().stream()
                    .map(run -> run.times(LevelForm.TASK_NS).getTotalCount())
                    .anyMatch(done -> done > 0 && done < TIMES_MIN);
            if (isShort && task.number(LevelForm.WEIGHT) > 0) {
                names.add(task.name(LevelForm.TASK));
            }
        }
        return names.isEmpty() || !score.isKnown()
                ? List.of()
                : List.of("the score leaves out what was done fewer than " + TIMES_MIN
                        + " times in a run: " + String.join(", ", names) + TOO_SHORT);
    }

    private static List<String> failures(Document document, Row level) {
        LevelLimits limits = UsersResult.limits(document);
        Table levels = document.table(LevelForm.LEVELS);
        List<String> reasons = new ArrayList<>();
        Estimate score = levels.estimate(level, LevelForm.SCORE);
        if (!score.isKnown() && !isDone(level)) {
            reasons.add("no task of the score was done");
        } else if (score.isKnown() && !(score.value() < limits.scoreMs())) {
            reasons.add(over("score %.1f ms, not below %s", score, limits.scoreMs()));
        }
        Estimate send = levels.estimate(level, LevelForm.SEND_P95);
        if (send.isKnown() && !(send.value() <= limits.sendMs())) {
            reasons.add(
                    over("95th percentile of sending %.1f ms, above %s", send, limits.sendMs()));
        }
        Table tasks = level.part(LevelForm.TASKS);
        for (Row task : tasks.rows()) {
            long open = count(tasks, task, LevelForm.OPEN_TASKS);
            failed(tasks, task).ifPresent(reasons::add);
            if (open > 0) {
                reasons.add(task.name(LevelForm.TASK) + ": " + open + " of "
                        + count(tasks, task, LevelForm.PLANNED_TASKS)
                        + " not done when the run was over");
            }
        }
        reasons.addAll(lost(document, level));
        return reasons;
    }

    private static String over(String words, Estimate measured, double limitMs) {
        return String.format(Locale.ROOT, words, measured.value(), Digits.plain(limitMs));
    }

    /** {@return how many tasks of each kind failed, and why} */
    static List<String> failed(Row level) {
        Table tasks = level.part(LevelForm.TASKS);
        return tasks.rows().stream()
                .flatMap(task -> failed(tasks, task).stream())
                .toList();
    }

    private static Optional<String> failed(Table tasks, Row task) {
        long failed = count(tasks, task, LevelForm.FAILED_TASKS);
        if (failed == 0) {
            return Optional.empty();
        }
        List<String> kinds = new ArrayList<>();
        LevelForm.failures(task).forEach((kind, count) -> kinds.add(kind + " " + count));
        return Optional.of(task.name(LevelForm.TASK) + ": " + failed + " of "
                + count(tasks, task, LevelForm.PLANNED_TASKS) + " failed ("
                + String.join(", ", kinds) + ")");
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

    private static long count(Table table, Row row, Column column) {
        return Math.round(table.estimate(row, column).value());
    }
}
