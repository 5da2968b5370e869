package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.ObjectMapper;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.users.result.Accounting;
import org.hubmark.bench.users.result.DayCounts;
import org.hubmark.bench.users.result.Level;
import org.hubmark.bench.users.result.Limits;
import org.hubmark.bench.users.result.PlayedRun;
import org.hubmark.bench.users.result.Target;
import org.hubmark.bench.users.result.Task;
import org.hubmark.bench.users.result.TaskCounts;
import org.hubmark.bench.users.result.UserRun;
import org.hubmark.bench.users.result.UsersResults;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Proves what compare does with results of users, and with what can't stand beside them. */
class CompareUsersTest {
    private static final String RUN = "../results/src/test/resources/golden/sustained";

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
    private static Level level(int users, int millis) {
        Histogram nanos = new Histogram(3);
        nanos.recordValue(millis * 1_000_000L);
        List<UserRun> runs = List.of(run(1, nanos), run(2, nanos));
        return Level.of(users, runs, null, new Limits(1000, 500));
    }

    private static UserRun run(int number, Histogram nanos) {
        return UserRun.of(
                new PlayedRun(
                        number,
                        true,
                        "2026-11-20T10:00:00Z",
                        "2026-11-20T10:01:15Z",
                        60,
                        Map.of(
                                Task.READ, new TaskCounts(1, 0, Map.of(), nanos),
                                Task.SEND, new TaskCounts(1, 0, Map.of(), nanos)),
                        Accounting.NONE,
                        DayCounts.NONE,
                        nanos,
                        null,
                        List.of()),
                Task.weights());
    }

    private String write(String name, int compress, Level... levels) throws IOException {
        Path made = Files.createDirectory(folder.resolve(name));
        UsersResults.of(
                        new Tool("1.0", null),
                        "2026-11-20T10:00:00Z",
                        "2026-11-20T10:05:00Z",
                        Machine.inspect(List.of()),
                        "./hubmark users",
                        Map.of("day", "8h", "compress", compress),
                        new ObjectMapper().readTree("{\"name\": \"medium\"}"),
                        null,
                        new Target(
                                false, "a:25", "a:143", false, null, null, List.of(), List.of(),
                                List.of()),
                        new Limits(1000, 500),
                        true,
                        List.of(levels))
                .write(made);
        return made.toString();
    }

    private Ended compare(int exitCode, String... arguments) throws Exception {
        Ended ended = CommandInJvm.run("compare", List.of(arguments));
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        return ended;
    }

    @Test
    void printsTheVerdictAndTheLevels() throws Exception {
        Ended ended = compare(0, less, more + "/users.json");
        assertThat(ended.printed())
                .contains("B: " + more + "/users.json\n")
                .contains(
                        "\nB holds more: A holds 100 users (200 did not pass), B 200 users (400 did"
                                + " not pass), B / A 2.00\n")
                .contains("READ, 95th percentile (ms)");
        assertThat(ended.errors()).isEmpty();
    }

    @Test
    void writesJsonAndAReport() throws Exception {
        Path output = folder.resolve("both");
        Ended ended = compare(0, less, more, "--json", "--output=" + output);
        assertThat(new ObjectMapper().readTree(ended.printed()).path("verdict").asText())
                .isEqualTo("holds more");
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
        assertThat(file).content().contains("users not slower");
        compare(1, more, less, "--fail-if-slower=5%");
        compare(3, more, more, "--fail-if-slower=5%");
        String none = write("none", 60, level(100, 2000));
        assertThat(compare(3, more, none).printed())
                .contains("not valid: ")
                .contains("B: no level passed");
    }

    @Test
    void refusesInOneLineWhatIsNotAlike() throws Exception {
        String slower = write("slower", 30, level(100, 50));
        assertThat(compare(1, less, slower).errors())
                .singleElement(STRING)
                .contains("compress differs: 60 and 30");
        assertThat(compare(1, less, RUN).errors())
                .singleElement(STRING)
                .contains(less + " is a result of users, and " + RUN + " is not");
        assertThat(compare(2, less, more, "--by=rate").complaint())
                .contains("--by is for results of run, load and matrix");
        assertThat(compare(2, RUN, RUN, "--output=" + folder.resolve("x")).complaint())
                .contains("--output is for --builds and for two results of users");
        assertThat(compare(2, less, folder.resolve("missing").toString()).errors())
                .singleElement(STRING)
                .contains("missing does not exist");
        Files.writeString(Path.of(less, "results.json"), "{}");
        assertThat(compare(2, less, more).errors())
                .singleElement(STRING)
                .contains("name the file that is meant");
    }
}
