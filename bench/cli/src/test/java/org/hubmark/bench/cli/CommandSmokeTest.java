package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.load.SinkServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Proves that each command of the command line works in a process of its own, as a user would start it: by
 * its shortest real run, its exit code and words that only it says. What a command does exactly is proved
 * elsewhere, mostly in one JVM.
 */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class CommandSmokeTest {
    /** Commands that are not in the table: those below, and those of RunTest, DurabilityCommandTest and WatchCommandTest. */
    private static final Set<String> ELSEWHERE =
            Set.of("serve", "queue", "sink", "watch", "run", "durability");

    private static final Path TABLE = Path.of("src/test/resources/command-smoke.csv");
    private static final Path RECORDED = Path.of("../mail/src/test/resources/golden/sustained");

    private static final byte[] MESSAGE =
            "Subject: test\r\n\r\n.\r\ntext\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path folder;

    @Test
    void everyCommandHasOne() throws IOException {
        Set<String> missing = new TreeSet<>(Main.commandLine().getSubcommands().keySet());
        missing.removeAll(ELSEWHERE);
        Files.readAllLines(TABLE)
                .forEach(line ->
                        missing.remove(line.replaceFirst("^\\w+ \\| ", "").split(" ", -1)[0]));
        assertThat(missing).as("commands without a line in %s", TABLE).isEmpty();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/command-smoke.csv", delimiter = '|', maxCharsPerColumn = 1000)
    void works(String exitCode, String arguments, String words, @Nullable String file)
            throws Exception {
        try (Stream<Path> recorded = Files.list(RECORDED)) {
            Path run = Files.createDirectory(folder.resolve("run"));
            for (Path one : recorded.toList()) {
                Files.copy(one, run.resolve(one.getFileName()));
            }
        }
        Files.createDirectory(folder.resolve("db"));
        Files.createDirectory(folder.resolve("log"));
        // The lock of JMH lies in the temporary folder.
        List<String> starter = List.of("env", "JDK_JAVA_OPTIONS=-Djava.io.tmpdir=" + folder);
        try (SinkServer sink = SinkServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        SinkServer.Behaviour.willing());
                CommandProcess command = CommandProcess.startUnder(
                        starter,
                        folder,
                        arguments
                                .replace("$sink", "127.0.0.1:" + sink.address().getPort())
                                .split(" ", -1))) {
            Ended ended = command.end();
            Path written = folder.resolve(file == null ? "." : file);
            assertThat(ended.exitCode())
                    .as("%s", ended)
                    .isEqualTo(
                            exitCode.equals("verdict")
                                    ? verdict(written)
                                    : Integer.parseInt(exitCode));
            assertThat(ended.printed() + "\n" + ended.complaint()).contains(words);
            assertThat(written).exists();
            if (written.toString().endsWith(".json")) {
                SchemaCheck.check(written);
            }
        }
    }

    private static int verdict(Path results) throws IOException {
        return new ObjectMapper().readTree(results.toFile()).path("reasons").isEmpty() ? 0 : 3;
    }

    /** It drains on SIGTERM: what it has acknowledged and not delivered is in the queue, which it opens again. */
    @Test
    void serveAndQueue() throws Exception {
        String id;
        try (CommandProcess hub = CommandProcess.serve(folder)) {
            InetSocketAddress address = hub.listening();
            try (TestClient client = new TestClient(address)) {
                id = client.send(MESSAGE);
                hub.terminate();
                assertThat(hub.end()).isEqualTo(new Ended(0, List.of(), List.of()));
            }
        }
        Ended list = CommandProcess.run(folder, "queue", "list");
        assertThat(list.exitCode()).as("%s", list).isZero();
        assertThat(list.out()).hasSize(2);
        assertThat(list.out().getLast()).startsWith(id);
        try (CommandProcess hub = CommandProcess.serve(folder, "--existing-only")) {
            hub.listening();
            assertThat(hub.stop()).isEqualTo(new Ended(0, List.of(), List.of()));
        }
    }

    @Test
    void sink() throws Exception {
        try (CommandProcess sink =
                CommandProcess.start(folder, "sink", "--listen", "127.0.0.1:0")) {
            try (TestClient client = new TestClient(sink.listening())) {
                client.send(MESSAGE);
            }
            sink.terminate();
            Ended ended = sink.end();
            assertThat(ended.exitCode()).as("%s", ended).isZero();
            assertThat(ended.out()).singleElement().asString().startsWith("1 messages taken (");
        }
    }
}
