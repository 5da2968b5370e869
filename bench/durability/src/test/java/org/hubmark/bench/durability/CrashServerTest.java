package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Proves that a server runs until the last of its processes has ended, by a shell that ends first. */
@Timeout(60)
class CrashServerTest {
    /** The shell ends by SIGTERM; what it has started takes as long as the file is there. */
    private static final String SCRIPT = """
            touch "$1"
            (trap 'while test -e "$1"; do sleep 0.01; done; exit' TERM; while :; do sleep 0.01; done) &
            echo listening on 127.0.0.1:1
            wait
            """;

    @TempDir
    Path folder;

    private CrashServer start(Path closing) throws Exception {
        return CrashServer.start(new CrashServer.Launch(
                List.of("sh", "-c", SCRIPT, "sh", closing.toString()),
                Map.of(),
                null,
                folder.resolve("said.txt")));
    }

    /** {@return the processes once there are so many: the shell, what it has started, and its sleep} */
    private static List<Long> processes(CrashServer server, int count) throws Exception {
        while (server.processIds().size() < count) {
            Thread.onSpinWait();
        }
        return server.processIds();
    }

    private static boolean isAlive(long process) {
        return ProcessHandle.of(process).filter(ProcessHandle::isAlive).isPresent();
    }

    @Test
    void aServerThatIsStillClosingHasNotEnded() throws Exception {
        Path closing = folder.resolve("closing");
        try (CrashServer server = start(closing)) {
            // Its trap is set once it sleeps.
            List<Long> processes = processes(server, 3);
            server.signal("TERM");
            ProcessHandle.of(processes.getFirst()).ifPresent(one -> one.onExit().join());
            assertThat(server.isAlive()).isTrue();
            assertThat(server.awaitEnd(Duration.ofMillis(20))).isFalse();
            assertThat(isAlive(processes.get(1))).isTrue();
            assertThat(closing.toFile().delete()).isTrue();
            assertThat(server.awaitEnd(Duration.ofSeconds(30))).isTrue();
            assertThat(server.isAlive()).isFalse();
        }
    }

    @Test
    void aKillEndsWhatAShellHasLeft() throws Exception {
        try (CrashServer server = start(folder.resolve("closing"))) {
            List<Long> processes = processes(server, 2);
            ProcessHandle.of(processes.getFirst()).ifPresent(one -> {
                one.destroyForcibly();
                one.onExit().join();
            });
            server.close();
            assertThat(isAlive(processes.get(1))).isFalse();
        }
    }
}
