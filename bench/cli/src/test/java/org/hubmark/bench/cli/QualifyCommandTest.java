package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.machine.folders.Folders;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Proves that qualify answers wrong usage in one line, and its verdict by its exit code. */
@Timeout(180)
class QualifyCommandTest {
    @TempDir
    Path folder;

    @BeforeEach
    void listen() throws IOException {
        Files.createDirectory(folder.resolve("db"));
        Files.createDirectory(folder.resolve("log"));
    }

    private Ended run(String arguments) throws Exception {
        String all = "qualify --database-volume DB --log-volume LOG --output OUT " + arguments;
        return CommandInJvm.run(all.replace("DB", folder.resolve("db").toString())
                .replace("LOG", folder.resolve("log").toString())
                .replace("OUT", folder.resolve("out").toString())
                .split(" +", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--quiet                              | specify one of these",
                "--users 10 --target-iops 5           | are mutually exclusive",
                "--target-iops 5 --iops-per-user 1    | goes with --users",
                "--users 0                            | above 0",
                "--users 10 --iops-per-user 0         | above 0",
                "--target-iops -1                     | above 0",
                "--target-iops many                   | --target-iops",
                "--users 10 --databases 0             | 1 to 100",
                "--users 10 --database-size 1KB       | 8MB or more",
                "--users 10 --threads many            | or auto",
                "--users 10 --threads 0               | from 1 to 256",
                "--users 10 --copies 17               | 1 to 16",
                "--users 10 --cache-min 64MB --cache-max 64MB | and --cache-max is larger",
                "--users 10 --engine lsm              | --engine",
                "--users 10 --fill 50%                | --fill",
                "--users 10 --failover                | --failover",
                "--users 10 --cache-profile off       | --cache-profile",
                "--users 10 --cache-max 128MB,1GB     | --cache-max",
                "--users 10 --class ssd               | --class",
                "--users 10 --cache-min 1MiB --cache-max 8MiB | 16MiB or more",
                "--target-iops 10 --mailbox 1GB       | --mailbox goes with --users",
                "--users 10 --mailbox 1GB --database-size 1GB | exclude each other",
                "--users 10 --mailbox 1KB             | databases of 2500B: 8MB or more",
                "--users 10 --mailbox 2000GB          | 256GiB or less",
                "--users 10 --cache-mode some         | expected one of [ALL, METADATA, OFF]",
                "--users 10 --cache-mode off,off      | names a mode twice",
                "--users 10 --cache-mode off,all --phases backup | --phases goes with one --cache-mode",
                "--users 10 --cache-mode off,all --stress | --stress goes with one --cache-mode",
                "--users 10 --mix insert=40           | add up to 100",
                "--users 10 --mix insert=140,read=-40 | below 0",
                "--users 10 --lazy-commits 101%       | 0% to 100%",
                "--users 10 --maintenance maybe       | expected one of [ON, OFF]",
                "--users 10 --loop round              | expected one of [OPEN, CLOSED]",
                "--users 10 --phases warmth           | expected one of [PERFORMANCE, STRESS, BACKUP,",
                "--users 10 --phases stress=0s        | '0s' is not more than 0s",
                "--users 10 --phases stress=1x        | '1x'",
                "--users 10 --phases backup=1m        | only performance and stress take a time",
                "--users 10 --phases stress=1m,stress | --phases names one twice",
                "--users 10 --quick --standard        | are mutually exclusive",
                "--users 10 --duration 0s             | more than 0s",
                "--users 10 --read-latency 0ms        | more than 0s",
                "--users 10 --require read.p98=1ms    | give NAME=TIME, NAME one of read.p95, read.p99,",
                "--users 10 --require read.p99        | KEY=VALUE",
                "--users 10 --require read.p99=1ms,read.p99=2ms | --require names one twice",
                "--users 10 --require log.p99=0ms     | '0ms' is not more than 0s",
                "--users 10 --require log.p99=1x      | '1x'",
                "--users 10 --require log.p99=1ms --cache-mode off,all | goes with one --cache-mode",
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

    @Test
    void aFolderThatHoldsSomethingElseIsRefusedInOneLineAndNothingIsLeft() throws Exception {
        Path mail = Files.createFile(folder.resolve("db/mail.txt"));
        Ended ended = run("--users 10 --quiet");
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
        assertThat(ended.errors())
                .singleElement()
                .asString()
                .contains("volume " + folder.resolve("db") + " is not empty");
        assertThat(mail).exists();
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(folder.resolve("log")).isEmptyDirectory();
    }

    @Test
    void passesAndFailsByExitCodeAndPrintsTheFile() throws Exception {
        String tiny =
                "--databases 1 --database-size 32MB --cache-min 1MiB --cache-max 16MiB --threads 1"
                        + " --phases performance --duration 1s --loop closed --mix insert=3,delete=2,read=95 --read-latency 1h"
                        + " --read-latency-max 1h --log-latency 1h --log-latency-max 1h --shared-machine --json --quiet ";
        Ended first = run(tiny + "--users 9000000");
        assertThat(first.exitCode()).as("%s", first).isEqualTo(3);
        JsonNode failed = new ObjectMapper().readTree(first.printed());
        assertThat(failed.path("verdict").asText()).isEqualTo("fail");
        assertThat(failed.path("reasons").get(0).asText())
                .startsWith("performance: achieved")
                .endsWith("below the target of 1620000.000");
        assertThat(failed.path("settings").path("iops-per-user").asDouble()).isEqualTo(0.18);
        Files.move(folder.resolve("out"), folder.resolve("failed"));
        Ended second = run(tiny + "--target-iops 1");
        assertThat(second.exitCode()).as("%s", second).isZero();
        JsonNode passed = new ObjectMapper().readTree(second.printed());
        assertThat(passed.path("verdict").asText()).isEqualTo("pass");
        assertThat(passed.at("/phases/0/volumes/0/used_percent").asDouble()).isPositive();
        assertThat(passed)
                .isEqualTo(new ObjectMapper()
                        .readTree(folder.resolve("out/qualification.json").toFile()));
        assertThat(passed.path("settings").path("target-iops").asDouble()).isEqualTo(1);
        assertThat(folder.resolve("db")).isEmptyDirectory();
    }

    @Test
    void aFigureThatDoesNotFollowFromItsCountersIsNamedByReport() throws Exception {
        Ended first = run("--databases 1 --database-size 8MB --cache-min 1MiB --cache-max 16MiB"
                + " --phases checksum --quiet --target-iops 1");
        assertThat(first.exitCode()).as("%s", first).isZero();
        Path out = folder.resolve("out");
        assertThat(CommandInJvm.run("report", out.toString()).exitCode()).isZero();
        Path file = out.resolve("qualification.json");
        ObjectMapper mapper = new ObjectMapper();
        JsonNode changed = mapper.readTree(file.toFile());
        ((ObjectNode) changed.at("/phases/0/instances/0")).put("db_reads_per_s", 1e6);
        mapper.writeValue(file.toFile(), changed);
        Ended second = CommandInJvm.run("report", out.toString());
        assertThat(second.exitCode()).as("%s", second).isEqualTo(3);
        assertThat(second.errors())
                .singleElement()
                .asString()
                .startsWith("hubmark: self-check: ")
                .contains("db_reads_per_s: 1000000.0, computed again");
    }

    @Test
    void twoAreCompared() throws Exception {
        for (String seed : new String[] {"1", "2"}) {
            Ended ended = run("--databases 1 --database-size 8MB --cache-min 1MiB --cache-max 16MiB"
                    + " --phases backup --quiet --shared-machine --target-iops 1 --seed " + seed);
            assertThat(ended.exitCode()).as("%s", ended).isZero();
            Files.move(folder.resolve("out"), folder.resolve(seed));
        }
        Ended compared = CommandInJvm.run(
                "compare", folder.resolve("1").toString(), folder.resolve("2").toString());
        assertThat(compared.exitCode()).as("%s", compared).isZero();
        assertThat(compared.printed()).contains("phase backup", "MB/sec read per server");
    }

    /** Settings are what was in force: the default of an option that was left out is there, too. */
    @Test
    void saysWhatWasInForceAndReplacesNoFinishedResult() throws Exception {
        String tiny = "--databases 1 --database-size 8MB --cache-min 1MiB --cache-max 16MiB"
                + " --phases checksum --users 100 --json --quiet";
        String spelt = " --quick --iops-per-user 0.18 --duration 12m";
        Ended first = run(tiny);
        assertThat(first.exitCode()).as("%s", first).isZero();
        JsonNode settings = new ObjectMapper().readTree(first.printed()).path("settings");
        assertThat(settings.path("iops-per-user").asDouble()).isEqualTo(0.18);
        assertThat(settings.path("duration").asText()).isEqualTo("12m");
        assertThat(settings.path("recovery-log").asText()).isEqualTo("64MiB");
        assertThat(settings.path("phases").asText()).isEqualTo("checksum");
        for (String again : List.of(tiny + spelt, tiny + " --iops-per-user 0.2")) {
            Ended other = run(again);
            assertThat(other.exitCode()).isEqualTo(2);
            assertThat(other.complaint()).contains("holds a finished qualify already");
        }
        Folders.delete(folder.resolve("out"));
        // By the settings a run goes on, and by no spelling of them.
        assertThat(new ObjectMapper().readTree(run(tiny + spelt).printed()).path("settings"))
                .isEqualTo(settings);
    }

    /** A phase with a length of its own, and what the report is to say of the solution. */
    @Test
    void runsPhasesOfDifferentLengthsAndNamesTheSolution() throws Exception {
        Ended ended = run(
                "--databases 1 --database-size 8MB --cache-min 1MiB --cache-max 16MiB"
                        + " --phases performance=2s,stress=4s --users 20 --threads 1 --read-latency 1h"
                        + " --read-latency-max 1h --log-latency 1h --log-latency-max 1h --shared-machine"
                        + " --name Shelf --description Two-disks --contact post@example.test --json --quiet");
        assertThat(ended.exitCode()).as("%s", ended).isIn(0, 3);
        JsonNode result = new ObjectMapper().readTree(ended.printed());
        assertThat(result.at("/settings/phases").asText()).isEqualTo("performance=2s,stress=4s");
        List<Long> seconds = new ArrayList<>();
        result.path("phases")
                .forEach(phase -> seconds.add(
                        Math.round(phase.at("/counters/collection_ns").asDouble() / 1e9)));
        assertThat(seconds).containsExactly(2L, 4L);
        assertThat(folder.resolve("out/report.md"))
                .content()
                .contains("Shelf", "Two-disks", "post@example.test");
    }

    /** The stress phase of a quick test is quick. */
    @ParameterizedTest
    @CsvSource({"--quick, 12m", "--standard, 2h", "--stress, 24h"})
    void collectsAsLongAsItsFormSays(String form, String time) throws Exception {
        Ended ended = run("--databases 1 --database-size 8MB --cache-min 1MiB --cache-max 16MiB"
                + " --phases checksum --users 100 --json --quiet " + form);
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        assertThat(new ObjectMapper()
                        .readTree(ended.printed())
                        .at("/settings/duration")
                        .asText())
                .isEqualTo(time);
    }
}
