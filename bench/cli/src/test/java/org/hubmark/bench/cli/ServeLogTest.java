package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The log of a hub tells its life, a line an event, as text or as JSON; standard output stays as it is. */
@Execution(ExecutionMode.CONCURRENT)
final class ServeLogTest {
    private static final byte[] MESSAGE =
            "Subject: test\r\n\r\ntext\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path folder;

    @Test
    void tellsALifeInJson() throws Exception {
        String id;
        try (CommandProcess hub = serve("json");
                TestClient client = new TestClient(hub.listening())) {
            id = client.send(MESSAGE);
            hub.kill();
        }
        try (CommandProcess hub = serve("json");
                TestClient client = new TestClient(hub.listening())) {
            client.send(MESSAGE);
            assertThat(CommandInJvm.run("queue delete", CommandInJvm.queueVolumes(folder), id)
                            .exitCode())
                    .isZero();
            Ended ended = hub.stop();
            assertThat(ended.out()).isEmpty();
            Map<String, JsonNode> events = events(ended.errors());
            assertThat(events.keySet())
                    .containsExactly(
                            "queue_opened",
                            "listening",
                            "trusts_everyone",
                            "message_deleted",
                            "signal",
                            "draining",
                            "stopped");
            for (String one : List.of(
                    "queue_opened messages 1",
                    "queue_opened replayed_records 1",
                    "message_deleted id " + id,
                    "message_deleted level warn",
                    "draining connections 1",
                    "stopped accepted_messages 1",
                    "stopped messages 1")) {
                String[] words = one.split(" ", -1);
                assertThat(event(events, words[0]).path(words[1]).asText())
                        .as(one)
                        .isEqualTo(words[2]);
            }
        }
    }

    @Test
    void tellsALifeInText() throws Exception {
        try (CommandProcess hub = serve("text")) {
            hub.listening();
            Ended ended = hub.stop();
            assertThat(ended.errors())
                    .allMatch(line -> line.matches(
                            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z (INFO|WARN)  .*"));
            assertThat(ended.complaint())
                    .contains("INFO  made a new queue on ", "INFO  listening on 127.");
            assertThat(ended.errors().getLast()).contains("INFO  stopped after ");
        }
    }

    @Test
    void aStartThatFailsIsJsonToo() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ended ended = CommandProcess.run(
                    folder,
                    "serve",
                    "--log-format=json",
                    "--listen=127.0.0.1:" + taken.getLocalPort());
            assertThat(ended.exitCode()).isEqualTo(1);
            Map<String, JsonNode> events = events(ended.errors());
            assertThat(events).containsKey("start_failed");
            assertThat(event(events, "start_failed").path("message").asText()).contains("in use");
        }
    }

    /** What a next hop says is in the log; it must neither break a line nor steer a terminal. */
    @Test
    void whatAPeerSaysStaysInItsLine() throws Exception {
        try (ServerSocket hop = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                CommandProcess hub =
                        serve("json", "--deliver=smtp://127.0.0.1:" + hop.getLocalPort());
                TestClient client = new TestClient(hub.listening())) {
            client.send(MESSAGE);
            try (var peer = hop.accept()) {
                peer.getOutputStream()
                        .write("421 \u001b[31m\"go\"\\away\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                hub.awaitError(line -> line.contains("\"event\":\"next_hop_failed\""));
            }
            Ended ended = hub.stop();
            String line = ended.errors().stream()
                    .filter(one -> one.contains("next_hop_failed"))
                    .findFirst()
                    .orElseThrow();
            assertThat(line.chars()).noneMatch(c -> c < ' ');
            assertThat(event(events(ended.errors()), "next_hop_failed")
                            .path("message")
                            .asText())
                    .contains("can't be reached: ");
        }
    }

    private CommandProcess serve(String format, String... more) throws Exception {
        List<String> options = new ArrayList<>(List.of(more));
        options.add("--log-format=" + format);
        return CommandProcess.serve(folder, options.toArray(String[]::new));
    }

    private static JsonNode event(Map<String, JsonNode> events, String name) {
        return Objects.requireNonNull(events.get(name), name);
    }

    /** {@return the lines by their event, in order; of several of a kind the last} */
    private static Map<String, JsonNode> events(List<String> lines) throws Exception {
        Map<String, JsonNode> events = new LinkedHashMap<>();
        for (String line : lines) {
            JsonNode event = new ObjectMapper().readTree(line);
            assertThat(Instant.parse(event.path("time").asText())).isBefore(Instant.now());
            assertThat(event.path("message").asText()).isNotEmpty();
            assertThat(event.path("event").asText()).as(line).isNotEmpty();
            events.put(event.path("event").asText(), event);
        }
        // A start writes to the disk in both ways and takes the quicker: which one is up to the
        // disk and its load.
        events.remove("log_through_cache");
        return events;
    }
}
