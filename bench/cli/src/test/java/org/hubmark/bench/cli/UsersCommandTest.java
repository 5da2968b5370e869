package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Proves that users answers wrong usage in one line, and its verdict by its exit code, with a hub and a
 * mailbox server of its own.
 */
@Timeout(180)
class UsersCommandTest {
    private static final String TARGET = "--smtp 127.0.0.1:1 --imap 127.0.0.1:1 ";

    @TempDir
    Path folder;

    @BeforeEach
    void listen() throws IOException {
        Files.writeString(folder.resolve("two"), "one\ntwo\n");
        Files.writeString(folder.resolve("gap"), "one\n\ntwo\n");
        Files.write(folder.resolve("latin1"), new byte[] {(byte) 0xe9, '\n'});
        Files.writeString(folder.resolve("own.yaml"), "name: own\n");
    }

    private Ended run(String arguments) throws Exception {
        String all = "users --output OUT " + arguments;
        return CommandInJvm.run(all.replace("OUT", folder.resolve("out").toString())
                .replace("FOLDER", folder.toString())
                .replace("TARGET ", TARGET)
                .strip()
                .split(" +", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--profile idle                  | --profile idle is not one of light, medium,"
                        + " heavy",
                "--profile FOLDER/none.yaml      | none.yaml can't be read",
                "--profile FOLDER/own.yaml       | own.yaml",
                "--profile imaptest:FOLDER/two   | no file whose name ends in .yaml",
                "--users 1                       | 2 to 100000",
                "--users 50,100001               | 2 to 100000",
                "--users many                    | 'many' is not an int",
                "--compress 0                    | above 0",
                "--compress -2                   | above 0",
                "--compress 1e9                  | at most 10000",
                "--runs 0                        | 1 to 100",
                "--duration 0s                   | more than 0s",
                "--limit 0ms                     | more than 0s",
                "--send-limit 0ms                | more than 0s",
                "--day 0h                        | more than 0s",
                "--day 25h                       | at most 24h",
                "--smtp 127.0.0.1:25             | --imap",
                "--imap 127.0.0.1:143            | --smtp",
                "--password-file FOLDER/two      | --smtp",
                "--smtp-auth                     | --smtp",
                "--imap-tls                      | --imap",
                "--user-format user@example.test | one %d before the @",
                "--user-format %d%d@example.test | one %d before the @",
                "--user-format user%d            | one %d before the @",
                "--user-format user%s@e.test     | one %d before the @",
                "TARGET --tls-trust FOLDER/two   | goes with --smtp-tls or --imap-tls",
                "TARGET --password-file FOLDER/no | can't be read",
                "TARGET --password-file FOLDER/two | has 2 lines: one password for all users",
                "TARGET --users 3 --password-file FOLDER/gap | has no password in line 2",
                "TARGET --password-file FOLDER/latin1 | is not UTF-8",
                "--target-processes java | are for --smtp and --imap",
                "--target-watch true | are for --smtp and --imap",
                "TARGET --target-processes java --target-cgroup x | are mutually exclusive",
                "TARGET --target-processes no-such-program | no such process runs",
                "TARGET --target-cgroup no/such/group | is not a control group",
                "TARGET --target-volume mailboxes=/no/such | is not a folder",
                "TARGET --target-volume mail_boxes=/tmp | a role is a word",
                "TARGET --target-watch true --target-processes java | are mutually exclusive"
            })
    void refusesWrongUsageInOneLine(String arguments, String reason) throws Exception {
        Ended ended = run(arguments);
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(2);
        assertThat(ended.errors())
                .singleElement()
                .asString()
                .startsWith("hubmark: ")
                .contains(reason);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    /** Sixteen users send some 40 messages, and a 95th percentile takes 20. */
    private static final String SHORT =
            "--users 16,18 --compress 1200 --warmup 1s --duration 4s --shared-machine --json ";

    @Test
    void withoutATargetItPlaysAgainstOneOfItsOwn() throws Exception {
        Ended ended = run(SHORT + "--limit 1m --send-limit 1m");
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
        assertThat(results.path("levels"))
                .extracting(level -> level.path("users").asInt())
                .containsExactly(16, 18);
        assertThat(results.at("/settings/profile").asText()).isEqualTo("medium");
        assertThat(results.at("/target/embedded").asBoolean()).isTrue();
        for (JsonNode level : results.path("levels")) {
            assertThat(level.path("sent_msgs").asLong()).isPositive();
            assertThat(level.path("arrived_msgs")).isEqualTo(level.path("expected_msgs"));
            assertThat(level.path("missing_msgs").asLong()).isZero();
        }
        assertThat(ended.complaint())
                .contains(
                        "users: profile medium, its day 1200 times as fast; 1 x 5s for each level");
        assertThat(Files.readString(folder.resolve("out/report.md")))
                .startsWith("# Users held, medium profile: 18 sessions, the load of 21,600 users\n")
                .contains(
                        "The embedded server in memory holds 18 sessions, the load of 21,600 users"
                                + " of the profile medium");
        assertThat(folder.resolve("out/report.html")).isNotEmptyFile();
    }

    /** No mail system is so fast that a task takes no time. */
    @Test
    void whereNoLevelPassesTheExitCodeSaysSo() throws Exception {
        Ended ended = run(SHORT.replace("16,18", "16") + "--quiet --limit 1ms --send-limit 1ms");
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(3);
        JsonNode results = new ObjectMapper().readTree(ended.printed());
        assertThat(results.path("users_passed").isNull()).isTrue();
        assertThat(ended.complaint()).contains("hubmark: not valid: no level passed");
    }

    @Test
    void aTargetThatIsNotThereIsSaidInOneLine() throws Exception {
        Ended ended = run(TARGET + "--users 4 --quiet");
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
        assertThat(ended.errors())
                .singleElement()
                .asString()
                .startsWith("hubmark: ")
                .contains("127.0.0.1:1");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aWatchThatIsNotThereIsSaidInOneLine() throws Exception {
        Ended ended = run(TARGET + "--target-watch=false");
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
        assertThat(ended.errors())
                .singleElement()
                .asString()
                .contains("--target-watch 'false': it ended with exit code 1");
        assertThat(folder.resolve("out")).doesNotExist();
    }
}
