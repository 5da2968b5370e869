package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.ObjectMapper;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.users.Task;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.LevelLimits;
import org.hubmark.bench.users.result.UsersResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Proves what compare does with results of users, and with what can't stand beside them. */
class CompareUsersTest {
    private static final String RUN = "../mail/src/test/resources/golden/sustained";

    /** Enough for a 95th percentile. */
    private static final int DONE = 20;

    @TempDir
    Path folder;

    private String less;
    private String more;

    @BeforeEach
    void make() throws IOException {
        less = write("less", 60, level(100, 50), level(200, 2000));
        more = write("more", 60, level(100, 40), level(200, 60), level(400, 2000));
    }

    /** Two runs in which every task took so long. */
    private static Row level(int users, int millis) {
        Histogram nanos = new Histogram(3);
        nanos.recordValueWithCount(millis * 1_000_000L, DONE);
        Map<String, @Nullable Object> names = new LinkedHashMap<>();
        names.put(LevelForm.USERS.key(), users);
        return new Row(names, List.of(run(1, nanos), run(2, nanos)));
    }

    private static Repeat run(int number, Histogram nanos) {
        List<Repeat> tasks = Stream.of(Task.SEND, Task.READ)
                .map(task -> Repeat.counted()
                        .name(LevelForm.TASK, task.name())
                        .name(LevelForm.WEIGHT, task.weight())
                        .count(LevelForm.PLANNED, DONE)
                        .count(LevelForm.FAILED, 0)
                        .times(LevelForm.TASK_NS, nanos)
                        .made())
                .toList();
        return Repeat.counted()
                .name(LevelForm.RUN, number)
                .times(LevelForm.SEND_NS, nanos)
                .times(LevelForm.ARRIVAL_NS, nanos)
                .parts(LevelForm.TASKS, tasks)
                .made();
    }

    private String write(String name, int compress, Row... levels) throws IOException {
        Path made = Files.createDirectory(folder.resolve(name));
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put(UsersResult.PROFILE.key(), Map.of("name", "medium"));
        facts.put(UsersResult.LIMITS.key(), new LevelLimits(1000, 500));
        facts.put(UsersResult.PACE.key(), new UsersResult.Pace("medium", "8h", compress, false));
        Map<String, @Nullable Object> settings = new TreeMap<>();
        settings.put("day", "8h");
        settings.put("compress", compress);
        var unused = DocumentFile.write(
                new Document(
                        UsersResult.KIND,
                        new Provenance(
                                new Tool("1.0", null),
                                "2026-11-20T10:00:00Z",
                                "2026-11-20T10:05:00Z",
                                "./hubmark users",
                                settings,
                                Machine.inspect(List.of())),
                        true,
                        facts,
                        List.of(new Table(LevelForm.LEVELS, List.of(levels))),
                        List.of()),
                made);
        return made.toString();
    }

    private Ended compare(int exitCode, String... arguments) throws Exception {
        Ended ended = CommandInJvm.run("compare", List.of(arguments));
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        return ended;
    }

    @Test
    void printsTheLevelsAndWhatEachHolds() throws Exception {
        Ended ended = compare(0, less, more + "/users.json");
        assertThat(ended.printed())
                .contains("B: " + more + "/users.json\n")
                .contains("note: A: The mail system holds 100 sessions")
                .contains("note: B: The mail system holds 200 sessions")
                .contains("users 100")
                .contains("Score (ms)");
        assertThat(ended.errors()).isEmpty();
    }

    @Test
    void writesJsonAndAReport() throws Exception {
        Path output = folder.resolve("both");
        Ended ended = compare(0, less, more, "--json", "--output=" + output);
        assertThat(new ObjectMapper().readTree(ended.printed()).path("figures"))
                .extracting(figure -> figure.path("figure").asText())
                .contains("score_ms");
        assertThat(output.resolve("comparison.json")).hasContent(ended.printed() + "\n");
        assertThat(output.resolve("report.html")).exists();
        assertThat(output.resolve("report.md")).exists();
        assertThat(compare(2, less, more, "--output=" + less).errors())
                .singleElement(STRING)
                .contains("whose report would be lost");
    }

    @Test
    void exitCodesAreThoseOfOtherResults() throws Exception {
        Path file = folder.resolve("verdicts.xml");
        compare(0, less, more, "--fail-if-slower=5%", "--junit=" + file);
        assertThat(file).content().contains("Score (ms)");
        compare(1, more, less, "--fail-if-slower=5%");
        String none = write("none", 60, level(100, 2000));
        assertThat(compare(3, more, none).printed()).contains("B: No level passed");
    }

    @Test
    void theReportOfAResultIsDrawnAgain() throws Exception {
        Ended ended = CommandInJvm.run("report", List.of(less));
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        assertThat(ended.printed())
                .contains("holds 100 sessions, the load of 6,000 users of the profile medium");
        assertThat(Path.of(less, "report.md"))
                .content()
                .startsWith("# Users held, medium profile: 100");
    }

    @Test
    void refusesInOneLineWhatIsNotAlike() throws Exception {
        String slower = write("slower", 30, level(100, 50));
        assertThat(compare(1, less, slower).errors())
                .singleElement(STRING)
                .contains("compress differs: 60 and 30");
        assertThat(compare(1, less, RUN).errors())
                .singleElement(STRING)
                .contains(less + " is a result of users, and " + RUN + " of mail");
        assertThat(compare(2, less, more, "--by=rate").complaint())
                .contains("--by is not for results of users");
        assertThat(compare(2, less, folder.resolve("missing").toString()).errors())
                .singleElement(STRING)
                .contains("missing does not exist");
    }
}
