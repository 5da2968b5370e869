package org.hubmark.bench.users.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * Proves the form of users.json, what is made of the counts of runs, when a level passes, and that a
 * figure that was changed is found.
 */
class UsersResultsTest {
    @TempDir
    Path folder;

    private static List<String> keys(JsonNode object) {
        return StreamSupport.stream(((Iterable<String>) object::fieldNames).spliterator(), false)
                .toList();
    }

    @Test
    void theFileHasTheKeysOfTheContract() throws IOException {
        JsonNode results = MadeResults.write(folder);
        assertThat(keys(results))
                .contains(
                        "schema",
                        "tool",
                        "environment",
                        "settings",
                        "profile",
                        "levels",
                        "users_passed");
        JsonNode level = results.path("levels").get(0);
        assertThat(keys(level))
                .contains(
                        "users",
                        "runs",
                        "score_ms",
                        "passes",
                        "reasons",
                        "tasks",
                        "send_latency_ms",
                        "arrival_latency_ms",
                        "sent_msgs",
                        "arrived_msgs",
                        "missing_msgs",
                        "uncounted_msgs",
                        "per_user_day",
                        "resources");
        assertThat(keys(level.path("tasks").get(0)))
                .contains(
                        "task", "planned", "done", "failed", "p50_ms", "p95_ms", "p99_ms",
                        "mean_ms", "sd_ms", "max_ms", "weight");
        assertThat(keys(level.path("send_latency_ms"))).containsExactly("mean", "p95");
        assertThat(keys(level.path("arrival_latency_ms"))).containsExactly("p50", "p95", "max");
        assertThat(keys(level.path("per_user_day")))
                .containsExactly(
                        "sent",
                        "sent_new",
                        "sent_reply",
                        "sent_reply_all",
                        "sent_forward",
                        "received",
                        "recipients_mean");
        assertThat(results.path("users_passed").asInt()).isEqualTo(50);
    }

    @Test
    void ofFiveRunsTheBestAndTheWorstAreLeftOut() throws IOException {
        JsonNode level = MadeResults.write(folder).path("levels").get(0);
        assertThat(level.path("middle_runs")).extracting(JsonNode::asInt).containsExactly(1, 3, 5);
        // READ weighs 0.55 and took 50, 60 and 70 ms, SEND 0.08 and 20 ms, the others 10 ms.
        double score = 0.55 * 60 + 0.08 * 20 + 0.37 * 10;
        assertThat(level.path("score_ms").asDouble()).isCloseTo(score, within(0.1));
        assertThat(level.path("score_median_ms").asDouble()).isCloseTo(score, within(0.1));
        assertThat(level.at("/score_ci95_ms/low").asDouble()).isBetween(0.0, score);
        assertThat(level.at("/score_ci95_ms/high").asDouble()).isGreaterThan(score);
        assertThat(level.path("sent_msgs").asLong()).isEqualTo(100);
        assertThat(level.at("/tasks/4/task").asText()).isEqualTo("READ");
        assertThat(level.at("/tasks/4/planned").asLong()).isEqualTo(20);
        assertThat(level.at("/tasks/4/max_ms").asDouble()).isCloseTo(90, within(0.1));
        assertThat(level.path("passes").asBoolean()).isTrue();
    }

    @Test
    void aDriverThatIsShortOfCpuIsSaid() throws IOException {
        Level fresh = MadeResults.level(folder, 50, MadeResults.run(1, 50, 49.9));
        Level spent = MadeResults.level(folder, 100, MadeResults.run(1, 50, 72));
        assertThat(MadeResults.of(List.of(fresh)).warnings()).isEmpty();
        assertThat(MadeResults.of(List.of(fresh, spent)).warnings())
                .singleElement()
                .asString()
                .startsWith("100 users: the driver took 72 %");
    }

    @Test
    void logonIsNotInTheScore() {
        PlayedRun played = MadeResults.run(1, 50);
        Map<Task, TaskCounts> slow = new EnumMap<>(played.tasks());
        slow.put(Task.LOGON, new TaskCounts(1, 0, Map.of(), MadeResults.millis(60_000)));
        PlayedRun other = new PlayedRun(
                1,
                true,
                played.startedAt(),
                played.finishedAt(),
                60,
                slow,
                played.accounting(),
                played.day(),
                played.arrivalNanos(),
                null,
                List.of());
        assertThat(UserRun.of(other, Task.weights()).scoreMs())
                .isEqualTo(UserRun.of(played, Task.weights()).scoreMs());
    }

    @Test
    void theWeightsAreAllAndReadHasMoreThanHalf() {
        assertThat(Task.weights().values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum())
                .isCloseTo(1, within(1e-9));
        assertThat(Task.READ.weight()).isGreaterThan(0.5);
    }

