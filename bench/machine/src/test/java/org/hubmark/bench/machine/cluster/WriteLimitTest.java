package org.hubmark.bench.machine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A process under a limit has to wait for the disk, and goes on when the limit has gone. */
class WriteLimitTest {
    private static final String NAME = "hubmark-test-" + ProcessHandle.current().pid();

    @Test
    void aSyncWaitsForTheLimit(@TempDir Path folder) throws Exception {
        String obstacle = WriteLimit.obstacle(folder);
        assumeTrue(obstacle.isEmpty(), obstacle);
        Process writer = new ProcessBuilder(
                        "sh",
                        "-c",
                        "read go; exec dd if=/dev/zero of=file bs=64k count=4 conv=fsync")
                .directory(folder.toFile())
                .start();
        try {
            try (WriteLimit limit = WriteLimit.make(NAME, folder, 1000)) {
                limit.add(writer.pid());
                assertThat(Files.readString(Path.of("/proc/" + writer.pid() + "/cgroup")))
                        .contains(NAME);
                writer.getOutputStream().write('\n');
                writer.getOutputStream().flush();
                // At 1000 octets a second it takes minutes.
                assertThat(writer.waitFor(1, TimeUnit.SECONDS)).isFalse();
            }
            assertThat(writer.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(writer.exitValue()).isZero();
        } finally {
            writer.destroyForcibly();
        }
    }
}
