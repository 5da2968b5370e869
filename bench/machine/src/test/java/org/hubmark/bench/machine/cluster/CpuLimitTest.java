package org.hubmark.bench.machine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.core.UserError;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A process under a limit is held back, and is free again when the limit has gone. */
class CpuLimitTest {
    private static final String NAME = "hubmark-test-" + ProcessHandle.current().pid();

    @BeforeEach
    void needsControlGroups() throws IOException {
        String obstacle = CpuLimit.obstacle();
        assumeTrue(obstacle.isEmpty(), obstacle);
        try (CpuLimit limit = CpuLimit.make(NAME, 0.2)) {
            limit.throttledNanos();
        } catch (IOException | UserError e) {
            assumeTrue(false, "no control group can be made here: " + e.getMessage());
        }
    }

    @Test
    void holdsAProcessBack() throws Exception {
        Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try (CpuLimit limit = CpuLimit.make(NAME, 0.1)) {
            limit.add(busy.pid());
            assertThat(groupsOf(busy)).contains(NAME);
            await().atMost(Duration.ofMinutes(1)).until(() -> limit.throttledNanos() > 0);
        }
        try {
            assertThat(groupsOf(busy)).doesNotContain(NAME);
            assertThat(busy.isAlive()).isTrue();
        } finally {
            busy.destroyForcibly();
            assertThat(busy.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void aShareThatTheKernelDoesNotGiveIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CpuLimit.make(NAME, 0.05))
                .withMessage("0.05 cores are too few: at least 0.10");
    }

    private static String groupsOf(Process process) throws IOException {
        return Files.readString(Path.of("/proc/" + process.pid() + "/cgroup"));
    }
}
