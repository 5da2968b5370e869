package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Proves with a hub in a process of its own that it loses nothing by SIGKILL or a failed write, and says
 * in one line that a library is missing.
 */
final class ServeProcessTest {
    private static final byte[] MESSAGE =
            "Subject: test\r\n\r\n.\r\ntext\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");

    @TempDir
    private Path folder;

    /** One line, and not a second try, for which RocksDB may wait for ever. */
    @Test
    void saysThatALibraryIsMissing() throws Exception {
        List<String> starter = List.of(
                "env",
                "ROCKSDB_SHAREDLIB_DIR=" + folder.resolve("missing"),
                "_JAVA_OPTIONS=-Djava.library.path=" + folder);
        try (CommandProcess hub =
                CommandProcess.startUnder(starter, folder, "serve", "--listen=127.0.0.1:0")) {
            Ended ended = hub.end();
            assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
            assertThat(ended.errors())
                    .filteredOn(line -> !line.startsWith("Picked up _JAVA_OPTIONS"))
                    .singleElement(STRING)
                    .startsWith("hubmark: can't load the native libraries of a hub: ")
                    .contains("missing");
        }
    }

    @Test
    void losesNothingByAKillAndDeliversItWhateverTheLocale() throws Exception {
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        try (CommandProcess hub = CommandProcess.serve(folder)) {
            InetSocketAddress address = hub.listening();
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                senders.add(Thread.ofPlatform().start(() -> sendUntilCut(address, acknowledged)));
            }
            RunFolder.await().until(() -> acknowledged.size() >= 200);
            hub.kill();
            for (Thread sender : senders) {
                sender.join();
            }
        }
        assertThat(queued()).containsAll(acknowledged);
        Ended check = queue("check");
        assertThat(check.exitCode()).as("%s", check).isZero();
        // As in a shell without a locale, where digits are others too.
        List<String> starter = List.of(
                "env", "LC_ALL=C", "JAVA_TOOL_OPTIONS=-Duser.language=ar -Duser.country=EG");
        try (CommandProcess hub = CommandProcess.startUnder(
                starter, folder, "serve", "--listen=127.0.0.1:0", "--deliver=directory:out")) {
            hub.listening();
            RunFolder.await().until(() -> delivered().containsAll(acknowledged));
            hub.stop();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.map(Path::toString)).allMatch(name -> name.matches("\\p{ASCII}+"));
        }
    }

    @Test
    void stopsWhenAWriteFailsAndKeepsWhatItHad() throws Exception {
        assumeTrue(Files.isExecutable(PRLIMIT), () -> "there is no " + PRLIMIT);
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        try (CommandProcess hub = CommandProcess.serve(folder)) {
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
        Ended list = queue("list");
        assertThat(list.exitCode()).as("%s", list).isZero();
        return list.out().stream().skip(1).map(line -> line.substring(0, 13)).toList();
    }

    private Ended queue(String command) throws Exception {
        return CommandInJvm.run("queue " + command, CommandInJvm.queueVolumes(folder));
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
