package org.hubmark.bench.users.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.compare.ComparisonReport;
import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.OwnComparison;
import org.hubmark.bench.kit.compare.Pair;
import org.hubmark.bench.kit.compare.Regression.Outcome;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.statistics.Ratio;
import org.hubmark.bench.users.result.MadeResults;
import org.hubmark.bench.users.result.MailSystem;
import org.hubmark.bench.users.result.ResourceForm;
import org.hubmark.bench.users.result.UsersResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Proves what is said of two mail systems, and when nothing may be said. */
class UsersComparisonTest {
    private static final long[] FAST = {50, 52, 51, 50, 53};
    private static final long[] SLOW = {2000, 2100, 2050, 2000, 2020};

    @TempDir
    Path folder;

    private static Document played(Map<Integer, long[]> readMillis) {
        return MadeResults.of(readMillis);
    }

    private static OwnComparison compare(Document a, Document b) {
        return UsersComparison.of(a, b);
    }

    private static DocumentComparison figures(Document a, Document b) {
        return DocumentComparison.of(a, b, Rule.USUAL, UsersComparison.of(a, b));
    }

    private static Outcome outcome(OwnComparison found, double limit) {
        return found.regression().apply(limit).outcome();
    }

    @Test
    void oneRunOfALevelTellsNothingApart() {
        OwnComparison found = compare(
                played(Map.of(100, new long[] {50}, 200, new long[] {2000})),
                played(Map.of(200, new long[] {50}, 400, new long[] {2000})));
        assertThat(found.facts()).containsEntry("verdict", UsersVerdict.NOT_TOLD_APART);
        assertThat(found.answer())
                .isEqualTo("not told apart: A holds 100 users (200 did not pass), B 200 users (400"
                        + " did not pass), B / A 2.00; one run of a level was played, which shows no"
                        + " difference");
        assertThat(outcome(found, 0.05)).isEqualTo(Outcome.TOO_NOISY);
        assertThat(found.remarks())
                .contains(
                        "A played one run of each level: its figures have no interval, and chance may"
                                + " make a difference");
    }

    @Test
    void severalRunsDo() {
        Document less = played(Map.of(100, FAST, 200, SLOW));
        Document more = played(Map.of(100, FAST, 200, FAST, 400, SLOW));
        OwnComparison found = compare(less, more);
        assertThat(found.answer()).startsWith("B holds more: A holds 100 users");
        assertThat(found.facts()).containsEntry("users_passed_ratio", 2.0);
        assertThat(outcome(found, 0.05)).isEqualTo(Outcome.NOT_WORSE);
        OwnComparison back = compare(more, less);
        assertThat(back.facts()).containsEntry("verdict", UsersVerdict.HOLDS_FEWER);
        assertThat(outcome(back, 0.05)).isEqualTo(Outcome.WORSE);
        assertThat(outcome(back, 0.6)).isEqualTo(Outcome.TOO_NOISY);
        assertThat(outcome(back, 0.8)).isEqualTo(Outcome.NOT_WORSE);
    }

    /** What nobody could look for is no better than what is missing. */
    @Test
    void aMailboxThatCanNotBeLookedIntoIsAFaultOfEachRun() {
        OwnComparison found = compare(
                MadeResults.uncounted(Map.of(100, FAST, 200, FAST), 200),
                played(Map.of(100, FAST, 200, FAST, 400, SLOW)));
        assertThat(found.facts().get("held_a")).isEqualTo(new Held(100, 200, 100, 200));
    }

    /** On average A does not pass 200, by one slow run of three. */
    @Test
    void runsThatScatterDoNot() {
        OwnComparison found = compare(
                played(Map.of(100, FAST, 200, new long[] {1000, 1500, 4000})),
                played(Map.of(100, FAST, 200, FAST, 400, SLOW)));
        assertThat(found.facts()).containsEntry("verdict", UsersVerdict.NOT_TOLD_APART);
        assertThat(found.answer()).endsWith("the intervals of their runs reach over the limits");
    }

    @Test
    void stepsThatOverlapLeaveItOpen() {
        OwnComparison found =
                compare(played(Map.of(100, FAST, 200, SLOW)), played(Map.of(150, FAST, 250, SLOW)));
        assertThat(found.facts()).containsEntry("verdict", UsersVerdict.NOT_TOLD_APART);
        assertThat(found.answer())
                .endsWith("numbers between two levels were not tried, and that leaves it open");
        assertThat(outcome(found, 0.2)).isEqualTo(Outcome.TOO_NOISY);
        assertThat(outcome(found, 0.3)).isEqualTo(Outcome.NOT_WORSE);
        Document openAbove = played(Map.of(100, FAST));
        assertThat(compare(openAbove, openAbove).answer())
                .contains("A holds 100 users (more were not tried), B 100 users");
    }

