package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Proves that no command takes mail from a queue: the hub is a process, so that its locks are those of
 * another one, and what is refused is refused in this JVM.
 */
@Timeout(240)
final class LiveQueueTest {
    private static final byte[] MESSAGE =
            "Subject: kept\r\n\r\ntext\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final int MESSAGES = 10;

    @TempDir
    private Path folder;

    @Test
    void aQueueInUseIsRefused() throws Exception {
        try (CommandProcess hub = CommandProcess.serve(folder)) {
            long process = hub.processId();
            send(hub);
            Path data = folder.resolve("hubmark-data");
            List<String> volumes = CommandInJvm.volumes(folder);
            BackgroundFiles.awaitIn(data.resolve("log"), data.resolve("tracking"));
            Set<String> before = CommandInJvm.files(folder).keySet();
            for (Ended ended : List.of(
                    run(volumes),
                    run(List.of("--queue-volume=" + data.resolve("queue"))),
                    CommandInJvm.run("serve --listen=127.0.0.1:0", volumes),
                    CommandInJvm.run("volumes probe", List.of("" + data.resolve("queue"))),
                    CommandInJvm.run(
                            "matrix --quiet --sizes=1KB --layouts=one",
                            volumes,
                            "--output=" + folder.resolve("out")))) {
                assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
                assertThat(ended.errors())
                        .singleElement()
                        .asString()
                        .containsPattern(
                                "hubmark-data/(log|queue) is in use by process " + process);
                assertThat(CommandInJvm.files(folder).keySet()).isEqualTo(before);
            }
            assertThat(queued()).isEqualTo(MESSAGES);
        }
    }

    @Test
    void theMailOfAStoppedServerIsRefused() throws Exception {
        try (CommandProcess hub = CommandProcess.serve(folder)) {
            send(hub);
            hub.stop();
        }
        // What runs of earlier versions left, and took for a licence.
        Path data = folder.resolve("hubmark-data");
        for (String volume : List.of("log", "queue", "tracking")) {
            Files.writeString(data.resolve(volume).resolve("hubmark-run"), "");
        }
        Set<String> before = CommandInJvm.files(data).keySet();
        Ended run = run(CommandInJvm.volumes(folder));
        assertThat(run.exitCode()).as("%s", run).isEqualTo(2);
        assertThat(run.errors())
                .containsExactly("hubmark: " + data.resolve("log") + " and " + data.resolve("queue")
                        + " hold a queue with " + MESSAGES
                        + " messages: name other folders, or deliver the mail first (hubmark serve"
                        + " --deliver), or export it (hubmark queue export) and delete the"
                        + " folders");
        assertThat(CommandInJvm.files(data).keySet()).isEqualTo(before);
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(queued()).isEqualTo(MESSAGES);
    }

    private void send(CommandProcess hub) throws Exception {
        try (TestClient client = new TestClient(hub.listening())) {
            for (int i = 0; i < MESSAGES; i++) {
                client.send(MESSAGE);
            }
        }
    }

    private Ended run(List<String> options) throws Exception {
        return CommandInJvm.run(
                "run --quiet --sizes=4KB --rate=100 --duration=500ms --repeat=1",
                options,
                "--output=" + folder.resolve("out"));
    }

    /** {@return how many messages the queue on these volumes holds} It is sound as well. */
    private int queued() throws Exception {
        Ended check = CommandInJvm.run("queue check", CommandInJvm.queueVolumes(folder));
        assertThat(check.exitCode()).as("%s", check).isZero();
        Ended list = CommandInJvm.run("queue list", CommandInJvm.queueVolumes(folder));
        assertThat(list.exitCode()).as("%s", list).isZero();
        return list.out().size() - 1;
    }
}
