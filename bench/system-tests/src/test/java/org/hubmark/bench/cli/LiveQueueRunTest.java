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
 * Proves that a run takes no mail from a server beside it or from another run, and takes away what it made
 * and nothing else: with processes, as a user would start them.
 */
@Timeout(240)
final class LiveQueueRunTest {
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
            assertThat(queued(CommandInJvm.queueVolumes(folder))).isEqualTo(MESSAGES);
            hub.terminate();
            assertThat(hub.end().exitCode()).isZero();
        }
        assertThat(queued(CommandInJvm.queueVolumes(folder))).isEqualTo(MESSAGES);
        assertThat(folder.resolve("out/results.json")).isNotEmptyFile();
        try (Stream<Path> results = Files.walk(folder.resolve("out"))) {
            assertThat(results.filter(Files::isDirectory)).containsExactly(folder.resolve("out"));
        }
    }

    @Test
    void theSecondOfTwoRunsIsRefused() throws Exception {
        List<String> endless = new ArrayList<>(GIVEN);
        endless.addAll(List.of("--duration=10m", "--output=first"));
        try (CommandProcess first =
                CommandProcess.start(folder, runArguments(endless.toArray(String[]::new)))) {
            Path samples = folder.resolve("first/series.csv");
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
            Path samples = folder.resolve("first/series.csv");
            await().atMost(Duration.ofSeconds(90))
                    .until(() ->
                            Files.exists(samples) && Files.readAllLines(samples).size() > 1);
            first.kill();
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> StoreLock.holder(folder.resolve("d/q/hubmark-run-1/queue"))
                        .isEmpty());
        List<String> volumes = List.of(
                "--log-volume=" + left.resolve("log"),
                "--queue-volume=" + folder.resolve("d/q/hubmark-run-1/queue"));
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
                // What is judged is whose the queues are.
                "--driver-warmup=0s",
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
    private static int queued(List<String> volumes) throws Exception {
        Ended check = CommandInJvm.run("queue check", volumes);
        assertThat(check.exitCode()).as("%s", check).isZero();
        Ended list = CommandInJvm.run("queue list", volumes);
        assertThat(list.exitCode()).as("%s", list).isZero();
        return list.out().size() - 1;
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
