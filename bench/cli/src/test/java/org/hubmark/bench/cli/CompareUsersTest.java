package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.results.Results;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Proves what compare does with results of users, and with what can't stand beside them. */
class CompareUsersTest {
    private static final String RUN =
            "../results/src/test/resources/org/hubmark/bench/results/schema-1/run";

    @TempDir
    Path folder;

    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complained = new ByteArrayOutputStream();
    private String less;
    private String more;

    @BeforeEach
    void make() throws IOException {
        less = write("less", 60, level(100, 50), level(200, 2000));
        more = write("more", 60, level(100, 40), level(200, 60), level(400, 2000));
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setOut(out);
        System.setErr(err);
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
                        new Results.Tool("1.0", null),
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

    private int compare(String... arguments) {
        printed.reset();
        complained.reset();
        String[] command = new String[arguments.length + 1];
        command[0] = "compare";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return Main.execute(command);
    }

    private String said() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private String complaint() {
        return complained.toString(StandardCharsets.UTF_8);
    }

    @Test
    void printsTheVerdictAndTheLevels() {
        assertThat(compare(less, more + "/users.json")).isZero();
        assertThat(said())
                .contains("B: " + more + "/users.json\n")
                .contains(
                        "\nB holds more: A holds 100 users (200 did not pass), B 200 users (400 did"
                                + " not pass), B / A 2.00\n")
                .contains("READ, 95th percentile (ms)");
        assertThat(complaint()).isEmpty();
    }

    @Test
    void writesJsonAndAReport() throws IOException {
        Path output = folder.resolve("both");
        assertThat(compare(less, more, "--json", "--output=" + output)).isZero();
        assertThat(new ObjectMapper().readTree(said()).path("verdict").asText())
                .isEqualTo("holds more");
        assertThat(output.resolve("comparison.json")).hasContent(said());
        assertThat(output.resolve("report.html")).exists();
        assertThat(output.resolve("report.md")).exists();
        assertThat(compare(less, more, "--output=" + less)).isEqualTo(2);
        assertThat(complaint()).contains("whose report would be lost").hasLineCount(1);
    }

    @Test
    void exitCodesAreThoseOfOtherResults() throws IOException {
        Path file = folder.resolve("verdicts.xml");
        assertThat(compare(less, more, "--fail-if-slower=5%", "--junit=" + file))
                .isZero();
        assertThat(file).content().contains("users not slower");
        assertThat(compare(more, less, "--fail-if-slower=5%")).isEqualTo(1);
        assertThat(compare(more, more, "--fail-if-slower=5%")).isEqualTo(3);
        String none = write("none", 60, level(100, 2000));
        assertThat(compare(more, none)).isEqualTo(3);
        assertThat(said()).contains("not valid: ").contains("B: no level passed");
    }

    @Test
    void refusesInOneLineWhatIsNotAlike() throws IOException {
        String slower = write("slower", 30, level(100, 50));
        assertThat(compare(less, slower)).isEqualTo(1);
        assertThat(complaint()).contains("compress differs: 60 and 30").hasLineCount(1);
        assertThat(compare(less, RUN)).isEqualTo(1);
        assertThat(complaint())
                .contains(less + " is a result of users, and " + RUN + " is none")
                .hasLineCount(1);
        assertThat(compare(less, more, "--by=rate")).isEqualTo(2);
        assertThat(complaint()).contains("--by is for results of run, load and matrix");
        assertThat(compare(RUN, RUN, "--output=" + folder.resolve("x"))).isEqualTo(2);
        assertThat(complaint()).contains("--output is for --builds and for two results of users");
        assertThat(compare(less, folder.resolve("missing").toString())).isEqualTo(2);
        assertThat(complaint()).contains("missing is not there").hasLineCount(1);
        Files.writeString(Path.of(less, "results.json"), "{}");
        assertThat(compare(less, more)).isEqualTo(2);
        assertThat(complaint()).contains("name the file that is meant").hasLineCount(1);
    }
}
