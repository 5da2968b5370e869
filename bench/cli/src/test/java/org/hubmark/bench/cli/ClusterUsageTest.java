package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** What can't be is refused in one line, before anything is started. */
class ClusterUsageTest {
    @TempDir
    private Path folder;

    @Test
    void aClusterThatCantBeIsRefused() throws Exception {
        Path nowhere = folder.resolve("nowhere");
        Path usual = Path.of("hubmark-cluster").toAbsolutePath();
        assertThat(usual).doesNotExist();
        refused(2, "a cluster has 1 to 16 bookies, not 0", "cluster", "start", "--bookies=0");
        refused(1, "there is no cluster in " + nowhere, "cluster", "status", "--folder=" + nowhere);
        refused(1, "there is no cluster in " + nowhere, "cluster", "stop", "--folder=" + nowhere);
        refused(2, "Missing required subcommand", "cluster");
        refused(
                2,
                "expected one of [HUB, BROKER, BOOKIE, BOOKIES]",
                "cluster",
                "crash",
                "--kinds=hub,flood");
        refused(2, "--crashes 0: 1 to 10000", "cluster", "crash", "--crashes=0");
        assertThat(usual).doesNotExist();
    }

    @Test
    void aFolderOfSomethingElseIsLeftAlone() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.createFile(other.resolve("letter.txt"));
        refused(2, "is not empty and holds no cluster", "cluster", "start", "--folder=" + other);
        try (var files = Files.list(other)) {
            assertThat(files).containsExactly(other.resolve("letter.txt"));
        }
    }

    @Test
    void aHubWhoseQueueIsElsewhereTakesNothingOfTheVolumes() throws Exception {
        String queue = "--queue=pulsar://127.0.0.1:1/public/default";
        refused(
                2,
                "--durability is for a queue on this machine's volumes; with --queue the cluster decides",
                "serve",
                queue,
                "--durability=none");
        refused(
                2,
                "--log-volume is for a queue on this machine's volumes; with --queue the cluster decides",
                "serve",
                queue,
                "--log-volume=here");
        // The tests have no engine on their class path.
        refused(2, "there is no engine for the queue", "serve", queue, "--listen=127.0.0.1:0");
    }

    @Test
    void aQueueInAClusterIsLookedIntoByItsOwnTools() throws Exception {
        String queue = "--queue=pulsar://127.0.0.1:1/public/default";
        String words = "the commands of queue look into a queue on volumes; for"
                + " pulsar://127.0.0.1:1/public/default use Pulsar's own pulsar-admin";
        refused(2, words, "queue", "list", queue, "--set=pulsar.admin=http://a:1");
        refused(2, words, "queue", "delete", queue, "06YYQMVWCSMR0");
        Path file = Files.writeString(folder.resolve("hub.properties"), queue.substring(2) + "\n");
        refused(2, words, "queue", "stats", "--config=" + file);
    }

    private void refused(int exitCode, String expected, String... arguments) throws Exception {
        Ended ended = CommandInJvm.run(arguments);
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        assertThat(ended.errors())
                .singleElement()
                .asString()
                .startsWith("hubmark: ")
                .contains(expected);
    }
}
