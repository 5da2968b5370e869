package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.queue.StoreLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Proves that no command takes mail from a queue or from another command, and that a run takes away
 * what it made and nothing else: with processes, as a user would start them.
 */
@Timeout(240)
final class LiveQueueTest {
    private static final byte[] MESSAGE =
            "Subject: kept\r\n\r\ntext\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final List<String> GIVEN =
            List.of("--log-volume=d/l", "--queue-volume=d/q", "--tracking-volume=d/t");
    private static final int MESSAGES = 10;

    @TempDir
    private Path folder;

    @Test
    void aRunBesideAServerHasVolumesOfItsOwn() throws Exception {
        try (CommandProcess hub =
                CommandProcess.start(folder, "serve", "--listen", "127.0.0.1:0")) {
            send(hub);
            Ended run = run();
            assertThat(run.exitCode()).as("%s", run).isIn(0, 3);
            assertThat(queued(List.of())).isEqualTo(MESSAGES);
            hub.terminate();
            assertThat(hub.end().exitCode()).isZero();
        }
        assertThat(queued(List.of())).isEqualTo(MESSAGES);
        assertThat(folder.resolve("out/results.json")).isNotEmptyFile();
        try (Stream<Path> results = Files.walk(folder.resolve("out"))) {
            assertThat(results.filter(Files::isDirectory)).containsExactly(folder.resolve("out"));
        }
    }

    @Test
    void aQueueInUseIsRefused() throws Exception {
        try (CommandProcess hub = CommandProcess.start(folder, serve())) {
            long process = hub.processId();
            send(hub);
            BackgroundFiles.awaitIn(folder.resolve("d/l"), folder.resolve("d/t"));
            List<String> before = tree(folder);
            List<String> matrix =
                    new ArrayList<>(List.of("matrix", "--quiet", "--sizes=1KB", "--layouts=one"));
            matrix.addAll(GIVEN);
            for (Ended ended : List.of(
                    run(GIVEN.toArray(String[]::new)),
                    run("--queue-volume=d/q"),
                    CommandProcess.run(folder, serve()),
                    CommandProcess.run(folder, "volumes", "probe", "d/q"),
                    CommandProcess.run(folder, matrix.toArray(String[]::new)))) {
                assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
                assertThat(ended.errors())
                        .singleElement()
                        .asString()
                        .containsPattern("d/[lq] is in use by process " + process);
                assertThat(tree(folder)).isEqualTo(before);
            }
            assertThat(queued(GIVEN)).isEqualTo(MESSAGES);
        }
    }

    @Test
    void theMailOfAStoppedServerIsRefused() throws Exception {
        try (CommandProcess hub = CommandProcess.start(folder, serve())) {
            send(hub);
            hub.terminate();
            assertThat(hub.end().exitCode()).isZero();
        }
        // What runs of earlier versions left, and took for a licence.
        for (String volume : List.of("l", "q", "t")) {
            Files.writeString(folder.resolve("d").resolve(volume).resolve("hubmark-run"), "");
        }
        List<String> before = tree(folder.resolve("d"));
        Ended run = run(GIVEN.toArray(String[]::new));
        assertThat(run.exitCode()).as("%s", run).isEqualTo(2);
        assertThat(run.errors())
                .containsExactly("hubmark: d/l and d/q hold a queue with " + MESSAGES
                        + " messages: name other folders, or deliver the mail first (hubmark serve"
                        + " --deliver), or export it (hubmark queue export) and delete the"
                        + " folders");
        assertThat(tree(folder.resolve("d"))).isEqualTo(before);
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(queued(GIVEN)).isEqualTo(MESSAGES);
    }

    @Test
    void theSecondOfTwoRunsIsRefused() throws Exception {
        List<String> endless = new ArrayList<>(GIVEN);
        endless.addAll(List.of("--duration=10m", "--output=first"));
        try (CommandProcess first =
                CommandProcess.start(folder, runArguments(endless.toArray(String[]::new)))) {
            Path samples = folder.resolve("first/samples.csv");
            await().atMost(Duration.ofSeconds(90))
                    .until(() ->
                            Files.exists(samples) && Files.readAllLines(samples).size() > 1);
            for (String volume : GIVEN) {
                Ended second = run(volume);
                assertThat(second.exitCode()).as("%s", second).isEqualTo(1);
                assertThat(second.errors())
                        .singleElement()
                        .asString()
                        .contains("is in use by process " + first.processId());
            }
            Ended server = CommandProcess.run(folder, serve());
            assertThat(server.exitCode()).isEqualTo(1);
            assertThat(server.errors())
                    .singleElement()
                    .asString()
                    .contains("is in use by process " + first.processId());
            first.terminate();
            assertThat(first.end().exitCode()).isEqualTo(130);
        }
        assertThat(folder.resolve("first/results.json")).isNotEmptyFile();
        assertThat(folder.resolve("d")).doesNotExist();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aRunTakesAwayWhatItMadeAndNothingElse() throws Exception {
        Path file = folder.resolve("d/other/letter");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "dear");
        Files.createDirectories(folder.resolve("d/q"));
        List<String> before = tree(folder);
        Ended held = run(Stream.concat(
                        GIVEN.stream(), Stream.of("--deliver=hold", "--repeat=2", "--output=out"))
                .toArray(String[]::new));
        assertThat(held.exitCode()).as("%s", held).isIn(0, 3);
        List<String> after = tree(folder);
        after.removeIf(path -> path.startsWith("out"));
        assertThat(after).isEqualTo(before);
    }

