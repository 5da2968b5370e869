package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.measure.hub.HubJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves that {@code durability --unsynced} gives a server that syncs, and each kind of one that doesn't,
 * the verdict that it deserves, by servers that are small enough to see what they do. Takes root and
 * /dev/fuse; skipped with the reason elsewhere.
 */
@Timeout(300)
class UnsyncedServersTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RIGHT      | 0 | synced     | synced          | All ",
                "NEVER      | 1 | not synced | octets unsynced | not flushed before the 250",
                "FILE_ONLY  | 1 | not synced | name unsynced   | ext4 and XFS keep the name",
                "EARLY      | 1 | not synced | octets unsynced | not flushed before the 250",
                "OTHER      | 1 | not synced | octets unsynced | not flushed before the 250",
                "MAPPED     | 1 | not synced | octets unsynced | only after the 250",
                "COMPRESSED | 3 | unknown    | unknown         | or in another form",
            })
    void eachServerGetsItsVerdict(
            StoringServer.Way way, int exitCode, String verdict, String state, String words)
            throws Exception {
        CommandProcess.Ended ended = run("--for=400ms", "--crashes=0", "--server=" + server(way));

        assertThat(ended.exitCode()).as("%s%n%s", ended.out(), ended.errors()).isEqualTo(exitCode);
        JsonNode unsynced = unsynced();
        assertThat(unsynced.get("verdict").asText()).isEqualTo(verdict);
        int acknowledged = unsynced.get("acknowledged_msgs").asInt();
        assertThat(acknowledged).isPositive();
        switch (way) {
            case RIGHT, COMPRESSED ->
                assertThat(unsynced.get("unsynced_msgs").asInt()).isZero();
            case NEVER, FILE_ONLY, MAPPED ->
                assertThat(unsynced.get("unsynced_msgs").asInt()).isEqualTo(acknowledged);
            case EARLY, OTHER ->
                assertThat(unsynced.get("unsynced_msgs").asInt()).isPositive();
        }
        JsonNode example = unsynced.at("/examples/0");
        assertThat(example.get("state").asText()).isEqualTo(state);
        assertThat(example.get("reason").asText() + ended.printed() + ended.errors())
                .contains(words);
        assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(folder.toString());
        if (way == StoringServer.Way.EARLY) {
            requireStory(example.get("queue_id").asText());
        }
    }

    private void requireStory(String queueId) throws Exception {
        CommandProcess.Ended told = run("--explain=" + queueId);
        assertThat(told.exitCode()).as("%s", told.errors()).isZero();
        String file = "spool/message-" + queueId.substring(1);
        assertThat(told.printed())
                .containsSubsequence(
                        "made: spool\n",
                        "flushed: fsync of the folder {data}",
                        "MAIL sent\n",
                        "354 read, content sent",
                        "made: " + file + "\n",
                        "written: octets 0 to ",
                        "250 read, queued as " + queueId + "\n",
                        "flushed: fsync " + file,
                        "verdict: octets unsynced: ")
                // Whoever has asked for it.
                .contains("flushed: fsync of the folder spool, asked for at ");
        assertThat(run("--explain=nobody").errors())
                .anyMatch(line -> line.contains("no message was sent that is called nobody"));
    }

    @Test
    void ourHubSyncsBeforeItAnswersUnlessItsClassIsNone() throws Exception {
        CommandProcess.Ended synced = run("--for=500ms");
        assertThat(synced.exitCode())
                .as("%s%n%s", synced.out(), synced.errors())
                .isZero();
        assertThat(unsynced().get("verdict").asText()).isEqualTo("synced");
        CommandProcess.Ended none = CommandInJvm.run(
                "durability",
                "--unsynced",
                "--for=500ms",
                "--class=none",
                "--output=" + folder.resolve("none"));
        assertThat(none.exitCode()).as("%s%n%s", none.out(), none.errors()).isOne();
        assertThat(none.errors()).anyMatch(line -> line.startsWith("hubmark: not synced: "));
    }

    private JsonNode unsynced() throws Exception {
        return new ObjectMapper()
                .readTree(folder.resolve("out/durability.json").toFile())
                .get("unsynced");
    }

    private CommandProcess.Ended run(String... arguments) throws Exception {
        assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
                "not root, and a file system of its own needs that");
        assumeTrue(Files.exists(Path.of("/dev/fuse")), "the kernel has no /dev/fuse");
        List<String> all = new ArrayList<>(
                List.of("durability", "--unsynced", "--output=" + folder.resolve("out")));
        all.addAll(List.of(arguments));
        return CommandInJvm.run(all.toArray(String[]::new));
    }

    private static String server(StoringServer.Way way) throws Exception {
        Path classes = Path.of(StoringServer.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return String.join(" ", HubJvm.plainCommand()) + " -XX:TieredStopAtLevel=1 -cp " + classes
                + " " + StoringServer.class.getName() + " " + way + " {port} {data}";
    }
}
