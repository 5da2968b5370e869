package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.measure.hub.HubJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A hub in a process of its own says when it is ready, drains on SIGTERM, loses nothing by SIGKILL,
 * and says in one line why it doesn't start.
 */
final class ServeCommandTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static final byte[] MESSAGE =
            "Subject: test\r\n\r\n.\r\ntext\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");

    @TempDir
    private Path folder;

    @Test
    void drainsOnSigterm() throws Exception {
        String id;
        try (CommandProcess hub =
                CommandProcess.start(folder, "serve", "--listen", "127.0.0.1:0")) {
            InetSocketAddress address = hub.listening();
            try (TestClient client = new TestClient(address)) {
                id = client.send(MESSAGE);
                hub.terminate();
                assertThat(hub.end()).isEqualTo(new Ended(0, List.of(), List.of()));
            }
        }
        assertThat(queued()).containsExactly(id);
    }

    @Test
    void makesAQueueOnlyWhereItMay() throws Exception {
        Ended refused =
                CommandProcess.run(folder, "serve", "--listen", "127.0.0.1:0", "--existing-only");
        assertThat(refused.exitCode()).as("%s", refused).isEqualTo(1);
        assertThat(refused.errors())
                .singleElement(STRING)
                .contains("there is no queue", "check the two folders, and that they are mounted");
        assertThat(folder.resolve("hubmark-data/log")).doesNotExist();
        try (CommandProcess hub =
                CommandProcess.start(folder, "serve", "--listen", "127.0.0.1:0")) {
            hub.listening();
            hub.terminate();
            assertThat(hub.end().exitCode()).isZero();
        }
        try (CommandProcess hub = CommandProcess.start(
                folder, "serve", "--listen", "127.0.0.1:0", "--existing-only")) {
            hub.listening();
            hub.terminate();
            // It made nothing, so it says nothing.
            assertThat(hub.end()).isEqualTo(new Ended(0, List.of(), List.of()));
        }
    }

    /** One line, and not a second try, for which RocksDB may wait for ever. */
    @Test
    void saysThatALibraryIsMissing() throws Exception {
        List<String> command = new ArrayList<>(HubJvm.plainCommand());
        command.add("-Djava.library.path=" + folder);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of("serve", "--listen", "127.0.0.1:0"));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment()
                .put("ROCKSDB_SHAREDLIB_DIR", folder.resolve("missing").toString());
        Path errors = folder.resolve("errors.txt");
        Process hub = builder.redirectError(errors.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(hub.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            hub.destroyForcibly();
        }
        assertThat(hub.exitValue()).isEqualTo(1);
        assertThat(Files.readAllLines(errors))
                .singleElement(STRING)
                .startsWith("hubmark: can't load the native libraries of a hub: ")
                .contains("missing");
    }

    @Test
    void losesNothingByAKill() throws Exception {
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        try (CommandProcess hub =
                CommandProcess.start(folder, "serve", "--listen", "127.0.0.1:0")) {
            InetSocketAddress address = hub.listening();
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                senders.add(Thread.ofPlatform().start(() -> sendUntilCut(address, acknowledged)));
            }
            await().atMost(SOON).until(() -> acknowledged.size() >= 200);
            hub.kill();
            for (Thread sender : senders) {
                sender.join();
            }
        }
        assertThat(queued()).containsAll(acknowledged);
        Ended check = CommandProcess.run(folder, "queue", "check");
        assertThat(check.exitCode()).as("%s", check).isZero();
        try (CommandProcess hub = CommandProcess.start(
                folder, "serve", "--listen", "127.0.0.1:0", "--deliver", "directory:out")) {
            hub.listening();
            await().atMost(SOON).until(() -> delivered().containsAll(acknowledged));
            hub.terminate();
            assertThat(hub.end().exitCode()).isZero();
        }
    }

    @Test
    void stopsWhenAWriteFailsAndKeepsWhatItHad() throws Exception {
        assumeTrue(Files.isExecutable(PRLIMIT), () -> "there is no " + PRLIMIT);
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        try (CommandProcess hub =
                CommandProcess.start(folder, "serve", "--listen", "127.0.0.1:0")) {
            InetSocketAddress address = hub.listening();
            // Writes beyond this size of a file fail as on a full or broken device.
            hub.limitFileSize(PRLIMIT, 500_000);
            sendUntilCut(address, acknowledged);
            Ended ended = hub.end();
            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.errors().getLast()).startsWith("hubmark: the hub stopped: ");
        }
        assertThat(acknowledged).isNotEmpty();
        assertThat(queued()).containsAll(acknowledged);
    }

    @Test
    void saysThatThePortIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            Ended ended = CommandProcess.run(folder, "serve", "--listen", address);
            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.errors())
                    .singleElement()
                    .asString()
                    .contains("listen on " + address + ":", "in use");
            assertThat(folder.resolve("hubmark-data")).doesNotExist();
        }
    }

    @Test
    void saysThatAFolderWontDo() throws Exception {
        Files.createFile(folder.resolve("file"));
        for (String option :
                List.of("--log-volume", "--queue-volume", "--tracking-volume", "--deliver")) {
            String value = (option.equals("--deliver") ? "directory:" : "") + "file/folder";
            Ended ended =
                    CommandProcess.run(folder, "serve", "--listen", "127.0.0.1:0", option, value);
            assertThat(ended.exitCode()).as(option).isEqualTo(1);
            assertThat(ended.errors()).as(option).singleElement().asString().contains("file");
        }
    }

    /** Rather than refuse every message for want of room. */
    @Test
    void saysThatAVolumeIsTooSmallForItsDepth() throws Exception {
        Ended ended = CommandProcess.run(
                folder, "serve", "--listen=127.0.0.1:0", "--checkpoint-depth=100000GB");
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.errors())
                .singleElement(STRING)
                .contains("hubmark-data/log", " MB; take a smaller depth or a larger volume");
        assertThat(folder.resolve("hubmark-data")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--listen nowhere",
                "--listen 127.0.0.1:99999",
                "--deliver smtp://127.0.0.1:99999",
                "--durability maybe",
                "--checkpoint-depth 1KB",
                "--checkpoint-depth 512",
                "--checkpoint-depth lots",
                "--intake bin",
                "--max-message-size huge",
                "--set smtp.nonsense=1",
                "--set smtp.recipients-max=3",
                "--what"
            })
    void refusesWrongUsage(String arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("serve", "--listen", "127.0.0.1:0"));
        if (arguments.startsWith("--listen")) {
            all = new ArrayList<>(List.of("serve"));
        }
        all.addAll(List.of(arguments.split(" ", -1)));
        Ended ended = CommandProcess.run(folder, all.toArray(new String[0]));
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.errors()).singleElement().asString().startsWith("hubmark: ");
    }

    private static void sendUntilCut(InetSocketAddress address, Set<String> acknowledged) {
        try (TestClient client = new TestClient(address)) {
            while (true) {
                acknowledged.add(client.send(MESSAGE));
            }
        } catch (IOException e) {
            // The hub was killed, as planned.
            return;
        }
    }

    private List<String> queued() throws Exception {
        Ended list = CommandProcess.run(folder, "queue", "list");
        assertThat(list.exitCode()).as("%s", list).isZero();
        return list.out().stream().skip(1).map(line -> line.substring(0, 13)).toList();
    }

    private Set<String> delivered() throws IOException {
        try (var files = Files.list(folder.resolve("out"))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".json"))
                    .map(name -> name.substring(0, 13))
                    .collect(Collectors.toSet());
        }
    }
}