    /** Its mail is what the driver sent, but that can't be told from other mail. */
    @Test
    void whatAKilledRunHeldIsLeftAndToldOf() throws Exception {
        Path left = folder.resolve("d/l/hubmark-run-1");
        List<String> hold = new ArrayList<>(GIVEN);
        hold.add("--deliver=hold");
        List<String> endless = new ArrayList<>(hold);
        endless.addAll(List.of("--duration=10m", "--output=first"));
        try (CommandProcess first =
                CommandProcess.start(folder, runArguments(endless.toArray(String[]::new)))) {
            Path samples = folder.resolve("first/samples.csv");
            await().atMost(Duration.ofSeconds(90))
                    .until(() ->
                            Files.exists(samples) && Files.readAllLines(samples).size() > 1);
            first.kill();
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> StoreLock.holder(folder.resolve("d/q/hubmark-run-1/queue"))
                        .isEmpty());
        List<String> volumes = List.of(
                "--log-volume=" + left.resolve("log"), "--queue-volume=d/q/hubmark-run-1/queue");
        int held = queued(volumes);
        List<String> loud = new ArrayList<>(List.of(runArguments(hold.toArray(String[]::new))));
        loud.remove("--quiet");
        Ended second = CommandProcess.run(folder, loud.toArray(String[]::new));
        assertThat(second.exitCode()).as("%s", second).isIn(0, 3);
        assertThat(second.errors())
                .anyMatch(line -> line.startsWith("a killed run has left d/l/hubmark-run-1: ")
                        && line.contains("hold a queue with " + held + " messages"));
        assertThat(queued(volumes)).isEqualTo(held).isPositive();
        assertThat(folder.resolve("d/l/hubmark-run-2")).doesNotExist();
    }

    @Test
    void aFailedRunLeavesNoFolders() throws Exception {
        List<String> before = tree(folder);
        for (Ended ended : List.of(
                run("--set=smtp.nonsense=1"),
                CommandProcess.run(folder, "run", "--quiet", "--set=smtp.nonsense=1"))) {
            assertThat(ended.exitCode()).as("%s", ended).isEqualTo(2);
            assertThat(ended.errors()).singleElement().asString().contains("smtp.nonsense");
            assertThat(tree(folder)).isEqualTo(before);
        }
    }

    private void send(CommandProcess hub) throws Exception {
        try (TestClient client = new TestClient(hub.listening())) {
            for (int i = 0; i < MESSAGES; i++) {
                client.send(MESSAGE);
            }
        }
    }

    private Ended run(String... further) throws Exception {
        return CommandProcess.run(folder, runArguments(further));
    }

    private static String[] runArguments(String... further) {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--quiet",
                "--sizes=4KB",
                "--rate=100",
                "--warmup=100ms",
                "--warmup-max=100ms",
                "--no-ceilings",
                "--connections=4"));
        for (String option : List.of("--duration=500ms", "--repeat=1", "--output=out")) {
            String name = option.substring(0, option.indexOf('=') + 1);
            if (Stream.of(further).noneMatch(other -> other.startsWith(name))) {
                arguments.add(option);
            }
        }
        arguments.addAll(List.of(further));
        return arguments.toArray(String[]::new);
    }

    private static String[] serve() {
        return Stream.concat(Stream.of("serve", "--listen=127.0.0.1:0"), GIVEN.stream())
                .toArray(String[]::new);
    }

    /** {@return how many messages the queue on these volumes holds} It is sound as well. */
    private int queued(List<String> volumes) throws Exception {
        List<String> given =
                volumes.stream().filter(option -> !option.startsWith("--track")).toList();
        Ended check = CommandProcess.run(folder, command("check", given));
        assertThat(check.exitCode()).as("%s", check).isZero();
        Ended list = CommandProcess.run(folder, command("list", given));
        assertThat(list.exitCode()).as("%s", list).isZero();
        return list.out().size() - 1;
    }

    private static String[] command(String name, List<String> volumes) {
        return Stream.concat(Stream.of("queue", name), volumes.stream()).toArray(String[]::new);
    }

    /** {@return the names of all that lies below a folder} But what the processes said. */
    private static List<String> tree(Path top) throws IOException {
        try (Stream<Path> all = Files.walk(top)) {
            return new ArrayList<>(all.map(path -> top.relativize(path).toString())
                    .filter(name -> !name.startsWith("errors"))
                    .sorted()
                    .toList());
        }
    }
}
