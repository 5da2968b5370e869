package org.hubmark.bench.users.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.UserError;
import org.hubmark.bench.kit.compare.Regression.Outcome;
import org.hubmark.bench.users.result.MadeResults;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Proves what is said of two mail systems, and when nothing may be said. */
class UsersComparisonTest {
    private static final long[] FAST = {50, 52, 51, 50, 53};
    private static final long[] SLOW = {2000, 2100, 2050, 2000, 2020};

    @TempDir
    Path folder;

    private JsonNode played(Map<Integer, long[]> readMillis) throws IOException {
        return MadeResults.write(folder, readMillis);
    }

    private static UsersComparison compare(JsonNode a, JsonNode b) {
        return UsersComparison.of("a", a, "b", b, null);
    }

    @Test
    void oneRunOfALevelTellsNothingApart() throws IOException {
        UsersComparison found = compare(
                played(Map.of(100, new long[] {50}, 200, new long[] {2000})),
                played(Map.of(200, new long[] {50}, 400, new long[] {2000})));
        assertThat(found.verdict()).isEqualTo(UsersVerdict.NOT_TOLD_APART);
        assertThat(found.text())
                .isEqualTo("not told apart: A holds 100 users (200 did not pass), B 200 users (400"
                        + " did not pass), B / A 2.00; one run of a level was played, which shows no"
                        + " difference");
        assertThat(found.regression(0.05).outcome()).isEqualTo(Outcome.TOO_NOISY);
        assertThat(found.remarks())
                .contains(
                        "A played one run of each level: its figures have no interval, and chance may"
                                + " make a difference");
    }

    @Test
    void severalRunsDo() throws IOException {
        JsonNode less = played(Map.of(100, FAST, 200, SLOW));
        JsonNode more = played(Map.of(100, FAST, 200, FAST, 400, SLOW));
        UsersComparison found = compare(less, more);
        assertThat(found.verdict()).isEqualTo(UsersVerdict.HOLDS_MORE);
        assertThat(found.text()).startsWith("B holds more: A holds 100 users");
        assertThat(found.usersPassedRatio()).isEqualTo(2);
        assertThat(found.regression(0.05).outcome()).isEqualTo(Outcome.NOT_WORSE);
        UsersComparison back = compare(more, less);
        assertThat(back.verdict()).isEqualTo(UsersVerdict.HOLDS_FEWER);
        assertThat(back.regression(0.05).outcome()).isEqualTo(Outcome.WORSE);
        assertThat(back.regression(0.6).outcome()).isEqualTo(Outcome.TOO_NOISY);
        assertThat(back.regression(0.8).outcome()).isEqualTo(Outcome.NOT_WORSE);
    }

    /** What nobody could look for is no better than what is missing. */
    @Test
    void aMailboxThatCanNotBeLookedIntoIsAFaultOfEachRun() throws IOException {
        JsonNode a = played(Map.of(100, FAST, 200, FAST));
        ObjectNode level = (ObjectNode) a.path("levels").get(1);
        level.put("passes", false);
        level.path("repeats")
                .forEach(run -> ((ObjectNode) run.path("accounting")).put("uncounted_msgs", 1));
        ((ObjectNode) a).put("users_passed", 100);
        UsersComparison found = compare(a, played(Map.of(100, FAST, 200, FAST, 400, SLOW)));
        assertThat(found.heldA().usersSurelyNotPassed()).isEqualTo(200);
        assertThat(found.verdict()).isEqualTo(UsersVerdict.HOLDS_MORE);
    }

    /** On average A does not pass 200, by one slow run of three. */
    @Test
    void runsThatScatterDoNot() throws IOException {
        UsersComparison found = compare(
                played(Map.of(100, FAST, 200, new long[] {1000, 1500, 4000})),
                played(Map.of(100, FAST, 200, FAST, 400, SLOW)));
        assertThat(found.verdict()).isEqualTo(UsersVerdict.NOT_TOLD_APART);
        assertThat(found.text()).endsWith("the intervals of their runs reach over the limits");
    }

    @Test
    void stepsThatOverlapLeaveItOpen() throws IOException {
        UsersComparison found =
                compare(played(Map.of(100, FAST, 200, SLOW)), played(Map.of(150, FAST, 250, SLOW)));
        assertThat(found.verdict()).isEqualTo(UsersVerdict.NOT_TOLD_APART);
        assertThat(found.text())
                .endsWith("what lies between two levels was not tried, and that leaves it open");
        assertThat(found.regression(0.2).outcome()).isEqualTo(Outcome.TOO_NOISY);
        assertThat(found.regression(0.3).outcome()).isEqualTo(Outcome.NOT_WORSE);
        JsonNode openAbove = played(Map.of(100, FAST));
        assertThat(compare(openAbove, openAbove).text())
                .contains("A holds 100 users (more were not tried), B 100 users");
    }