    @Test
    void levelsStandSideBySide() throws IOException {
        Document a = played(Map.of(100, FAST, 200, SLOW));
        Document b = played(Map.of(100, new long[] {100, 104, 102, 100, 106}, 300, SLOW));
        DocumentComparison found = figures(a, b);
        assertThat(found.unmatched())
                .containsExactly("users 200: only in A", "users 300: only in B");
        Pair read = found.pairs().stream()
                .filter(pair -> pair.row().equals("users 100, task READ"))
                .filter(pair -> pair.column().key().equals("p95_ms"))
                .findFirst()
                .orElseThrow();
        Ratio ratio = Objects.requireNonNull(read.ratio());
        assertThat(ratio.value()).isBetween(1.99, 2.01);
        assertThat(ratio.interval())
                .isNotNull()
                .satisfies(interval -> assertThat(interval.low()).isBetween(1.9, 2.0));
        assertThat(found.pairs())
                .filteredOn(pair -> pair.row().equals("users 100, holds log")
                        && pair.column().equals(ResourceForm.DISK_WRITES))
                .singleElement()
                .satisfies(pair ->
                        assertThat(Objects.requireNonNull(pair.ratio()).value()).isEqualTo(1));
        // A tail that is worse is judged, though both hold as many users.
        assertThat(found.regressions(0.05))
                .filteredOn(one -> one.outcome() == Outcome.WORSE)
                .extracting(one -> one.id())
                .containsExactly("users 100, Score (ms)");
        assertThat(found.json("a", "b", null))
                .contains("\"verdict\" : \"not told apart\"")
                .contains("\"users_passed\" : 100")
                .contains("\"figure\" : \"score_ms\"");
    }

    @Test
    void anotherLoadIsNoComparison() {
        Document a = played(Map.of(100, FAST));
        assertThat(figures(a, MadeResults.with(a, Map.of("compress", 30.0), true))
                        .unmatched())
                .containsExactly("compress differs: 60.0 and 30.0");
        assertThat(figures(a, MadeResults.with(a, Map.of("day", "4h"), true)).pairs())
                .isEmpty();
        for (String setting :
                List.of("day", "limit", "send-limit", "new-mail", "poll", "mailbox-size")) {
            assertThat(figures(a, MadeResults.with(a, Map.of(setting, "1"), true))
                            .own())
                    .as(setting)
                    .isNull();
        }
        Map<String, Object> heavy = MadeResults.profile();
        heavy.put("name", "heavy");
        assertThat(compare(a, MadeResults.with(a, UsersResult.PROFILE, heavy)).obstacles())
                .singleElement()
                .asString()
                .contains("name is medium and heavy");
        Map<String, Object> other = MadeResults.profile();
        other.put("reading", Map.of("existing_msgs_per_day", Map.of("value", 16)));
        assertThat(compare(a, MadeResults.with(a, UsersResult.PROFILE, other)).obstacles())
                .singleElement()
                .asString()
                .contains("reading existing_msgs_per_day value is 15 and 16");
    }

    @Test
    void whatElseDiffersIsSaid() {
        Document a = played(Map.of(100, FAST));
        Map<String, Object> profile = new LinkedHashMap<>(MadeResults.profile());
        profile.put("source", "elsewhere");
        profile.put("not_played", Map.of("count", "10%"));
        Document b = MadeResults.with(
                MadeResults.with(a, Map.of("seed", 2, "duration", "20s"), false),
                UsersResult.PROFILE,
                profile);
        assertThat(figures(a, b).remarks())
                .contains(
                        "seed differs: none and 2",
                        "duration differs: none and 20s",
                        "A is the embedded mailbox server, which says nothing about a real mail"
                                + " system",
                        "B was interrupted: levels are missing");
        assertThat(figures(a, b).own()).isNotNull();
    }

    @Test
    void whatIsNotValidHasNoVerdict() {
        Document none = played(Map.of(100, SLOW));
        OwnComparison found = compare(none, played(Map.of(100, FAST)));
        assertThat(found.facts()).containsEntry("verdict", UsersVerdict.NOT_VALID);
        assertThat(found.answer())
                .isEqualTo(
                        "not valid: A holds none of its levels (100 did not pass), B 100 users (more"
                                + " were not tried); A: no level passed");
        assertThat(outcome(found, 0.05)).isEqualTo(Outcome.NOT_VALID);
    }

    @Test
    void printsTheVerdictThenTheFigures() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Document slow = played(Map.of(50, new long[] {50, 50}, 100, new long[] {2000, 2000}));
        figures(slow, slow).print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        String text = bytes.toString(StandardCharsets.UTF_8).replaceAll(" +", " ");
        assertThat(text)
                .startsWith("not told apart: A holds 50 users (100 did not pass)")
                .contains("\nusers 50 Score (ms) ")
                .contains("\nusers 100 Sending, p95 (ms) ");
    }

    @Test
    void writesTheReportWithBothInEachPlot() throws IOException {
        Document a = played(Map.of(50, new long[] {50, 50}, 100, new long[] {2000, 2000}));
        Document b = MadeResults.with(
                played(Map.of(50, new long[] {100, 100}, 150, new long[] {2000, 2000})),
                UsersResult.TARGET,
                new MailSystem(
                        false, "b:25", "b:143", false, null, null, List.of(), List.of(),
                        List.of()));
        ComparisonReport.write(figures(a, b), "one", "two", null, folder);
        assertThat(folder.resolve("comparison.json")).content().contains("\"users_passed\" : 50");
        assertThat(folder.resolve("report.md"))
                .content()
                .startsWith("# Two mail systems side by side, medium profile\n")
                .contains("Not told apart: A holds 50 users")
                .contains("| 150 | - | no | - | score 1105.7 ms, not below 1000 |")
                .contains("| users 50, task READ | Mean (ms) |");
        String page = Files.readString(folder.resolve("report.html"));
        for (String plot :
                new String[] {"score", "cpu", "queue", "io", "memory", "paging", "sending"}) {
            assertThat(page).contains("id=\"plot-" + plot + "\"");
        }
        assertThat(page)
                .contains("\"name\":\"A\"")
                .contains("\"name\":\"B\"")
                .contains("\"name\":\"A: log (vda) reads\"")
                .contains("\"name\":\"B: log (vda)\"")
                .contains("[[3200.0,1075.0]]");
    }
}
