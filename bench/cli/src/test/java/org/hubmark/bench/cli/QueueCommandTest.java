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
        try (CommandProcess hub = CommandProcess.start(folder, "serve", "--listen", "127.0.0.1:0");
                TestClient client = new TestClient(hub.listening())) {
            first = client.send("Subject: 1\r\n\r\none\r\n".getBytes(StandardCharsets.US_ASCII));
            second = client.send("Subject: 2\r\n\r\ntwo\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(good("list").get(1))
                    .startsWith(first + "  ")
                    .contains("  queued  ")
                    .endsWith("  <a@x.example>                   b@y.example");
            JsonNode json = new ObjectMapper().readTree(good("list", "--json").get(1));
            assertThat(json.get("id").asText()).isEqualTo(second);
            assertThat(json.get("forward_paths").toString()).isEqualTo("[\"b@y.example\"]");
            assertThat(json.get("reason").isNull()).isTrue();
            assertThat(good("show", second)).contains("reverse_path        a@x.example");
            JsonNode shown =
                    new ObjectMapper().readTree(good("show", "--json", second).getFirst());
            assertThat(shown.get("reverse_path").asText()).isEqualTo("a@x.example");
            JsonNode checked =
                    new ObjectMapper().readTree(good("check", "--json").getFirst());
            assertThat(checked.get("messages").asLong()).isEqualTo(2);
            assertThat(checked.get("problems")).isEmpty();
            assertThat(good("stats")).contains("queued_messages     2");
            assertThat(good("check").getLast())
                    .startsWith("2 messages, ")
                    .endsWith("nothing wrong");
            assertThat(good("export", "--to=" + folder.resolve("out")))
                    .containsExactly("2 messages written to " + folder.resolve("out"));
            assertThat(Files.readString(folder.resolve("out/" + first + ".eml")))
                    .endsWith("Subject: 1\r\n\r\none\r\n");
            assertThat(Files.readString(folder.resolve("out/" + second + ".json")))
                    .contains("\"id\":\"" + second + "\"");
            assertThat(good("dead-letter", second))
                    .containsExactly("1 message made a dead letter by the running hub");
            assertThat(good("show", second)).contains("reason              by an operator");
            JsonNode running = stats();
            assertThat(running.path("messages").asLong()).isEqualTo(2);
            assertThat(running.path("waiting_messages").asLong()).isEqualTo(1);
            assertThat(running.path("dead_messages").asLong()).isEqualTo(1);
            assertThat(running.path("hub").path("process").asLong()).isEqualTo(hub.processId());
            Ended twice = queue("dead-letter", second, ABSENT);
            assertThat(twice.exitCode()).isEqualTo(1);
            assertThat(twice.errors())
                    .containsExactly("hubmark: not in the queue: " + ABSENT
                            + "; a dead letter already: " + second);
            assertThat(good("retry", second))
                    .containsExactly("1 message made due by the running hub");
            assertThat(good("dead-letter", first, second))
                    .containsExactly("2 messages made dead letters by the running hub");
            Ended some = queue("retry", first, ABSENT, second);
            assertThat(some.out()).containsExactly("2 messages made due by the running hub");
            assertThat(some.errors()).containsExactly("hubmark: not in the queue: " + ABSENT);
            hub.terminate();
            assertThat(hub.end().exitCode()).isZero();
        }
        JsonNode stopped = stats();
        assertThat(stopped.path("queued_messages").asLong()).isEqualTo(2);
        assertThat(stopped.path("hub").isNull()).isTrue();
        assertThat(good("dead-letter", second))
                .containsExactly("1 message made a dead letter in the files; no hub is running");
        assertThat(good("list").get(2)).contains(second, "  dead  ", "  never  ");
        assertThat(good("show", second)).contains("reason              by an operator");
        assertThat(good("retry", second))
                .containsExactly("1 message made due in the files; no hub is running");
        assertThat(good("list").get(2)).contains(second).doesNotContain("dead");
        deletes(first);
        for (String change : List.of("show", "retry", "dead-letter", "release", "delete")) {
            Ended absent = queue(change, ABSENT);
            assertThat(absent.exitCode()).as("%s", absent).isEqualTo(1);
            assertThat(absent.out()).isEmpty();
            assertThat(absent.errors()).containsExactly("hubmark: not in the queue: " + ABSENT);
        }
    }

    /** Of the hub's two volumes one is named, and the other is not where it is by default. */
    @Test
    void saysWhichVolumeIsToBeNamedToo() throws Exception {
        Path log = folder.resolve("mine/log");
        Path queue = folder.resolve("mine/queue");
        String id;
        try (CommandProcess hub = CommandProcess.start(
                        folder,
                        "serve",
                        "--listen=127.0.0.1:0",
                        "--log-volume=" + log,
                        "--queue-volume=" + queue);
                TestClient client = new TestClient(hub.listening())) {
            id = client.send("Subject: 1\r\n\r\none\r\n".getBytes(StandardCharsets.US_ASCII));
            for (String command : List.of("list", "show " + id, "check", "stats")) {
                namesBoth(command + " --queue-volume=" + queue);
                namesBoth(command + " --log-volume=" + log);
            }
            hub.terminate();
            assertThat(hub.end().exitCode()).isZero();
        }
        namesBoth("retry " + id + " --queue-volume=" + queue);
    }

    private void namesBoth(String command) throws Exception {
        Ended ended = CommandInJvm.run("queue " + command, List.of());
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
        assertThat(ended.errors())
                .singleElement()
                .asString()
                .contains("; the folders of a queue are named by --log-volume and --queue-volume");
    }

    @Test
    void makesNoQueueWhereThereIsNone() throws Exception {
        for (String command : List.of("list", "check", "stats", "retry " + ABSENT)) {
            Ended ended = queue(command.split(" ", -1));
            assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
            assertThat(ended.errors()).singleElement().asString().contains("no queue");
        }
        assertThat(folder.resolve("hubmark-data")).doesNotExist();
    }

    @Test
    void refusesWrongUsage() throws Exception {
        for (String command : List.of("", "nonsense", "show", "show 12", "export")) {
            Ended ended = CommandInJvm.run(("queue " + command).trim(), List.of());
            assertThat(ended.exitCode()).as("%s", ended).isEqualTo(2);
            assertThat(ended.errors()).as(command).isNotEmpty();
        }
    }

    /** The log goes before it, where the tests' configuration has it. */
    private void deletes(String id) throws Exception {
        Ended deleted = queue("delete", id);
        assertThat(deleted.exitCode()).as("%s", deleted).isZero();
        assertThat(deleted.out().getLast())
                .isEqualTo("1 message deleted in the files; no hub is running");
        assertThat(good("list")).hasSize(2).noneMatch(line -> line.startsWith(id));
    }

    private JsonNode stats() throws Exception {
        return new ObjectMapper().readTree(good("stats", "--json").getFirst());
    }

    private List<String> good(String... arguments) throws Exception {
        Ended ended = queue(arguments);
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        assertThat(ended.errors()).isEmpty();
        return ended.out();
    }

    private Ended queue(String... arguments) throws Exception {
        List<String> rest = new ArrayList<>(List.of(arguments));
        String command = "queue " + rest.removeFirst();
        return CommandInJvm.run(
                command, CommandInJvm.queueVolumes(folder), rest.toArray(String[]::new));
    }
}
