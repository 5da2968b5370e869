package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.measure.hub.HubJvm;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves that builds are found, made, measured and compared, that nothing is left behind however it
 * ends, and that what can't be built or measured is said in one line. The builds are commits of a
 * repository that has nothing but a script, which starts the classes of this test run.
 */
class BuildsCommandTest {
    @TempDir
    static Path repository;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeCommits() throws Exception {
        git("init", "--quiet");
        Files.writeString(repository.resolve(".gitignore"), "target/\n");
        commit("broken", "#!/bin/sh\necho 'hubmark: the build failed; see the log' >&2\nexit 1\n");
        commit("first", script("first"));
        commit("second", script("second"));
        // Every other file of the working tree is as committed, this one isn't.
        Files.writeString(repository.resolve("hubmark"), script("not committed"));
    }

    @Test
    void comparesTwoCommitsUnderEachLoadAndLeavesNothing() throws Exception {
        Ended ended = compare(
                "--builds=first,second",
                "--rounds=2",
                "--duration=2s",
                "--warmup=200ms",
                "--connections=2",
                "--sizes=4KB,1KB",
                "--transfer=bdat",
                "--seed=7",
                "--output=out");
        assertMeasured(ended);
        assertThat(ended.errors()).contains("seed 7");
        // A busy machine is named behind them.
        String named = "A: first, " + git("rev-parse", "first") + ", first; B: second, "
                + git("rev-parse", "second") + ", second";
        assertThat(ended.out())
                .anyMatch(line -> line.matches(" *Load +4KB bdat +4KB bdat +1KB bdat +1KB bdat"))
                .anyMatch(line -> line.startsWith(named));
        JsonNode json =
                new ObjectMapper().readTree(folder.resolve("out/builds.json").toFile());
        assertThat(json.at("/builds/1/commit").asText()).isEqualTo(git("rev-parse", "second"));
        assertThat(json.at("/loads")).hasSize(4);
        for (JsonNode row : json.at("/loads")) {
            assertThat(row.get("rounds")).hasSize(2);
            for (String ratio :
                    List.of("accepted_msgs_per_s_to_first", "server_cpu_us_per_msg_to_first")) {
                if (row.get("build").asText().equals("A")) {
                    assertThat(row.get(ratio).isNull()).isTrue();
                } else {
                    assertThat(row.get(ratio).asDouble()).isPositive();
                    // Two rounds that differ by half have no interval.
                    JsonNode interval = row.get(ratio + "_ci95");
                    assertThat(interval.isNull() || interval.get("low").asDouble() > 0)
                            .isTrue();
                }
            }
        }
        assertThat(json.at("/verdict").asText())
                .isEqualTo(ended.exitCode() == 0 ? "valid" : "not valid");
        assertThat(folder.resolve("out/report.md")).content().contains("| CPU (us/msg) | ");
        Ended again = CommandProcess.run(folder, "report", "out");
        assertThat(again.exitCode()).as("%s", again.errors()).isIn(0, ended.exitCode());
        assertThat(repository.resolve("target/builds/" + git("rev-parse", "first") + "/hubmark"))
                .hasContent(script("first"));
        assertNothingLeft();
    }

    @Test
    void measuresTheStartOfTheWorkingTree() throws Exception {
        Ended ended = compare(
                "--builds=.,worktree",
                "--figure=start",
                "--count=20",
                "--rounds=1",
                "--connections=2",
                "--sizes=1KB",
                "--transfer=data",
                "--json",
                "--quiet");
        assertMeasured(ended);
        JsonNode json = new ObjectMapper().readTree(String.join("\n", ended.out()));
        assertThat(json.at("/builds/0/commit").asText()).endsWith("-dirty");
        // No JVM is up in a tenth of a second, and one that waited for a time-out took longer.
        assertThat(json.at("/starts/0/first_reply_ms").asDouble()).isBetween(100.0, 30_000.0);
        assertThat(json.at("/starts/0/first_cpu_us_per_msg").asDouble()).isPositive();
        assertNothingLeft();
    }

    @Test
    void countsDeliveriesOfRelayedMail() throws Exception {
        Ended ended = compare(
                "--builds=.,.",
                "--deliver=smtp-sink",
                "--rounds=1",
                "--duration=2s",
                "--warmup=0s",
                "--connections=2",
                "--sizes=1KB",
                "--transfer=data");
        assertMeasured(ended);
        assertThat(ended.out()).anyMatch(line -> line.matches(" *Relayed \\(1/s\\) .*"));
        assertNothingLeft();
    }

    @Test
    void aRoundWithRefusedMessagesIsNotValid() throws Exception {
        Ended ended = compare(
                "--builds=.,.",
                "--deliver=hold",
                "--set=smtp.message-size-max=60KB",
                "--set=smtp.bytes-in-flight-max=130KB",
                "--rounds=1",
                "--duration=300ms",
                "--warmup=0s",
                "--connections=8",
                "--sizes=57KB",
                "--transfer=data",
                "--quiet");
        assertThat(ended.errors())
                .anyMatch(line -> line.startsWith("hubmark: not valid: 57KB data, A, round 1: ")
                        && line.contains(" messages were refused, first with: 452 4.3.1"));
        assertThat(ended.exitCode()).isEqualTo(3);
        assertNothingLeft();
    }

