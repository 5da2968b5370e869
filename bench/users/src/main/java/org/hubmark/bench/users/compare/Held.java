package org.hubmark.bench.users.compare;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

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

    static Held of(JsonNode results) {
        JsonNode limits = results.path("limits");
        JsonNode found = results.path("users_passed");
        Integer passed = found.isNumber() ? (Integer) found.asInt() : null;
        Integer notPassed = null;
        Integer surelyPassed = null;
        Integer surelyNotPassed = null;
        for (JsonNode level : results.path("levels")) {
            int users = level.path("users").asInt();
            if (!level.path("passes").isBoolean()) {
                continue;
            }
            boolean passes = level.path("passes").asBoolean();
            if (passes && isSurelyWithin(level, limits)) {
                surelyPassed = surelyPassed == null ? users : Math.max(surelyPassed, users);
            }
            if (!passes && (passed == null || users > passed)) {
                notPassed = notPassed == null ? users : Math.min(notPassed, users);
            }
            if (!passes && isSurelyBeyond(level, limits)) {
                surelyNotPassed =
                        surelyNotPassed == null ? users : Math.min(surelyNotPassed, users);
            }
        }
        return new Held(passed, notPassed, surelyPassed, surelyNotPassed);
    }

    private static boolean isSurelyWithin(JsonNode level, JsonNode limits) {
        Interval score = interval(level, LevelFigure.SCORE_MS::of);
        if (score == null || score.high() >= limits.path("score_ms").asDouble()) {
            return false;
        }
        Interval send = interval(level, LevelFigure.SEND_P95_MS::of);
        return send == null
                ? !LevelFigure.SEND_P95_MS.of(level).isNumber()
                : send.high() <= limits.path("send_ms").asDouble();
    }

    private static boolean isSurelyBeyond(JsonNode level, JsonNode limits) {
        Interval score = interval(level, LevelFigure.SCORE_MS::of);
        Interval send = interval(level, LevelFigure.SEND_P95_MS::of);
        List<JsonNode> runs = LevelTrees.wholeRuns(level);
        return (score != null && score.low() >= limits.path("score_ms").asDouble())
                || (send != null && send.low() > limits.path("send_ms").asDouble())
                || (runs.size() >= SEVERAL && runs.stream().allMatch(Held::isFaulty));
    }

    private static boolean isFaulty(JsonNode run) {
        JsonNode messages = run.path("accounting");
        long faults = messages.path("missing_msgs").asLong()
                + messages.path("uncounted_msgs").asLong()
                + messages.path("twice_msgs").asLong();
        for (JsonNode task : run.path("tasks")) {
            faults += task.path("failed").asLong() + task.path("open").asLong();
        }
        return faults > 0;
    }

    private static @Nullable Interval interval(
            JsonNode level, Function<JsonNode, JsonNode> figure) {
        return Inference.ofMean(Paired.runs(level, figure));
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

    static String whole(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
