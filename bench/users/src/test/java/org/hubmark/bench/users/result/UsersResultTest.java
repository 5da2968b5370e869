package org.hubmark.bench.users.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.users.Task;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * Proves the form of users.json, what is made of the counters of runs, when a level passes, what makes a
 * result not valid, and that a figure that was changed is found.
 */
class UsersResultTest {
    @TempDir
    Path folder;

    private static List<String> keys(JsonNode object) {
        return StreamSupport.stream(((Iterable<String>) object::fieldNames).spliterator(), false)
                .toList();
    }

    private static JsonNode tree(Document document) throws IOException {
        return new ObjectMapper().readTree(DocumentFile.json(document));
    }

    private static Repeat shared(int foreignPercent, String... others) {
        return MadeResults.counted(1, 50, 12)
                .name(MachineMeter.OTHERS, List.of(others))
                .count(MachineMeter.PROCESSES_NS, MadeResults.percent(47 + foreignPercent))
                .made();
    }

    @Test
    void theFileHasTheKeysOfTheContract() throws IOException {
        JsonNode results = tree(MadeResults.two());
        assertThat(keys(results))
                .contains(
                        "schema",
                        "kind",
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
        assertThat(level.path("runs").asInt()).isEqualTo(5);
        assertThat(keys(level.path("tasks").get(0)))
                .contains(
                        "task", "planned", "done", "failed", "p50_ms", "p95_ms", "p99_ms",
                        "mean_ms", "sd_ms", "max_ms", "weight");
        assertThat(keys(level.path("send_latency_ms"))).contains("mean", "p95");
        assertThat(keys(level.path("arrival_latency_ms"))).contains("p50", "p95", "max");
        assertThat(keys(level.path("per_user_day")))
                .containsExactly(
                        "sent",
                        "sent_new",
                        "sent_reply",
                        "sent_reply_all",
                        "sent_forward",
                        "received",
                        "recipients_mean");
        assertThat(keys(level.path("resources"))).contains("source", "cpu_percent", "disks");
        assertThat(results.path("users_passed").asInt()).isEqualTo(50);
    }

    @Test
    void ofFiveRunsTheBestAndTheWorstAreLeftOut() throws IOException {
        JsonNode level = tree(MadeResults.two()).path("levels").get(0);
        assertThat(level.path("middle_runs")).extracting(JsonNode::asInt).containsExactly(1, 3, 5);
        // READ weighs 0.55 and took 50, 60 and 70 ms, SEND 0.08 and 20 ms, the others 10 ms.
        double score = 0.55 * 60 + 0.08 * 20 + 0.37 * 10;
        assertThat(level.path("score_ms").asDouble()).isCloseTo(score, within(0.1));
        assertThat(level.at("/score_ms_ci95/low").asDouble()).isBetween(0.0, score);
        assertThat(level.at("/score_ms_ci95/high").asDouble()).isGreaterThan(score);
        assertThat(level.path("sent_msgs").asLong()).isEqualTo(100);
        assertThat(level.at("/tasks/4/task").asText()).isEqualTo("READ");
        assertThat(level.at("/tasks/4/planned").asLong()).isEqualTo(100);
        assertThat(level.at("/tasks/4/max_ms").asDouble()).isCloseTo(90, within(0.1));
        assertThat(level.path("passes").asBoolean()).isTrue();
    }

    @Test
    void whatIsTooShortForItsPercentilesIsSaidAndDoesNotPass() throws IOException {
        Histogram few = new Histogram(3);
        few.recordValueWithCount(900_000_000, 19);
        Repeat run = MadeResults.run(1, 50);
        Repeat seldom = MadeResults.counted(1, 50, 12)
                .parts(
                        LevelForm.TASKS,
                        MadeResults.tasksWith(run, MadeResults.task(Task.SEND, 19, Map.of(), few)))
                .made();
        Document leftOut = MadeResults.of(MadeResults.level(50, seldom));
        assertThat(tree(leftOut).at("/levels/0/score_ms").asDouble())
                .isCloseTo((0.55 * 50 + 0.37 * 10) / 0.92, within(0.1));
        assertThat(tree(leftOut).at("/levels/0/passes").asBoolean()).isTrue();
        assertThat(leftOut.findings().warnings())
                .singleElement()
                .asString()
                .contains("the score leaves out what was done fewer than 20 times in a run: SEND");
        Document unknown = MadeResults.of(MadeResults.level(
                50, MadeResults.counted(1, 50, 12).times(LevelForm.SEND_NS, few).made()));
        assertThat(tree(unknown).at("/levels/0/passes").isNull()).isTrue();
        assertThat(tree(unknown).at("/levels/0/send_latency_ms/p95").isNull()).isTrue();
        assertThat(tree(unknown).at("/levels/0/reasons/0").asText())
                .startsWith("fewer than 20 messages sent in a run");
    }

    @Test
    void aDriverThatIsShortOfCpuIsSaid() {
        Row fresh = MadeResults.level(50, MadeResults.counted(1, 50, 49).made());
        Row spent = MadeResults.level(100, MadeResults.counted(1, 50, 72).made());
        assertThat(MadeResults.of(fresh).findings().warnings()).isEmpty();
        assertThat(MadeResults.of(fresh, spent).findings().warnings())
                .singleElement()
                .asString()
                .startsWith("100 users: CPU of the driver 72.0 %");
    }

    /** The rule of run: a tenth of the server's CPU for others at most, and nobody else measures. */
    @Test
    void aBusyMachineIsNotValidUnlessItIsKnownToBeShared() {
        Document quiet = MadeResults.of(MadeResults.level(50, shared(4)));
        assertThat(quiet.findings().outcome()).isEqualTo(Findings.Outcome.GOOD);
        Document busy =
                MadeResults.of(MadeResults.level(50, shared(20, "process 1: ./hubmark run")));
        assertThat(busy.findings().outcome()).isEqualTo(Findings.Outcome.NOT_VALID);
        assertThat(busy.findings().reasons())
                .containsExactly(
                        "50 users: another run measured at the same time: process 1: ./hubmark run",
                        "50 users: processes other than server and driver took 20.0% of the"
                                + " machine's CPU time (at most 4.0%): stop them");
        Document known = MadeResults.with(
                busy, UsersResult.PACE, new UsersResult.Pace("medium", "8h", 60, true));
        assertThat(known.findings().outcome()).isEqualTo(Findings.Outcome.GOOD);
        assertThat(known.findings().warnings())
                .hasSize(2)
                .allMatch(warning -> warning.startsWith("the machine is shared: 50 users: "));
    }

    @Test
    void theAnswerSaysWhatTheServerIs() {
        assertThat(MadeResults.two().findings().answer())
                .isEqualTo(
                        "The embedded server in memory holds 50 sessions, the load of 3,000 users"
                                + " of the profile medium, their day 60 times as fast; 100 did not pass, and no"
                                + " resource that was counted was used up; these figures say how the tool"
                                + " works, not what a real mail system holds");
        Document real = MadeResults.with(
                MadeResults.of(Map.of(1500, new long[] {50})),
                UsersResult.TARGET,
                new MailSystem(false, "a:25", "a:143", false, null, null, List.of(), true));
        assertThat(real.findings().answer())
                .isEqualTo("The mail system holds 1,500 sessions, the load of 90,000 users of the"
                        + " profile medium, their day 60 times as fast; more were not tried");
        Document asLong = MadeResults.with(
                real, UsersResult.PACE, new UsersResult.Pace("medium", "8h", 1, false));
        assertThat(asLong.findings().answer()).startsWith("The mail system holds 1,500 users of");
    }

    /** Bounds of run and of LoadSim's source; who passes with nothing used up could have had more load. */
    @Test
    void theResourceThatWasUsedUpLimitsALevel() {
        assertThat(limiting(Map.of())).isEqualTo("load");
        assertThat(limiting(Map.of(MachineMeter.BUSY_TICKS, 91))).isEqualTo("cpu");
        assertThat(limiting(Map.of(MachineMeter.BUSY_TICKS, 91, ResourceForm.DRIVER_CPU_NS, 55)))
                .isEqualTo("driver");
        Repeat.Builder paging =
                MadeResults.counted(1, 50, 12).count(ResourceForm.AVAILABLE_BYTES, 14 << 20);
        assertThat(limiting(paging)).isEqualTo("memory");
        Repeat disk = MadeResults.run(1, 50).parts(ResourceForm.DISKS).getFirst();
        assertThat(limiting(withDisk(disk, ResourceForm.WEIGHTED_MS, 180_000))).isEqualTo("disk");
        assertThat(limiting(withDisk(disk, ResourceForm.WEIGHTED_MS, 179_000))).isEqualTo("load");
        assertThat(limiting(withDisk(disk, ResourceForm.BUSY_MS, 54_000))).isEqualTo("disk");
        Document full = MadeResults.of(MadeResults.level(
                50,
                MadeResults.counted(1, 2000, 12)
                        .count(MachineMeter.BUSY_TICKS, ticks(95))
                        .made()));
        Row level = LevelForm.levels(full).getFirst();
        assertThat(LimitingResource.of(full, level).beside())
                .isEqualTo(", limiting resource: cpu (CPU of the machine 95.0 %)");
    }

    @Test
    void whatLimitsIsNotKnownWithoutCountersOrWhereNothingWasUsedUp() throws IOException {
        Repeat.Builder unseen = MadeResults.counted(1, 50, 12).count(MachineMeter.TOTAL_TICKS, 0);
        Document elsewhere = MadeResults.of(MadeResults.level(50, unseen.made()));
        assertThat(tree(elsewhere).at("/levels/0/limiting_resource").isNull()).isTrue();
        assertThat(tree(elsewhere).at("/levels/0/limiting_reason").isNull()).isTrue();
        assertThat(limiting(MadeResults.counted(1, 50, 55).count(MachineMeter.TOTAL_TICKS, 0)))
                .isEqualTo("driver");
        JsonNode slow = tree(MadeResults.two()).at("/levels/1");
        assertThat(slow.path("limiting_resource").isNull()).isTrue();
        assertThat(slow.path("limiting_reason").asText())
                .isEqualTo("no resource that was counted was used up");
    }

    private static long ticks(int percent) {
        return MadeResults.percent(percent) / ProcessCpu.TICK_NANOS;
    }

    private static String limiting(Map<Formula.Counter, Integer> percents) {
        Repeat.Builder run = MadeResults.counted(1, 50, 12);
        percents.forEach((counter, percent) -> run.count(
                counter,
                counter.equals(MachineMeter.BUSY_TICKS)
                        ? ticks(percent)
                        : MadeResults.percent(percent)));
        return limiting(run);
    }

    private static String limiting(Repeat.Builder run) {
        Document document = MadeResults.of(MadeResults.level(50, run.made()));
        Row level = LevelForm.levels(document).getFirst();
        return String.valueOf(LimitingResource.of(document, level).resource());
    }

    private static Repeat.Builder withDisk(Repeat disk, Formula.Counter counter, long value) {
        Repeat.Builder other =
                Repeat.counted().name(ResourceForm.HOLDS, "log").name(ResourceForm.DEVICE, "vda");
        disk.counters().forEach((key, count) -> other.count(new Formula.Counter(key), count));
        return MadeResults.counted(1, 50, 12)
                .parts(ResourceForm.DISKS, List.of(other.count(counter, value).made()));
    }

    @Test
    void logonIsNotInTheScore() {
        Repeat played = MadeResults.run(1, 50);
        List<Repeat> slow = MadeResults.tasksWith(
                played, MadeResults.task(Task.LOGON, 1, Map.of(), MadeResults.millis(60_000)));
        Repeat other =
                MadeResults.counted(1, 50, 12).parts(LevelForm.TASKS, slow).made();
        assertThat(LevelForm.SCORE.value(other)).isEqualTo(LevelForm.SCORE.value(played));
    }

    @Test
    void theWeightsAreAllAndReadHasMoreThanHalf() {
        assertThat(Arrays.stream(Task.values()).mapToDouble(Task::weight).sum())
                .isCloseTo(1, within(1e-9));
        assertThat(Task.READ.weight()).isGreaterThan(0.5);
    }

    @Test
    void aSlowLevelDoesNotPassAndIsStillValid() {
        Document results = MadeResults.two();
        Row slow = LevelForm.levels(results).getLast();
        assertThat(Judgement.passes(results, slow)).isFalse();
        assertThat(Judgement.reasons(results, slow).getFirst())
                .matches("score 11\\d\\d\\.\\d ms, not below 1000");
        assertThat(results.findings().outcome()).isEqualTo(Findings.Outcome.GOOD);
    }

    @Test
    void whatFailedOrIsMissingIsAReasonAndMakesItInvalid() throws IOException {
        Row level = MadeResults.level(50, MadeResults.failedRun());
        Document results = MadeResults.of(level);
        assertThat(Judgement.passes(results, level)).isFalse();
        assertThat(Judgement.reasons(results, level))
                .containsExactly(
                        "REPLY: 1 failed, connection dropped",
                        "REPLY: 1 not done when the run was over",
                        "1 messages missing in their mailboxes",
                        "1 messages more than once in a mailbox");
        assertThat(UsersResult.usersPassed(results)).isNull();
        assertThat(results.exitCode()).isEqualTo(3);
        assertThat(results.findings().reasons())
                .containsExactly(
                        "no level passed",
                        "50 users: REPLY: 1 failed, connection dropped",
                        "50 users: 1 messages missing in their mailboxes",
                        "50 users: 1 messages more than once in a mailbox");
        assertThat(tree(results)
                        .at("/levels/0/tasks/1/failures/connection dropped")
                        .asInt())
                .isEqualTo(1);
    }

    /** A run that was broken off is kept, but is no verdict. */
    @Test
    void aRunThatWasBrokenOffIsNotJudged() throws IOException {
        Repeat half = MadeResults.counted(2, 50, 12)
                .complete(false)
                .count(LevelForm.ARRIVED, 60)
                .count(LevelForm.UNCOUNTED, 30)
                .made();
        Row one = MadeResults.level(50, half);
        Document alone = MadeResults.of(one);
        assertThat(Judgement.passes(alone, one)).isNull();
        assertThat(Judgement.reasons(alone, one)).isEmpty();
        assertThat(alone.findings().reasons()).containsExactly("no level could be judged to pass");
        assertThat(alone.findings().title()).isEqualTo("Users held, medium profile: not known");
        assertThat(alone.findings().answer()).startsWith("No level could be judged to pass");
        Document both = MadeResults.of(MadeResults.level(50, MadeResults.run(1, 50), half));
        JsonNode level = tree(both).path("levels").get(0);
        assertThat(level.path("passes").asBoolean()).isTrue();
        assertThat(level.path("runs").asInt()).isEqualTo(1);
        assertThat(level.path("repeats")).hasSize(2);
    }

    @Test
    void theLoadOfADayIsCounted() {
        Document results = MadeResults.of(Map.of(50, new long[] {50}));
        Table levels = results.table(LevelForm.LEVELS);
        Row level = levels.rows().getFirst();
        List<Double> measured = new ArrayList<>();
        for (Column figure : LevelForm.DAY) {
            measured.add(levels.estimate(level, figure).value());
        }
        assertThat(measured)
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : 1)
                .containsExactly(14.2, 4.0, 3.8, 2.7, 3.7, 66.0, 664 / 142.0);
        Repeat none = Repeat.counted().count(LevelForm.USER_DAYS, 0).made();
        assertThat(LevelForm.DAY.getFirst().value(none)).isNaN();
    }

    @Test
    void everyFigureFollowsFromTheCounters() throws IOException {
        Document written = DocumentFile.write(MadeResults.two(), folder);
        Document read = DocumentFile.read(folder, UsersResult.KIND);
        DocumentFile.Check check = DocumentFile.check(folder, read);
        assertThat(check.mismatches()).isEmpty();
        assertThat(check.changed()).isEmpty();
        assertThat(check.figures()).isGreaterThan(500);
        assertThat(DocumentFile.json(read)).isEqualTo(DocumentFile.json(written));
    }

    @Test
    void aChangedFigureIsFound() throws IOException {
        var unused = DocumentFile.write(MadeResults.two(), folder);
        Path file = folder.resolve("users.json");
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("\"users_passed\" : 50", "\"users_passed\" : 100")
                        .replaceFirst("\"p95_ms\" : [0-9.]+", "\"p95_ms\" : 1.0"));
        DocumentFile.Check check =
                DocumentFile.check(folder, DocumentFile.read(folder, UsersResult.KIND));
        assertThat(check.mismatches())
                .hasSize(2)
                .anyMatch(line -> line.contains("tasks 1, p95_ms: 1.0"))
                .anyMatch(line -> line.contains("users_passed: 100, computed again 50"));
    }
}
