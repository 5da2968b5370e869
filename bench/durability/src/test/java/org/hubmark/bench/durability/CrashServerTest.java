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

    private static long child(CrashServer server) throws Exception {
        while (server.processIds().size() < 2) {
            Thread.onSpinWait();
        }
        return server.processIds().get(1);
    }

    @Test
    void aServerThatIsStillClosingHasNotEnded() throws Exception {
        Path closing = folder.resolve("closing");
        try (CrashServer server = start(closing)) {
            long shell = server.processIds().getFirst();
            long child = child(server);
            // Its trap is set once it sleeps.
            while (server.processIds().size() < 3) {
                Thread.onSpinWait();
            }
            server.signal("TERM");
            ProcessHandle.of(shell).ifPresent(one -> one.onExit().join());
            assertThat(server.isAlive()).isTrue();
            assertThat(server.awaitEnd(Duration.ofMillis(20))).isFalse();
            assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isPresent();
            assertThat(closing.toFile().delete()).isTrue();
            assertThat(server.awaitEnd(Duration.ofSeconds(30))).isTrue();
            assertThat(server.isAlive()).isFalse();
        }
    }

    @Test
    void aKillEndsWhatAShellHasLeft() throws Exception {
        try (CrashServer server = start(folder.resolve("closing"))) {
            long shell = server.processIds().getFirst();
            long child = child(server);
            ProcessHandle.of(shell).ifPresent(one -> {
                one.destroyForcibly();
                one.onExit().join();
            });
            server.close();
            assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isEmpty();
        }
    }
}
