package org.hubmark.bench.users.compare;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.users.result.Judgement;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.LevelLimits;
import org.hubmark.bench.users.result.UsersResult;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/**
 * How many users one holds, between two levels.
 *
 * @param usersPassed the most that passed; null when no level did
 * @param usersNotPassed the fewest beyond these that did not; null when more were not tried
 * @param usersSurelyPassed the most that passed so that several runs leave no doubt: the 95 % intervals of
 *     score and sending lie within their limits; null where there is none
 * @param usersSurelyNotPassed the fewest that did not, likewise: one of these intervals lies beyond its limit, or
 *     in each run a task or a message failed
 */
public record Held(
        @Nullable Integer usersPassed,
        @Nullable Integer usersNotPassed,
        @Nullable Integer usersSurelyPassed,
        @Nullable Integer usersSurelyNotPassed) {
    private static final int SEVERAL = 2;

    static Held of(Document document) {
        Integer passed = UsersResult.usersPassed(document);
        Integer notPassed = null;
        Integer surelyPassed = null;
        Integer surelyNotPassed = null;
        for (Row level : LevelForm.levels(document)) {
            int users = LevelForm.users(level);
            Boolean passes = Judgement.passes(document, level);
            if (passes == null) {
                continue;
            }
            if (passes && isSurelyWithin(document, level)) {
                surelyPassed = users;
            }
            if (!passes && notPassed == null && (passed == null || users > passed)) {
                notPassed = users;
            }
            if (!passes && surelyNotPassed == null && isSurelyBeyond(document, level)) {
                surelyNotPassed = users;
            }
        }
        return new Held(passed, notPassed, surelyPassed, surelyNotPassed);
    }

    private static boolean isSurelyWithin(Document document, Row level) {
        LevelLimits limits = UsersResult.limits(document);
        Interval score = interval(document, level, LevelForm.SCORE);
        if (score == null || score.high() >= limits.scoreMs()) {
            return false;
        }
        Interval send = interval(document, level, LevelForm.SEND_P95);
        return send == null
                ? !estimate(document, level, LevelForm.SEND_P95).isKnown()
                : send.high() <= limits.sendMs();
    }

    private static boolean isSurelyBeyond(Document document, Row level) {
        LevelLimits limits = UsersResult.limits(document);
        Interval score = interval(document, level, LevelForm.SCORE);
        Interval send = interval(document, level, LevelForm.SEND_P95);
        List<Repeat> runs = level.counted();
        return (score != null && score.low() >= limits.scoreMs())
                || (send != null && send.low() > limits.sendMs())
                || (runs.size() >= SEVERAL && runs.stream().allMatch(Judgement::isFaulty));
    }

    private static @Nullable Interval interval(Document document, Row level, Column column) {
        return estimate(document, level, column).range();
    }

    private static Estimate estimate(Document document, Row level, Column column) {
        Table levels = document.table(LevelForm.LEVELS);
        return levels.estimate(level, column);
    }

    /** {@return whether it holds fewer than the other by the levels that passed and those that did not} */
    boolean isBelow(Held other) {
        return isBelow(usersNotPassed, other.usersPassed);
    }

    /** {@return whether that is more than chance} */
    boolean isSurelyBelow(Held other) {
        return isBelow(other) && isBelow(usersSurelyNotPassed, other.usersSurelyPassed);
    }

    private static boolean isBelow(@Nullable Integer notPassed, @Nullable Integer passed) {
        return notPassed != null && passed != null && notPassed <= passed;
    }

    /** {@return it in words, "1,225 users (1,312 did not pass)"} */
    String text() {
        String most = usersPassed == null ? "none of its levels" : whole(usersPassed) + " users";
        return most
                + (usersNotPassed == null
                        ? " (more were not tried)"
                        : " (" + whole(usersNotPassed) + " did not pass)");
    }

    private static String whole(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
