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
                        "--kinds=hub-broker,broker-bookie,loss,outage",
                        "--crashes=1",
                        "--hold=4s",
                        "--output=" + folder.resolve("out")))
                .as("%s", said())
                .isZero();
        assertThat(said()).contains("Every promise was kept, in 4 faults");
    }

    /**
     * All that was not flushed is at stake. The disks of one outage may happen to keep all of it, so there is
     * one of up to four clusters each.
     */
    @Test
    void anOutageConvictsDisksThatIgnoreFlushes() throws Exception {
        assumePossible();
        boolean convicted = false;
        for (int cluster = 1; cluster <= 4 && !convicted; cluster++) {
            int code = crash(
                    "--kinds=outage",
                    "--crashes=1",
                    "--ignore-flushes",
                    "--output=" + folder.resolve("out-" + cluster));
            assertThat(code).as("%s", said()).isBetween(0, 1);
            convicted = code == 1 && said().contains("acknowledged messages were never delivered");
        }
        assertThat(convicted).as("%s", said()).isTrue();
    }

    private static void assumePossible() throws IOException {
        assumeTrue(ClusterHosts.obstacle().isEmpty(), ClusterHosts.obstacle());
        assumeTrue(LinkFault.obstacle(false).isEmpty(), LinkFault.obstacle(false));
        assumeTrue(Recorder.obstacle() == null, Recorder.obstacle());
    }

    private int crash(String... options) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(SCRIPT.toString(), "cluster", "crash", "--connections=2", "--seed=random"));
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
