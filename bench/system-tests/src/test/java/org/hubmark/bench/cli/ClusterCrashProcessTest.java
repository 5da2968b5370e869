package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.durability.Recorder;
import org.hubmark.bench.machine.cluster.ClusterHosts;
import org.hubmark.bench.machine.cluster.LinkFault;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Proves that a hub on a cluster keeps its promise when links are cut and the power of bookies goes. By the
 * start script, which finds the servers' jars.
 */
@Tag("long")
@Timeout(1800)
class ClusterCrashProcessTest {
    private static final Path SCRIPT = Path.of(System.getProperty("hubmark.root"), "hubmark");

    @TempDir
    Path folder;

    @Test
    void aHubKeepsItsPromise() throws Exception {
        assumePossible();
        assertThat(crash(
                        "--kinds=hub-broker,broker-bookie,loss,outage", "--crashes=1", "--hold=4s"))
                .as("%s", said())
                .isZero();
        assertThat(said()).contains("Every promise was kept, in 4 faults");
    }

    /**
     * Not so if anything of the cluster ran on: brokers would deliver what they remember. Three outages, because
     * disks may happen to keep what was not flushed, and because mail that one of four keeps is not lost.
     */
    @Test
    void anOutageConvictsDisksThatIgnoreFlushes() throws Exception {
        assumePossible();
        assertThat(crash("--kinds=outage", "--crashes=3", "--ignore-flushes"))
                .as("%s", said())
                .isOne();
        assertThat(said()).contains("acknowledged messages were never delivered");
    }

    private static void assumePossible() throws IOException {
        assumeTrue(ClusterHosts.obstacle().isEmpty(), ClusterHosts.obstacle());
        assumeTrue(LinkFault.obstacle(false).isEmpty(), LinkFault.obstacle(false));
        assumeTrue(Recorder.obstacle() == null, Recorder.obstacle());
    }

    private int crash(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                SCRIPT.toString(),
                "cluster",
                "crash",
                "--connections=2",
                "--seed=random",
                "--output=" + folder.resolve("out")));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        try {
            assertThat(process.waitFor(25, TimeUnit.MINUTES)).as("%s", said()).isTrue();
            return process.exitValue();
        } finally {
            process.destroy();
        }
    }

    private String said() throws IOException {
        Path said = folder.resolve("said");
        return Files.exists(said) ? Files.readString(said) : "";
    }
}