    @Test
    void levelsStandSideBySide() throws IOException {
        JsonNode a = played(Map.of(100, FAST, 200, SLOW));
        JsonNode b = played(Map.of(100, new long[] {100, 104, 102, 100, 106}, 300, SLOW));
        b.path("levels")
                .forEach(level ->
                        ((ObjectNode) level.at("/resources/disks/0")).put("device", "sdb"));
        UsersComparison found = compare(a, b);
        assertThat(found.levels()).extracting(LevelPair::users).containsExactly(100, 200, 300);
        LevelPair both = found.levels().getFirst();
        LevelPair.TaskPair read = both.tasks().stream()
                .filter(task -> task.task().name().equals("READ"))
                .findFirst()
                .orElseThrow();
        assertThat(read.p95Ms().ratio()).isBetween(1.99, 2.01);
        assertThat(read.p95Ms().interval())
                .isNotNull()
                .satisfies(interval -> assertThat(interval.low()).isBetween(1.9, 2.0));
        DevicePair device = both.devices().getFirst();
        assertThat(device.holds()).isEqualTo("log");
        assertThat(device.deviceA()).isEqualTo("vda");
        assertThat(device.deviceB()).isEqualTo("sdb");
        assertThat(device.writesPerS().ratio()).isEqualTo(1);
        LevelPair onlyA = found.levels().get(1);
        assertThat(onlyA.b()).isNull();
        Paired score = onlyA.figure(LevelFigure.SCORE_MS);
        assertThat(score).isNotNull();
        assertThat(score.a()).isGreaterThan(1000);
        assertThat(score.b()).isNull();
        assertThat(score.ratio()).isNull();
        JsonNode json = new ObjectMapper().readTree(found.json());
        assertThat(json.path("verdict").asText()).isEqualTo("not told apart");
        assertThat(json.at("/levels/0/figures/score_ms/ratio").isNumber()).isTrue();
        assertThat(json.at("/held_a/users_passed").asInt()).isEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /settings          | compress  | 30     | compress differs: 60 and 30
            /settings          | day       | 4h     | day differs: 8h and 4h
            /limits            | score_ms  | 500    | limit of the score differs: 1000 and 500
            /limits            | send_ms   | 100    | limit of sending differs: 500 and 100
            /profile           | name      | heavy  | profile differs: medium and heavy
            /profile/reading/existing_msgs_per_day | value | 16 | reading existing_msgs_per_day value is 15 and 16
            """)
    void anotherLoadIsNoComparison(String where, String key, String value, String words)
            throws IOException {
        JsonNode a = played(Map.of(100, FAST));
        JsonNode b = a.deepCopy();
        ObjectNode changed = (ObjectNode) b.at(where);
        if (value.matches("[0-9]+")) {
            changed.put(key, Integer.parseInt(value));
        } else {
            changed.put(key, value);
        }
        assertThatThrownBy(() -> compare(a, b))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("nothing to compare: a and b ")
                .hasMessageContaining(words);
    }

    @Test
    void saysWhatElseDiffers() throws IOException {
        JsonNode a = played(Map.of(100, FAST));
        JsonNode b = a.deepCopy();
        ((ObjectNode) b.path("settings")).put("seed", 2).put("duration", "20s").put("day", "480m");
        ((ObjectNode) b.at("/profile/reading/existing_msgs_per_day")).put("source", "elsewhere");
        ((ObjectNode) b.path("profile")).putObject("not_played").put("count", "10%");
        ((ObjectNode) b).put("complete", false);
        assertThat(compare(a, b).remarks())
                .contains(
                        "seed differs: none and 2",
                        "duration differs: none and 20s",
                        "A is the embedded mailbox server, which says nothing of a real one",
                        "B was interrupted: levels are missing");
    }

    @Test
    void whatIsNotValidHasNoVerdict() throws IOException {
        UsersComparison found = UsersComparison.of(
                "a", played(Map.of(100, SLOW)), "b", played(Map.of(100, FAST)), 0.05);
        assertThat(found.verdict()).isEqualTo(UsersVerdict.NOT_VALID);
        assertThat(found.text())
                .isEqualTo(
                        "not valid: A holds none of its levels (100 did not pass), B 100 users (more"
                                + " were not tried); A: no level passed");
        assertThat(found.regression()).isEqualTo("not valid");
    }
}
