package org.hubmark.bench.users.result;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * By which rules a level passes: the score of LoadSim, the 95th percentile of sending of LoadGen, every
 * task done and every message once in each mailbox that it was for. A task that failed is no fast task.
 */
final class Judgement {
    private Judgement() {}

    /** {@return why a level does not pass; none when it passes} */
    static List<String> judge(
            Limits limits,
            @Nullable Double scoreMs,
            @Nullable Double sendP95Ms,
            List<TaskFigures> tasks,
            Accounting accounting) {
        List<String> reasons = new ArrayList<>();
        if (scoreMs == null) {
            reasons.add("no task of the score was done");
        } else if (!(scoreMs < limits.scoreMs())) {
            reasons.add(String.format(
                    Locale.ROOT, "score %.1f ms, not below %s", scoreMs, number(limits.scoreMs())));
        }
        if (sendP95Ms != null && !(sendP95Ms <= limits.sendMs())) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "95th percentile of sending %.1f ms, above %s",
                    sendP95Ms,
                    number(limits.sendMs())));
        }
        for (TaskFigures task : tasks) {
            if (task.failed() > 0) {
                reasons.add(task.task() + ": " + task.failed() + " of " + task.planned()
                        + " failed (" + kinds(task) + ")");
            }
            if (task.open() > 0) {
                reasons.add(task.task() + ": " + task.open() + " of " + task.planned()
                        + " not done when the run was over");
            }
        }
        reasons.addAll(lost(accounting));
        return reasons;
    }

    /** {@return what is wrong with the messages} */
    static List<String> lost(Accounting accounting) {
        List<String> reasons = new ArrayList<>();
        if (accounting.missingMsgs() > 0) {
            reasons.add(accounting.missingMsgs() + " of " + accounting.expectedMsgs()
                    + " messages missing in their mailboxes");
        }
        if (accounting.uncountedMsgs() > 0) {
            reasons.add(accounting.uncountedMsgs() + " of " + accounting.expectedMsgs()
                    + " messages not counted: their mailboxes could not be looked into");
        }
        if (accounting.twiceMsgs() > 0) {
            reasons.add(accounting.twiceMsgs() + " messages more than once in a mailbox");
        }
        return reasons;
    }

    private static String kinds(TaskFigures task) {
        List<String> kinds = new ArrayList<>();
        task.failures().forEach((kind, count) -> kinds.add(kind + " " + count));
        return String.join(", ", kinds);
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
