package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.users.embedded.EmbeddedSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Proves with a mail system in a process of its own that users fills the figures of a server, both by the watch
 * and by what is named of this machine, and that it prints what it has when it is told to end.
 */
class UsersProcessTest {
    private static final String FILLED = "cpu_percent server_cpu_percent available_memory_mb"
            + " pages_per_s network_received_bytes_per_s network_sent_bytes_per_s"
            + " driver_cpu_percent";

    private static final String FILLED_OF_DISKS =
            "queue_length reads_per_s writes_per_s busy_percent";

    private static final String PLAYED =
            "users --users=16 --compress=1200 --warmup=1s --duration=4s --limit=1m --send-limit=1m"
                    + " --shared-machine --output=out";

    private static final int AGAIN_MAX = 3;

    @TempDir
    Path folder;

    /** Plays again where the driver got no CPU beside all else that runs here: such a result has to be not valid. */
    private JsonNode play(String... more) throws Exception {
        WatchProcessTest.assumeDevice(folder);
        RunFolder runs = new RunFolder(folder);
        Path data = Files.createDirectory(folder.resolve("mail"));
        try (EmbeddedSystem mail =
                EmbeddedSystem.start(Main.PROGRAM, data, "user%d@example.test", 16)) {
            String played = PLAYED + " --smtp=127.0.0.1:" + mail.smtp().getPort()
                    + " --imap=127.0.0.1:" + mail.imap().getPort();
            String[] arguments = Stream.of(played.split(" ", -1), more)
                    .flatMap(Stream::of)
                    .toArray(String[]::new);
            for (int left = AGAIN_MAX; ; left--) {
                Ended ended = CommandProcess.run(folder, arguments);
                if (left == 0 || !ended.complaint().contains("the driver stood still")) {
                    assertThat(ended.exitCode()).as("%s", ended).isZero();
                    return runs.json("users.json");
                }
                Folders.delete(folder.resolve("out"));
            }
        }
    }

    private static void requireFilled(JsonNode results) {
        JsonNode spent = results.at("/levels/0/resources");
        requireNumbers(spent, FILLED);
        requireNumbers(spent.at("/disks/0"), FILLED_OF_DISKS);
        assertThat(spent.at("/disks/0/holds").asText()).isEqualTo("mailboxes");
    }

    private static void requireNumbers(JsonNode object, String figures) {
        for (String figure : figures.split(" ", -1)) {
            assertThat(object.path(figure).isNumber())
                    .as("%s of %s", figure, object)
                    .isTrue();
        }
    }

    @Test
    void aWatchFillsTheFiguresOfAServerElsewhere() throws Exception {
        String watch = CommandProcess.line(
                "watch", "--stdio", "--processes=java", "--volume=mailboxes=" + folder);
        JsonNode results = play("--target-watch=" + watch);
        requireFilled(results);
        assertThat(results.at("/levels/0/resources/source").asText()).isEqualTo(watch);
        assertThat(results.at("/target_watch/counts").asText()).isEqualTo("process");
        assertThat(results.at("/target_watch/lost").isNull()).isTrue();
        assertThat(results.at("/server_environment/cpu_model"))
                .isEqualTo(results.at("/environment/cpu_model"));
        assertThat(folder.resolve("out/report.md"))
                .content()
                .contains("| Server's machine: CPU | ")
                .contains("--stdio");
    }

    @Test
    void whatIsNamedOfThisMachineIsCounted() throws Exception {
        JsonNode results = play("--target-processes=java", "--target-volume=mailboxes=" + folder);
        requireFilled(results);
        assertThat(results.at("/levels/0/resources/source").asText()).isEqualTo("this machine");
        assertThat(results.path("server_environment").isNull()).isTrue();
        assertThat(results.at("/environment/volumes/0/role").asText()).isEqualTo("mailboxes");
    }

    @Test
    void whatIsInterruptedIsPrinted() throws Exception {
        String command = "users --users=2,3 --compress=100 --warmup=1s --duration=5m --output=out"
                + " --json";
        try (CommandProcess users = CommandProcess.start(folder, command.split(" ", -1))) {
            users.awaitError(line -> line.startsWith("2 users, run 1, measure"));
            Ended ended = RunFolder.terminated(users);
            assertThat(ended.errors()).noneMatch(line -> line.startsWith("hubmark: "));
            JsonNode json = new ObjectMapper().readTree(ended.printed());
            assertThat(json.path("complete").asBoolean(true)).isFalse();
            assertThat(json.path("levels")).hasSize(1);
        }
    }
}
