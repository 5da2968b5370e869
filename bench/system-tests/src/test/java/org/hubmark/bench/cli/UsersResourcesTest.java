package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.users.embedded.EmbeddedSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves with a mail system in a process of its own that users fills the figures of a server,
 * both by the watch and by what is named of this machine.
 */
@Timeout(240)
class UsersResourcesTest {
    private static final List<String> FILLED = List.of(
            "cpu_percent",
            "server_cpu_percent",
            "available_memory_mb",
            "pages_per_s",
            "network_received_bytes_per_s",
            "network_sent_bytes_per_s",
            "driver_cpu_percent");

    private static final List<String> FILLED_OF_DISKS =
            List.of("queue_length", "reads_per_s", "writes_per_s", "busy_percent");

    private static final String PLAYED =
            "users --users=16 --compress=1200 --warmup=1s --duration=4s --limit=1m --send-limit=1m --shared-machine ";

    private static final int AGAIN_MAX = 3;

    @TempDir
    Path folder;

    private EmbeddedSystem mailSystem() throws Exception {
        Path data = Files.createDirectory(folder.resolve("mail"));
        return EmbeddedSystem.start(Main.PROGRAM, data, "user%d@example.test", 16);
    }

    private static String text(InetSocketAddress address) {
        return "127.0.0.1:" + address.getPort();
    }

    /** Plays again where the driver got no CPU beside all else that runs here: such a result has to be not valid. */
    private JsonNode play(EmbeddedSystem mail, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of((PLAYED + "--smtp=" + text(mail.smtp())
                        + " --imap=" + text(mail.imap()) + " --output=" + folder.resolve("out"))
                .split(" ", -1)));
        arguments.addAll(List.of(more));
        for (int left = AGAIN_MAX; ; left--) {
            Ended ended = CommandProcess.run(folder, arguments.toArray(String[]::new));
            if (left == 0 || !ended.complaint().contains("the driver stood still")) {
                assertThat(ended.exitCode()).as("%s", ended).isZero();
                return new ObjectMapper()
                        .readTree(folder.resolve("out/users.json").toFile());
            }
            Folders.delete(folder.resolve("out"));
        }
    }

    private static void requireFilled(JsonNode results) {
        JsonNode spent = results.at("/levels/0/resources");
        for (String figure : FILLED) {
            assertThat(spent.path(figure).isNumber())
                    .as("%s of %s", figure, spent)
                    .isTrue();
        }
        for (String figure : FILLED_OF_DISKS) {
            assertThat(spent.at("/disks/0").path(figure).isNumber())
                    .as("%s of %s", figure, spent)
                    .isTrue();
        }
        assertThat(spent.at("/disks/0/holds").asText()).isEqualTo("mailboxes");
    }

    @Test
    void aWatchFillsTheFiguresOfAServerElsewhere() throws Exception {
        assumeTrue(
                VolumeStack.of(folder).deviceName() != null,
                "the temporary folder is on no block device");
        String watch = CommandProcess.line(
                "watch", "--stdio", "--processes=java", "--volume=mailboxes=" + folder);
        try (EmbeddedSystem mail = mailSystem()) {
            JsonNode results = play(mail, "--target-watch=" + watch);
            requireFilled(results);
            assertThat(results.at("/levels/0/resources/source").asText()).isEqualTo(watch);
            assertThat(results.at("/target_watch/counts").asText()).isEqualTo("process");
            assertThat(results.at("/target_watch/lost").isNull()).isTrue();
            assertThat(results.at("/server_environment/cpu_model"))
                    .isEqualTo(results.at("/environment/cpu_model"));
            assertThat(Files.readString(folder.resolve("out/report.md")))
                    .contains("| Server's machine: CPU | ")
                    .contains("--stdio");
        }
    }

    @Test
    void whatIsNamedOfThisMachineIsCounted() throws Exception {
        assumeTrue(
                VolumeStack.of(folder).deviceName() != null,
                "the temporary folder is on no block device");
        try (EmbeddedSystem mail = mailSystem()) {
            JsonNode results =
                    play(mail, "--target-processes=java", "--target-volume=mailboxes=" + folder);
            requireFilled(results);
            assertThat(results.at("/levels/0/resources/source").asText()).isEqualTo("this machine");
            assertThat(results.path("server_environment").isNull()).isTrue();
            assertThat(results.at("/environment/volumes/0/role").asText()).isEqualTo("mailboxes");
        }
    }
}
