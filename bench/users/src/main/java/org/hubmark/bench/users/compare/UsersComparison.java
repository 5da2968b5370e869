package org.hubmark.bench.users.compare;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Regression.Outcome;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Two results of users side by side, as it stands in comparison.json.
 *
 * @param schema the form of the file
 * @param a what is compared with
 * @param b what is judged
 * @param verdict of B
 * @param text the verdict and what it rests on, in one line
 * @param heldA how many users A holds
 * @param heldB how many users B holds
 * @param usersPassedRatio b over a; null when either passed no level
 * @param failIfSlower the share of users that was asked for; null for none
 * @param regression not worse, too noisy to tell, not valid or worse; null unless it was asked for
 * @param levels all that either has
 * @param remarks what must be known to read it
 */
public record UsersComparison(
        int schema,
        String a,
        String b,
        UsersVerdict verdict,
        String text,
        Held heldA,
        Held heldB,
        @Nullable Double usersPassedRatio,
        @Nullable Double failIfSlower,
        @Nullable String regression,
        List<LevelPair> levels,
        List<String> remarks) {
    /** Copies. */
    public UsersComparison {
        levels = List.copyOf(levels);
        remarks = List.copyOf(remarks);
    }

    /**
     * Compares, or says in a {@link UserError} why that is no comparison.
     *
     * @param nameA of A, for people
     * @param a as it stands in users.json
     * @param failIfSlower a share of users, or null
     */
    public static UsersComparison of(
            String nameA, JsonNode a, String nameB, JsonNode b, @Nullable Double failIfSlower) {
        List<String> obstacles = Conditions.obstacles(a, b);
        if (!obstacles.isEmpty()) {
            throw UserError.failed("nothing to compare: " + nameA + " and " + nameB
                    + " are not of one load and judgement (" + String.join("; ", obstacles) + ")");
        }
        Held heldA = Held.of(a);
        Held heldB = Held.of(b);
        List<String> faults = new ArrayList<>();
        faults("A", a, faults);
        faults("B", b, faults);
        UsersVerdict verdict = UsersVerdict.of(heldA, heldB, faults.isEmpty());
        Double ratio = ratio(heldA, heldB);
        return new UsersComparison(
                JsonFile.SCHEMA,
                nameA,
                nameB,
                verdict,
                text(verdict, heldA, heldB, ratio, why(verdict, heldA, heldB, a, b, faults)),
                heldA,
                heldB,
                ratio,
                failIfSlower,
                failIfSlower == null
                        ? null
                        : outcome(verdict, heldA, heldB, failIfSlower).text(),
                LevelPair.of(a, b),
                Conditions.remarks(a, b));
    }

    private static void faults(String name, JsonNode results, List<String> faults) {
        if (!results.path("valid").asBoolean()) {
            faults.add(
                    name + ": " + String.join("; ", Cells.texts(results.path("invalid_reasons"))));
        }
    }

    private static @Nullable Double ratio(Held a, Held b) {
        Integer from = a.usersPassed();
        Integer to = b.usersPassed();
        return from == null || to == null ? null : (Double) ((double) to / from);
    }

    private static String text(
            UsersVerdict verdict, Held a, Held b, @Nullable Double ratio, String why) {
        String found = switch (verdict) {
            case HOLDS_MORE, HOLDS_FEWER -> "B " + verdict.text();
            case NOT_TOLD_APART, NOT_VALID -> verdict.text();
        };
        return found + ": A holds " + a.text() + ", B " + b.text()
                + (ratio == null ? "" : String.format(Locale.ROOT, ", B / A %.2f", ratio))
                + (why.isEmpty() ? "" : "; " + why);
    }

    private static String why(
            UsersVerdict verdict,
            Held a,
            Held b,
            JsonNode treeA,
            JsonNode treeB,
            List<String> faults) {
        if (verdict == UsersVerdict.NOT_VALID) {
            return String.join("; ", faults);
        }
        if (verdict != UsersVerdict.NOT_TOLD_APART) {
            return "";
        }
        boolean more = a.isBelow(b);
        if (!more && !b.isBelow(a)) {
            return "what lies between two levels was not tried, and that leaves it open";
        }
        Held below = more ? a : b;
        Held above = more ? b : a;
        boolean single = isSingle(more ? treeA : treeB, below.usersNotPassed())
                || isSingle(more ? treeB : treeA, above.usersPassed());
        return single
                ? "one run of a level was played, which shows no difference"
                : "the intervals of their runs reach over the limits";
    }

    private static boolean isSingle(JsonNode results, @Nullable Integer users) {
        return users != null
                && LevelTrees.wholeRuns(LevelTrees.of(results, users)).size() < 2;
    }

    /**
     * {@return whether B holds fewer users by a share that matters}
     *
     * @param limit the share
     */
    public Regression regression(double limit) {
        return new Regression("users", outcome(verdict, heldA, heldB, limit), text);
    }

    private static Outcome outcome(UsersVerdict verdict, Held a, Held b, double limit) {
        Double ratio = ratio(a, b);
        return switch (verdict) {
            case NOT_VALID -> Outcome.NOT_VALID;
            case HOLDS_MORE -> Outcome.NOT_WORSE;
            case HOLDS_FEWER ->
                ratio != null && 1 - ratio >= limit ? Outcome.WORSE : within(a, b, limit);
            case NOT_TOLD_APART -> within(a, b, limit);
        };
    }

    /** By the most that A may hold, and the least that B does. */
    private static Outcome within(Held a, Held b, double limit) {
        Integer most = a.usersSurelyNotPassed();
        Integer least = b.usersSurelyPassed();
        boolean room = most == null || least == null || 1 - (double) least / most >= limit;
        return room ? Outcome.TOO_NOISY : Outcome.NOT_WORSE;
    }

    /** {@return it as JSON, over several lines} */
    public String json() {
        return JsonFile.text(this);
    }
}