    @Test
    void aSlowLevelDoesNotPassAndIsStillValid() throws IOException {
        JsonNode results = MadeResults.write(folder);
        JsonNode slow = results.path("levels").get(1);
        assertThat(slow.path("passes").asBoolean()).isFalse();
        assertThat(slow.path("reasons").get(0).asText()).matches("score 11\\d\\d\\.\\d ms, not.*");
        assertThat(results.path("valid").asBoolean()).isTrue();
    }

    @Test
    void whatFailedOrIsMissingIsAReasonAndMakesItInvalid() throws IOException {
        Level level = MadeResults.level(folder, 50, MadeResults.failedRun());
        assertThat(level.passes()).isFalse();
        assertThat(level.reasons())
                .containsExactly(
                        "REPLY: 1 of 4 failed (connection dropped 1)",
                        "REPLY: 1 of 4 not done when the run was over",
                        "1 of 90 messages missing in their mailboxes",
                        "1 messages more than once in a mailbox");
        UsersResults results = MadeResults.of(List.of(level));
        assertThat(results.usersPassed()).isNull();
        assertThat(results.valid()).isFalse();
        assertThat(results.invalidReasons())
                .containsExactly(
                        "no level passed",
                        "50 users: 1 tasks failed",
                        "50 users: 1 of 90 messages missing in their mailboxes",
                        "50 users: 1 messages more than once in a mailbox");
    }

    /** A run that was broken off is kept, but is no verdict. */
    @Test
    void aRunThatWasBrokenOffIsNotJudged() throws IOException {
        PlayedRun whole = MadeResults.run(1, 50);
        PlayedRun half = new PlayedRun(
                2,
                false,
                whole.startedAt(),
                whole.finishedAt(),
                30,
                whole.tasks(),
                new Accounting(20, 90, 60, 0, 30, 0, 0),
                whole.day(),
                whole.arrivalNanos(),
                null,
                List.of());
        Level alone = MadeResults.level(folder, 50, half);
        assertThat(alone.passes()).isNull();
        assertThat(alone.reasons()).isEmpty();
        assertThat(MadeResults.of(List.of(alone)).invalidReasons())
                .containsExactly("no level passed");
        Level both = MadeResults.level(folder, 50, whole, half);
        assertThat(both.passes()).isTrue();
        assertThat(both.runs()).isEqualTo(1);
        assertThat(both.repeats()).hasSize(2);
    }

    @Test
    void theLoadOfADayHasItsError() {
        DayCounts counts = new DayCounts(10, 40, 38, 27, 37, 660, 664, 5400);
        PerUserDay day = PerUserDay.of(counts);
        assertThat(day.sent()).isCloseTo(14.2, within(1e-9));
        assertThat(day.received()).isCloseTo(66, within(1e-9));
        assertThat(day.recipientsMean()).isCloseTo(664 / 142.0, within(1e-9));
        PerUserDay error = PerUserDay.errorOf(counts);
        assertThat(error.sent()).isCloseTo(Math.sqrt(142) / 10, within(1e-9));
        assertThat(error.received()).isCloseTo(Math.sqrt(5400) / 10, within(1e-9));
        double variance = (5400 - 664.0 * 664 / 142) / 141;
        assertThat(error.recipientsMean()).isCloseTo(Math.sqrt(variance / 142), within(1e-9));
        assertThat(PerUserDay.of(DayCounts.NONE).sent()).isNull();
        assertThat(PerUserDay.errorOf(DayCounts.NONE).recipientsMean()).isNull();
    }

    @Test
    void everyFigureFollowsFromTheRawFiles() throws IOException {
        Recomputed check = Recomputed.of(MadeResults.write(folder), folder);
        assertThat(check.mismatches()).isEmpty();
        assertThat(check.cells()).isGreaterThan(500);
    }

    @Test
    void aChangedFigureAndAMissingFileAreFound() throws IOException {
        JsonNode results = MadeResults.write(folder);
        ((ObjectNode) results.at("/levels/0/tasks/0")).put("p95_ms", 1.0);
        ((ObjectNode) results).put("users_passed", 100);
        assertThat(Recomputed.of(results, folder).mismatches())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("50 users, tasks 1, p95_ms: 1.0"))
                .anyMatch(line -> line.startsWith("users_passed: 100, computed again 50"));
        Files.delete(folder.resolve("100-users-run-1.hlog"));
        assertThat(Recomputed.of(results, folder).mismatches())
                .contains("100 users, run 1: no raw latencies");
    }

    @Test
    void aFileThatIsNoJsonIsSaidToBeNone() throws IOException {
        assertThat(UsersResults.read(folder)).isNull();
        Files.writeString(folder.resolve("users.json"), "{");
        assertThatThrownBy(() -> UsersResults.read(folder)).hasMessageContaining("is no JSON");
    }
}
