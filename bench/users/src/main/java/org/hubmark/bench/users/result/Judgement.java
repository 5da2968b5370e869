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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * By which rules a level passes: the score of LoadSim, the 95th percentile of sending of LoadGen, every
 * task done and every message once in each mailbox that it was for. A task that failed is no fast task.
 */
public final class Judgement {
    /** So many times make a 95th percentile. */
    private static final long TIMES_MIN = Percentile.samplesMin(95);

    private static final String TOO_SHORT =
            ", which a 95th percentile takes; a longer --duration or more users give it";

    private static final SequencedMap<Column, String> LOST = new LinkedHashMap<>();

    static {
        LOST.put(LevelForm.MISSING_MSGS, "missing in their mailboxes");
        LOST.put(LevelForm.UNCOUNTED_MSGS, "not counted: their mailboxes could not be looked into");
        LOST.put(LevelForm.TWICE_MSGS, "more than once in a mailbox");
    }

    private Judgement() {}

    /** {@return whether a level passes; null where no run was played to its end, or all were too short} */
    public static @Nullable Boolean passes(Document document, Row level) {
        boolean failed = !failures(document, level).isEmpty();
        return (isJudged(level) && (failed || unknown(document, level).isEmpty()))
                ? (Boolean) !failed
                : null;
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
        Stream<String> failures = failures(document, level).stream();
        Stream<String> all = Stream.concat(failures, unknown(document, level).stream());
        return isJudged(level) ? all.toList() : List.of();
    }

    /** {@return percentiles that a level passes by and was too short for} */
    private static List<String> unknown(Document document, Row level) {
        Table levels = document.table(LevelForm.LEVELS);
        List<String> reasons = new ArrayList<>();
        if (!levels.estimate(level, LevelForm.SCORE).isKnown()) {
            reasons.add("no task was done " + TIMES_MIN + " times in a run" + TOO_SHORT);
        }
        if (!levels.estimate(level, LevelForm.SEND_P95).isKnown()
                && count(levels, level, LevelForm.SENT_MSGS) > 0) {
            reasons.add("fewer than " + TIMES_MIN + " messages sent in a run" + TOO_SHORT);
        }
        return reasons;
    }

    /** {@return what the score of a level leaves out, in a line; nothing where it has all} */
    static List<String> leftOut(Document document, Row level) {
        String tasks = level.part(LevelForm.TASKS).rows().stream()
                .filter(task -> task.number(LevelForm.WEIGHT) > 0
                        && task.counted().stream().anyMatch(LevelForm.TASK_P95::isShortOfTimes))
                .map(task -> task.name(LevelForm.TASK))
                .collect(Collectors.joining(", "));
        return tasks.isEmpty() || passes(document, level) == null
                ? List.of()
                : List.of("the score leaves out what was done fewer than " + TIMES_MIN
                        + " times in a run: " + tasks + TOO_SHORT);
    }

    private static List<String> failures(Document document, Row level) {
        LevelLimits limits = UsersResult.limits(document);
        Table levels = document.table(LevelForm.LEVELS);
        List<String> reasons = new ArrayList<>();
        Estimate score = levels.estimate(level, LevelForm.SCORE);
        if (score.isKnown() && score.value() >= limits.scoreMs()) {
            reasons.add(over("score %.1f ms, not below %s", score, limits.scoreMs()));
        }
        Estimate send = levels.estimate(level, LevelForm.SEND_P95);
        if (send.isKnown() && send.value() > limits.sendMs()) {
            reasons.add(
                    over("95th percentile of sending %.1f ms, above %s", send, limits.sendMs()));
        }
        reasons.addAll(failed(level));
        Table tasks = level.part(LevelForm.TASKS);
        for (Row task : tasks.rows()) {
            long open = count(tasks, task, LevelForm.OPEN_TASKS);
            if (open > 0) {
                reasons.add(task.name(LevelForm.TASK) + ": " + open
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
        List<String> reasons = new ArrayList<>();
        for (Row task : level.part(LevelForm.TASKS).rows()) {
            LevelForm.failures(task)
                    .forEach((kind, count) -> reasons.add(
                            task.name(LevelForm.TASK) + ": " + count + " failed, " + kind));
        }
        return reasons;
    }

    /** {@return what is wrong with the messages of a level; nothing where it is not judged} */
    static List<String> lost(Document document, Row level) {
        Table levels = document.table(LevelForm.LEVELS);
        List<String> reasons = new ArrayList<>();
        LOST.forEach((column, words) -> {
            long count = count(levels, level, column);
            if (isJudged(level) && count > 0) {
                reasons.add(count + " messages " + words);
            }
        });
        return reasons;
    }

    private static long count(Table table, Row row, Column column) {
        return Math.round(table.estimate(row, column).value());
    }
}
