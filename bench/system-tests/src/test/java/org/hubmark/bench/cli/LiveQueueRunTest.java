package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.queue.StoreLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Proves that a run takes no mail from a server beside it or from another run, and takes away what it made
 * and nothing else: with processes, as a user would start them.
 */
final class LiveQueueRunTest {
    private static final byte[] MESSAGE =
            "Subject: kept\r\n\r\ntext\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final String[] GIVEN = {
        "--log-volume=d/l", "--queue-volume=d/q", "--tracking-volume=d/t"
    };

    @TempDir
    private Path folder;

    private RunFolder runs;

    @BeforeEach
    void begin() {
        runs = new RunFolder(folder);
    }

    private String[] onGiven(String... more) {
        return Stream.of(new String[] {"--no-ceilings"}, GIVEN, more)
                .flatMap(Stream::of)
                .toArray(String[]::new);
    }

    @Test
    void aRunBesideAServerHasVolumesOfItsOwn() throws Exception {
        try (CommandProcess hub = CommandProcess.serve(folder)) {
            try (TestClient client = new TestClient(hub.listening())) {
                client.send(MESSAGE);
                client.send(MESSAGE);
            }
            runs.measure("run", "--no-ceilings");
            assertThat(queued(CommandInJvm.queueVolumes(folder))).isEqualTo(2);
            hub.stop();
        }
        assertThat(queued(CommandInJvm.queueVolumes(folder))).isEqualTo(2);
        assertThat(runs.file("results.json")).isNotEmptyFile();
        try (Stream<Path> results = Files.walk(folder.resolve("out"))) {
            assertThat(results.filter(Files::isDirectory)).containsExactly(folder.resolve("out"));
        }
    }

    @Test
    void theSecondOfTwoRunsIsRefused() throws Exception {
        try (CommandProcess first =
                runs.start("run", onGiven("--duration=10m", "--output=first"))) {
            runs.awaitSamples("first", 2);
            for (String volume : GIVEN) {
                requireRefused(first, runs.arguments("run", "--quiet", volume));
            }
            requireRefused(
                    first,
                    Stream.concat(Stream.of("serve", "--listen=127.0.0.1:0"), Stream.of(GIVEN))
                            .toArray(String[]::new));
            RunFolder.terminated(first);
        }
        assertThat(folder.resolve("first/results.json")).isNotEmptyFile();
        assertThat(folder.resolve("d")).doesNotExist();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private void requireRefused(CommandProcess first, String... second) throws Exception {
        Ended ended = CommandProcess.run(folder, second);
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
        assertThat(ended.errors())
                .singleElement()
                .asString()
                .contains("is in use by process " + first.processId());
    }

    @Test
    void aRunTakesAwayWhatItMadeAndNothingElse() throws Exception {
        Path file = folder.resolve("d/other/letter");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "dear");
        Files.createDirectories(folder.resolve("d/q"));
        List<String> before = tree();
        runs.measure("run", onGiven("--deliver=hold", "--repeat=2"));
        assertThat(tree()).isEqualTo(before);
    }

    /** Its mail is what the driver sent, but that can't be told from other mail. */
    @Test
    void whatAKilledRunHeldIsLeftAndToldOf() throws Exception {
        Path queue = folder.resolve("d/q/hubmark-run-1/queue");
        try (CommandProcess first =
                runs.start("run", onGiven("--deliver=hold", "--duration=10m", "--output=first"))) {
            runs.awaitSamples("first", 2);
            first.kill();
        }
        RunFolder.await().until(() -> StoreLock.holder(queue).isEmpty());
        List<String> volumes = List.of(
                "--log-volume=" + folder.resolve("d/l/hubmark-run-1/log"),
                "--queue-volume=" + queue);
        int held = queued(volumes);
        Ended second = runs.measure("run", onGiven("--deliver=hold"));
        assertThat(second.errors())
                .anyMatch(line -> line.startsWith("a killed run has left d/l/hubmark-run-1: ")
                        && line.contains("hold a queue with " + held + " messages"));
        assertThat(queued(volumes)).isEqualTo(held).isPositive();
        assertThat(folder.resolve("d/l/hubmark-run-2")).doesNotExist();
    }

    /** {@return how many messages the queue on these volumes holds} It is sound as well. */
    private static int queued(List<String> volumes) throws Exception {
        Ended check = CommandInJvm.run("queue check", volumes);
        assertThat(check.exitCode()).as("%s", check).isZero();
        Ended list = CommandInJvm.run("queue list", volumes);
        assertThat(list.exitCode()).as("%s", list).isZero();
        return list.out().size() - 1;
    }

    /** {@return the names of all that lies in the folder} But results, and what the processes said. */
    private List<String> tree() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.map(path -> folder.relativize(path).toString())
                    .filter(name -> !name.startsWith("errors") && !name.startsWith("out"))
                    .sorted()
                    .toList();
        }
    }
}
