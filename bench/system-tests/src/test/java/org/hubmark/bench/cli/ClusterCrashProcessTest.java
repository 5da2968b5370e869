package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
 * Proves that a hub on a cluster keeps its promise when it or parts of the cluster are killed. By the
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
                        "--kinds=hub,broker,bookie,bookies",
                        "--crashes=1",
                        "--output=" + folder.resolve("out")))
                .as("%s", said())
                .isZero();
        assertThat(said()).contains("Every promise was kept, in 4 faults");
    }

    private static void assumePossible() {
        assumeTrue(
                Files.isWritable(Path.of("/proc/sys/vm/drop_caches")),
                "the page cache can't be dropped");
    }

    private int crash(String... options) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(SCRIPT.toString(), "cluster", "crash", "--seed=random"));
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
