package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * Proves that a hub on a cluster keeps its promise when it or parts of the cluster are killed. By the
 * start script, which finds the servers' jars.
 */
@Tag("long")
@Timeout(1_800)
class ClusterCrashProcessTest {
    private static final Path SCRIPT = Path.of(System.getProperty("hubmark.root"), "hubmark");

    @TempDir
    Path folder;

    @Test
    void aHubKeepsItsPromise() throws Exception {
        assumeTrue(
                Files.isWritable(Path.of("/proc/sys/vm/drop_caches")),
                "the page cache can't be dropped");
        String options = " cluster crash --seed=random --kinds=hub,broker,bookie,bookies"
                + " --crashes=1 --output=" + folder.resolve("out");
        Process process = new ProcessBuilder((SCRIPT + options).split(" ", -1))
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String said = out.lines().collect(Collectors.joining("\n"));
            assertThat(process.waitFor()).as(said).isZero();
            assertThat(said).contains("Every promise was kept, in 4 faults");
        } finally {
            process.destroy();
        }
    }
}
