package org.hubmark.bench.users.compare;

import org.hubmark.bench.kit.compare.Order;
import org.hubmark.bench.kit.compare.OwnComparison;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Regression.Outcome;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.users.result.Judgement;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.MailSystem;
import org.hubmark.bench.users.result.UserCharts;
import org.hubmark.bench.users.result.UsersResult;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Comparison of two mail systems: which of them holds more users. */
public final class UsersComparison {
    /** Settings that are said where they differ. */
    private static final List<String> OTHER = List.of(
            "seed",
            "runs",
            "duration",
            "warmup",
            "settle",
            "timeout",
            "smtp-tls",
            "imap-tls",
            "smtp-auth");

    private final Document a;
    private final Document b;
    private final Held heldA;
    private final Held heldB;
    private final UsersVerdict verdict;

    private UsersComparison(Document a, Document b) {
        this.a = a;
        this.b = b;
        this.heldA = Held.of(a);
        this.heldB = Held.of(b);
        this.verdict = UsersVerdict.of(heldA, heldB, isValid(a) && isValid(b));
    }

    /** {@return what is said of two results of users} */
    public static OwnComparison of(Document a, Document b) {
        UsersComparison both = new UsersComparison(a, b);
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put("verdict", both.verdict);
        facts.put("text", both.text());
        facts.put("held_a", both.heldA);
        facts.put("held_b", both.heldB);
        facts.put("users_passed_ratio", both.ratio());
        return new OwnComparison(
                both.obstacles(),
                "Two mail systems side by side, " + UsersResult.pace(a).profile() + " profile",
                both.text(),
                facts,
                both.remarks(),
                both.sections(),
                UserCharts.of(a, b),
                limit -> new Regression("users", both.outcome(limit), both.text()));
    }

    private static boolean isValid(Document document) {
        return document.findings().outcome() != Findings.Outcome.NOT_VALID;
    }

    /**
     * Finds what prevents a comparison. The values of a profile count, not their sources, and not
     * the keys that are not played.
     */
    private List<String> obstacles() {
        String where = firstDifference("", profile(a), profile(b));
        return where == null
                ? List.of()
                : List.of("profile differs: " + UsersResult.pace(a).profile() + " and "
                        + UsersResult.pace(b).profile() + ", " + where);
    }

    private static @Nullable Object profile(Document document) {
        return document.facts().get(UsersResult.PROFILE.key());
    }

    private static @Nullable String firstDifference(
            String path, @Nullable Object from, @Nullable Object to) {
        if (from instanceof Map<?, ?> before && to instanceof Map<?, ?> after) {
            Set<String> keys = new TreeSet<>();
            before.keySet().forEach(key -> keys.add(String.valueOf(key)));
            after.keySet().forEach(key -> keys.add(String.valueOf(key)));
            keys.removeAll(Set.of("source", "not_played"));
            return keys.stream()
                    .map(key -> firstDifference(path + key + " ", before.get(key), after.get(key)))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
        if (from instanceof List<?> before && to instanceof List<?> after) {
            for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
                String where = firstDifference(
                        path + (i + 1) + " ",
                        i < before.size() ? before.get(i) : null,
                        i < after.size() ? after.get(i) : null);
                if (where != null) {
                    return where;
                }
            }
            return null;
        }
        return isSame(from, to) ? null : path + "is " + text(from) + " and " + text(to);
    }

    private static boolean isSame(@Nullable Object from, @Nullable Object to) {
        return (from instanceof Number before && to instanceof Number after)
                ? before.doubleValue() == after.doubleValue()
                : text(from).equals(text(to));
    }

    private static String text(@Nullable Object value) {
        return value == null ? "none" : value.toString();
    }

