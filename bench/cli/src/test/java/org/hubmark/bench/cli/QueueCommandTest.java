package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a hub holds can be looked at and changed while it runs, and when it doesn't. */
final class QueueCommandTest {
    private static final String ABSENT = "0000000000000";

    @TempDir
    private Path folder;

    @Test
    void looksIntoAQueueAndChangesItWithAHubAndWithout() throws Exception {
        String first;
        String second;
        try (CommandProcess hub = CommandProcess.serve(folder);
                TestClient client = new TestClient(hub.listening())) {
            first = client.send("Subject: 1\r\n\r\none\r\n".getBytes(StandardCharsets.US_ASCII));
            second = client.send("Subject: 2\r\n\r\ntwo\r\n".getBytes(StandardCharsets.US_ASCII));
            looksInto(first, second);
            says("1 message made a dead letter by the running hub", "dead-letter", second);
            JsonNode running = json(0, "stats", "--json");
            assertThat(running.path("messages").asLong()).isEqualTo(2);
            assertThat(running.path("waiting_messages").asLong()).isEqualTo(1);
            assertThat(running.path("dead_messages").asLong()).isEqualTo(1);
            assertThat(running.at("/hub/process").asLong()).isEqualTo(hub.processId());
            Ended twice = queue(1, "dead-letter", second, ABSENT);
            assertThat(twice.errors())
                    .containsExactly("hubmark: not in the queue: " + ABSENT
                            + "; a dead letter already: " + second);
            says("1 message made due by the running hub", "retry", second);
            says("2 messages made dead letters by the running hub", "dead-letter", first, second);
            Ended some = CommandInJvm.run(
                    "queue retry", CommandInJvm.queueVolumes(folder), first, ABSENT, second);
            assertThat(some.out()).containsExactly("2 messages made due by the running hub");
            assertThat(some.errors()).containsExactly("hubmark: not in the queue: " + ABSENT);
            hub.stop();
        }
        JsonNode stopped = json(0, "stats", "--json");
        assertThat(stopped.path("queued_messages").asLong()).isEqualTo(2);
        assertThat(stopped.path("hub").isNull()).isTrue();
        says("1 message made a dead letter in the files; no hub is running", "dead-letter", second);
        assertThat(good("list").get(2)).contains(second, "  dead  ", "  never  ");
        assertThat(good("show", second)).contains("reason              by an operator");
        says("1 message made due in the files; no hub is running", "retry", second);
        assertThat(good("list").get(2)).contains(second).doesNotContain("dead");
        // The log goes before it, where the tests' configuration has it.
        assertThat(queue(0, "delete", first).out().getLast())
                .isEqualTo("1 message deleted in the files; no hub is running");
        assertThat(good("list")).hasSize(2).noneMatch(line -> line.startsWith(first));
        for (String change : List.of("show", "retry", "dead-letter", "release", "delete")) {
            assertThat(queue(1, change, ABSENT))
                    .isEqualTo(new Ended(
                            1, List.of(), List.of("hubmark: not in the queue: " + ABSENT)));
        }
    }

    private void looksInto(String first, String second) throws Exception {
        assertThat(good("list").get(1))
                .startsWith(first + "  ")
                .contains("  queued  ")
                .endsWith("  <a@x.example>                   b@y.example");
        JsonNode listed = json(1, "list", "--json");
        assertThat(listed.get("id").asText()).isEqualTo(second);
        assertThat(listed.get("forward_paths").toString()).isEqualTo("[\"b@y.example\"]");
        assertThat(listed.get("reason").isNull()).isTrue();
        assertThat(good("show", second)).contains("reverse_path        a@x.example");
        assertThat(json(0, "show", "--json", second).get("reverse_path").asText())
                .isEqualTo("a@x.example");
        JsonNode checked = json(0, "check", "--json");
        assertThat(checked.get("messages").asLong()).isEqualTo(2);
        assertThat(checked.get("problems")).isEmpty();
        assertThat(good("stats")).contains("queued_messages     2");
        assertThat(good("check").getLast()).startsWith("2 messages, ").endsWith("nothing wrong");
        Path out = folder.resolve("out");
        says("2 messages written to " + out, "export", "--to=" + out);
        assertThat(Files.readString(out.resolve(first + ".eml")))
                .endsWith("Subject: 1\r\n\r\none\r\n");
        assertThat(Files.readString(out.resolve(second + ".json")))
                .contains("\"id\":\"" + second + "\"");
    }

    private void says(String words, String... arguments) throws Exception {
        assertThat(good(arguments)).containsExactly(words);
    }

    private JsonNode json(int line, String... arguments) throws Exception {
        return new ObjectMapper().readTree(good(arguments).get(line));
    }

    private List<String> good(String... arguments) throws Exception {
        Ended ended = queue(0, arguments);
        assertThat(ended.errors()).isEmpty();
        return ended.out();
    }

    private Ended queue(int exitCode, String... arguments) throws Exception {
        List<String> rest = new ArrayList<>(List.of(arguments));
        Ended ended = CommandInJvm.run(
                "queue " + rest.removeFirst(),
                CommandInJvm.queueVolumes(folder),
                rest.toArray(String[]::new));
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        return ended;
    }
}
