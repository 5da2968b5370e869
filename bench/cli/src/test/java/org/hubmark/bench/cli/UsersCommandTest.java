package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** Proves that users answers its verdict by its exit code, with a hub and a mailbox server of its own. */
@Timeout(180)
class UsersCommandTest {
    /** Sixteen users send some 40 messages, and a 95th percentile takes 20. */
    private static final String SHORT =
            "--compress 1200 --warmup 1s --duration 4s --shared-machine --json ";

    @TempDir
    Path folder;

    private Ended run(String arguments) throws Exception {
        return CommandInJvm.run(
                ("users --output " + folder.resolve("out") + " " + arguments).split(" +", -1));
    }

    @Test
    void withoutATargetItPlaysAgainstOneOfItsOwn() throws Exception {
        Ended ended = run(SHORT + "--users 16,18 --limit 1m --send-limit 1m");
        JsonNode results = new ObjectMapper().readTree(ended.printed());
        JsonNode reasons = results.path("reasons");
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(reasons.isEmpty() ? 0 : 3);
        // The driver may wait for a processor, beside all else that runs here; nothing else may be
        // wrong.
        assertThat(reasons).allMatch(reason -> reason.asText().contains("the driver stood still"));
        assertThat(results)
                .isEqualTo(new ObjectMapper()
                        .readTree(folder.resolve("out/users.json").toFile()));
        assertThat(results.path("users_passed").asInt()).isEqualTo(18);
        assertThat(results.at("/settings/profile").asText()).isEqualTo("medium");
        assertThat(results.at("/target/embedded").asBoolean()).isTrue();
        assertThat(results.path("levels")).hasSize(2).allSatisfy(level -> {
            assertThat(level.path("sent_msgs").asLong()).isPositive();
            assertThat(level.path("arrived_msgs")).isEqualTo(level.path("expected_msgs"));
            assertThat(level.path("missing_msgs").asLong()).isZero();
        });
        assertThat(ended.complaint())
                .contains(
                        "users: profile medium, its day 1200 times as fast; 1 x 5s for each level");
        assertThat(Files.readString(folder.resolve("out/report.md")))
                .startsWith("# Users held, medium profile: 18 sessions, the load of 21,600 users\n")
                .contains("The embedded server in memory holds 18 sessions");
        assertThat(folder.resolve("out/report.html")).isNotEmptyFile();
    }
}