    private List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        for (String name : OTHER) {
            Object from = a.provenance().settings().get(name);
            Object to = b.provenance().settings().get(name);
            differs(name, from, to, remarks);
        }
        differs(
                "version",
                a.provenance().tool().version(),
                b.provenance().tool().version(),
                remarks);
        differs("commit", a.provenance().tool().commit(), b.provenance().tool().commit(), remarks);
        own("A", a, remarks);
        own("B", b, remarks);
        return remarks;
    }

    private static void differs(
            String name, @Nullable Object from, @Nullable Object to, List<String> remarks) {
        if (!isSame(from, to)) {
            remarks.add(name + " differs: " + text(from) + " and " + text(to));
        }
    }

    private static void own(String name, Document document, List<String> remarks) {
        MailSystem target = UsersResult.target(document);
        if (target != null && target.embedded()) {
            remarks.add(name + " is the embedded mailbox server, which says nothing about a real"
                    + " mail system");
        }
        if (!document.complete()) {
            remarks.add(name + " was interrupted: levels are missing");
        }
        List<String> single = new ArrayList<>();
        Integer passed = UsersResult.usersPassed(document);
        List<Row> levels = LevelForm.levels(document);
        for (Row level : levels) {
            if (wholeRuns(level) < 2) {
                single.add(LevelForm.text(level));
            }
            if (passed != null
                    && LevelForm.users(level) < passed
                    && Boolean.FALSE.equals(Judgement.passes(document, level))) {
                remarks.add(name + " did not pass with " + LevelForm.text(level)
                        + ", and did with more");
            }
        }
        if (!single.isEmpty()) {
            remarks.add(name + " played one run of "
                    + (single.size() == levels.size() ? "each level" : String.join("; ", single))
                    + ": its figures have no interval, and chance may make a difference");
        }
    }

    private static long wholeRuns(Row level) {
        return level.repeats().stream().filter(Repeat::complete).count();
    }

    private @Nullable Double ratio() {
        Integer from = heldA.usersPassed();
        Integer to = heldB.usersPassed();
        return from == null || to == null ? null : (Double) ((double) to / from);
    }

    private String text() {
        String found = switch (verdict) {
            case HOLDS_MORE, HOLDS_FEWER -> Order.of(a, b).with("B " + verdict.text());
            case NOT_TOLD_APART, NOT_VALID -> verdict.text();
        };
        Double ratio = ratio();
        String why = why();
        return found + ": A holds " + heldA.text() + ", B " + heldB.text()
                + (ratio == null ? "" : String.format(Locale.ROOT, ", B / A %.2f", ratio))
                + (why.isEmpty() ? "" : "; " + why);
    }

    private String why() {
        return switch (verdict) {
            case HOLDS_MORE, HOLDS_FEWER -> "";
            case NOT_VALID -> {
                List<String> faults = new ArrayList<>();
                fault("A", a, faults);
                fault("B", b, faults);
                yield String.join("; ", faults);
            }
            case NOT_TOLD_APART -> whyNotToldApart();
        };
    }

    private static void fault(String name, Document document, List<String> faults) {
        if (!isValid(document)) {
            faults.add(name + ": " + String.join("; ", document.findings().reasons()));
        }
    }

    private String whyNotToldApart() {
        boolean more = heldA.isBelow(heldB);
        if (!more && !heldB.isBelow(heldA)) {
            return "numbers between two levels were not tried, and that leaves it open";
        }
        Held below = more ? heldA : heldB;
        Held above = more ? heldB : heldA;
        boolean single = isSingle(more ? a : b, below.usersNotPassed())
                || isSingle(more ? b : a, above.usersPassed());
        return single
                ? "one run of a level was played, which shows no difference"
                : "the intervals of their runs reach over the limits";
    }

    private static boolean isSingle(Document document, @Nullable Integer users) {
        return users != null
                && LevelForm.levels(document).stream()
                        .anyMatch(level -> LevelForm.users(level) == users && wholeRuns(level) < 2);
    }

    private Outcome outcome(double limit) {
        Double ratio = ratio();
        return switch (verdict) {
            case NOT_VALID -> Outcome.NOT_VALID;
            case HOLDS_MORE -> Outcome.NOT_WORSE;
            case HOLDS_FEWER -> ratio != null && 1 - ratio >= limit ? Outcome.WORSE : within(limit);
            case NOT_TOLD_APART -> within(limit);
        };
    }

    /** By the most that A may hold, and the least that B does. */
    private Outcome within(double limit) {
        Integer most = heldA.usersSurelyNotPassed();
        Integer least = heldB.usersSurelyPassed();
        boolean room = most == null || least == null || 1 - (double) least / most >= limit;
        return room ? Outcome.TOO_NOISY : Outcome.NOT_WORSE;
    }

    private List<Section> sections() {
        return List.of(new Section(
                2,
                "Which holds more users",
                List.of(
                        levels(),
                        new Block.Facts(List.of(
                                greeting("A's SMTP greeting", a, true),
                                greeting("A's IMAP greeting", a, false),
                                greeting("B's SMTP greeting", b, true),
                                greeting("B's IMAP greeting", b, false))),
                        new Block.Text(
                                "B holds more than A when A did not pass a level, B passed it or one of"
                                        + " more users, and chance does not explain that: each of the two levels was played"
                                        + " several times, and the 95 % intervals of score and sending lie on that side of"
                                        + " their limits, or in each run a task or a message failed. Else the two are not told"
                                        + " apart."))));
    }

    /** A level that one did not play is a dash. */
    private Block levels() {
        Map<Integer, List<String>> cells = new TreeMap<>();
        column(a, 0, cells);
        column(b, 1, cells);
        List<List<String>> rows = new ArrayList<>();
        cells.forEach((users, both) -> {
            List<String> row = new ArrayList<>(List.of(users.toString()));
            row.addAll(both);
            rows.add(row);
        });
        return new Block.Grid(
                        "Levels that either played",
                        List.of(
                                "Users",
                                "A passes",
                                "B passes",
                                "Why A does not",
                                "Why B does not"),
                        rows)
                .with(Set.of(3, 4));
    }

    private static void column(Document document, int place, Map<Integer, List<String>> cells) {
        for (Row level : LevelForm.levels(document)) {
            List<String> row = cells.computeIfAbsent(
                    LevelForm.users(level),
                    unused -> new ArrayList<>(
                            List.of(Cells.UNKNOWN, Cells.UNKNOWN, Cells.UNKNOWN, Cells.UNKNOWN)));
            Boolean passes = Judgement.passes(document, level);
            row.set(place, passes == null ? Cells.UNKNOWN : passes ? "yes" : "no");
            List<String> reasons = Judgement.reasons(document, level);
            row.set(place + 2, reasons.isEmpty() ? Cells.UNKNOWN : String.join("; ", reasons));
        }
    }

    private static Block.Fact greeting(String name, Document document, boolean smtp) {
        MailSystem target = UsersResult.target(document);
        String text = target == null ? null : smtp ? target.smtpGreeting() : target.imapGreeting();
        return new Block.Fact(name, text == null ? Cells.UNKNOWN : text);
    }
}
