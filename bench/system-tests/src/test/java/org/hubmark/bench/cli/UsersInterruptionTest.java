package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Proves that users, told to end while it measures, prints what it has so far. */
@Timeout(180)
class UsersInterruptionTest {
    @TempDir
    Path folder;

    @Test
    void whatIsInterruptedIsPrinted() throws Exception {
        try (CommandProcess users = CommandProcess.start(
                folder,
                "users",
                "--users=2,3",
                "--compress=100",
                "--warmup=1s",
                "--duration=5m",
                "--output=out",
                "--json")) {
            users.awaitError(line -> line.startsWith("2 users, run 1, measure"));
            users.terminate();
            CommandProcess.Ended ended = users.end();
            assertThat(ended.exitCode()).as("%s", ended).isEqualTo(130);
            assertThat(ended.errors()).noneMatch(line -> line.startsWith("hubmark: "));
            JsonNode json = new ObjectMapper().readTree(String.join("\n", ended.out()));
            assertThat(json.path("complete").asBoolean(true)).isFalse();
            assertThat(json.path("levels")).hasSize(1);
        }
    }
}