    @Test
    void saysWhichBuildCanNotBeHad() throws Exception {
        assertSays(2, "'third' is not a commit, tag or branch of ", "--builds=first,third");
        assertSays(
                1, "broken can't be built: the build failed; see the log", "--builds=first,broken");
        assertSays(
                2,
                "A (.): the hub did not start: ",
                "--builds=.,second",
                "--set=no.such=1",
                "--rounds=1");
        Path changed = repository.resolve("target/builds/" + git("rev-parse", "broken"));
        Files.writeString(changed.resolve("hubmark"), "changed");
        assertSays(1, "git worktree remove --force " + changed.toRealPath(), "--builds=.,broken");
        git("-C", changed.toString(), "checkout", "--quiet", "hubmark");
        assertNothingLeft();
    }

    @Test
    void withoutACheckoutThereIsOnlyTheWorkingTree() throws Exception {
        Path sources = Files.createDirectory(folder.resolve("sources"));
        Ended ended = run(sources, "--builds=.,main");
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.errors())
                .last()
                .asString()
                .isEqualTo("hubmark: --builds: " + sources.toRealPath()
                        + " is not a git checkout, so that '.' is the only build there is");
    }

    @Test
    void endsItsHubsWhenItIsEnded() throws Exception {
        try (CommandProcess compare =
                start(repository, "--builds=.,second", "--warmup=1s", "--duration=10m")) {
            compare.awaitError(line -> line.contains("warm-up, B (second)"));
            assertThat(hubs()).hasSize(2);
            compare.terminate();
            Ended ended = compare.end();
            assertThat(ended.exitCode()).as("%s", ended.errors()).isEqualTo(130);
        }
        assertNothingLeft();
    }

    @Test
    void aBranchThatMovedIsNotGoneOnWith() throws Exception {
        git("branch", "moving", "second");
        String[] arguments = {
            "--builds=.,moving",
            "--rounds=50",
            "--duration=1s",
            "--warmup=0s",
            "--connections=2",
            "--sizes=1KB",
            "--transfer=data",
            "--seed=7",
            "--output=begun"
        };
        try (CommandProcess compare = start(repository, arguments)) {
            compare.awaitError(line -> line.contains("round 1/50, "));
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> Files.exists(folder.resolve("begun/builds.json")));
            compare.terminate();
            assertThat(compare.end().exitCode()).isEqualTo(130);
        }
        git("branch", "--force", "moving", "first");
        Ended ended = compare(arguments);
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.errors().getLast())
                .startsWith("hubmark: ")
                .contains(
                        "begun has results of compare --builds with other settings (builds 2, commit was "
                                + git("rev-parse", "second") + " and is "
                                + git("rev-parse", "first"));
        assertNothingLeft();
    }

    @Test
    void itsHubsEndWithItEvenWhenItIsKilled() throws Exception {
        try (CommandProcess compare =
                start(repository, "--builds=.,.", "--warmup=1s", "--duration=10m")) {
            compare.awaitError(line -> line.contains("warm-up, B (.)"));
            compare.kill();
            compare.end();
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> hubs().isEmpty());
    }

    /** A busy machine may stop the driver for a quarter of a second, of so short a round; nothing else is amiss. */
    private static void assertMeasured(Ended ended) {
        List<String> reasons = ended.errors().stream()
                .filter(line -> line.startsWith("hubmark: not valid: "))
                .toList();
        assertThat(reasons).allMatch(line -> line.contains(": the driver stood still for "));
        assertThat(ended.exitCode()).as("%s", ended.errors()).isEqualTo(reasons.isEmpty() ? 0 : 3);
    }

    private void assertSays(int exitCode, String words, String... arguments) throws Exception {
        Ended ended = compare(arguments);
        assertThat(ended.errors().getLast()).startsWith("hubmark: ").contains(words);
        assertThat(ended.exitCode()).isEqualTo(exitCode);
        assertThat(ended.out()).isEmpty();
    }

    private Ended compare(String... arguments) throws Exception {
        return run(repository, arguments);
    }

    private Ended run(Path root, String... arguments) throws Exception {
        try (CommandProcess process = start(root, arguments)) {
            return process.end(Duration.ofMinutes(3));
        }
    }

    /** As the script does it: with the folder of the sources in a property. */
    private CommandProcess start(Path root, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("compare", "--shared-machine", "--folder=" + folder.resolve("data")));
        command.addAll(List.of(arguments));
        return CommandProcess.startUnder(
                List.of("env", "JDK_JAVA_OPTIONS=-Dhubmark.root=" + root),
                folder,
                command.toArray(String[]::new));
    }

    private void assertNothingLeft() throws Exception {
        assertThat(hubs()).isEmpty();
        Path data = folder.resolve("data");
        if (Files.exists(data)) {
            assertThat(data).isEmptyDirectory();
        }
    }

    /**
     * {@return the hubs of this test, by the volumes that they were given} ProcessHandle knows only
     * the begin of a command line, which a class path fills.
     */
    private List<Path> hubs() throws IOException {
        String volumes = "=" + folder + "/data/";
        List<Path> hubs = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : all) {
                if (commandLine(process).contains(volumes)) {
                    hubs.add(process);
                }
            }
        }
        return hubs;
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It has ended since the folder was listed.
            return "";
        }
    }

    private static String script(String name) throws IOException {
        return """
                #!/bin/sh
                # %s
                exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx128m \
                -cp '%s' org.hubmark.bench.cli.Main "$@"
                """.formatted(
                        name,
                        String.join("' '", HubJvm.plainCommand()),
                        System.getProperty("java.class.path"));
    }

    private static void commit(String name, String script) throws Exception {
        Path file = Files.writeString(repository.resolve("hubmark"), script);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        git("add", ".");
        git(
                "-c",
                "user.name=Test",
                "-c",
                "user.email=test@hubmark.example",
                "commit",
                "--quiet",
                "-m",
                name);
        git("tag", name);
    }

    private static String git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-C", repository.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.trim();
    }
}
