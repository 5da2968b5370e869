package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.machine.folders.Folders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Proves that qualify answers its verdict by its exit code, with what it prints and writes. */
@Timeout(180)
class QualifyCommandTest {
    private static final String SMALL = " --databases 1 --database-size 8MB --cache-min 1MiB"
            + " --cache-max 16MiB --json --quiet ";

    /** Within limits that any machine keeps. */
    private static final String JUDGED = SMALL.replace("8MB", "32MB")
            + "--threads 1 --loop closed --mix insert=3,delete=2,read=95 --shared-machine"
            + " --read-latency 1h --log-latency 1h --read-latency-max 1h --log-latency-max 1h ";

    private static final String FORM = SMALL + "--phases checksum --users 100 ";

    @TempDir
    Path folder;

    private JsonNode qualify(int exitCode, String arguments) throws Exception {
        Files.createDirectories(folder.resolve("db"));
        Files.createDirectories(folder.resolve("log"));
        Ended ended = run(arguments);
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        return new ObjectMapper().readTree(ended.printed());
    }

    private Ended run(String arguments) throws Exception {
        String all = "qualify --database-volume DIR/db --log-volume DIR/log --output DIR/out"
                + arguments;
        return CommandInJvm.run(all.replace("DIR", folder.toString()).strip().split(" +", -1));
    }

    @Test
    void passesAndFailsByExitCodeAndPrintsTheFile() throws Exception {
        String tiny = JUDGED + "--phases performance --duration 1s ";
        JsonNode failed = qualify(3, tiny + "--users 9000000");
        assertThat(failed.path("verdict").asText()).isEqualTo("fail");
        assertThat(failed.at("/reasons/0").asText())
                .startsWith("performance: achieved")
                .endsWith("below the target of 1620000.000");
        assertThat(failed.at("/settings/iops-per-user").asDouble()).isEqualTo(0.18);
        Folders.delete(folder.resolve("out"));
        JsonNode passed = qualify(0, tiny + "--target-iops 1");
        assertThat(passed.path("verdict").asText()).isEqualTo("pass");
        assertThat(passed.at("/phases/0/volumes/0/used_percent").asDouble()).isPositive();
        assertThat(passed)
                .isEqualTo(new ObjectMapper()
                        .readTree(folder.resolve("out/qualification.json").toFile()));
        assertThat(passed.at("/settings/target-iops").asDouble()).isEqualTo(1);
        assertThat(folder.resolve("db")).isEmptyDirectory();
    }

    /** Settings are what was in force: the default of an option that was left out is there, too. */
    @Test
    void saysWhatWasInForceAndReplacesNoFinishedResult() throws Exception {
        String spelt = FORM + "--quick --iops-per-user 0.18 --duration 12m";
        JsonNode settings = qualify(0, FORM).path("settings");
        assertThat(settings.path("iops-per-user").asDouble()).isEqualTo(0.18);
        assertThat(settings.path("recovery-log").asText()).isEqualTo("64MiB");
        assertThat(settings.path("phases").asText()).isEqualTo("checksum");
        for (String again : List.of(spelt, FORM + "--iops-per-user 0.2")) {
            Ended other = run(again);
            assertThat(other.exitCode()).isEqualTo(2);
            assertThat(other.complaint()).contains("holds a finished qualify already");
        }
        Folders.delete(folder.resolve("out"));
        // By the settings a run goes on, and by no spelling of them.
        assertThat(qualify(0, spelt).path("settings")).isEqualTo(settings);
    }

    /** A phase with a length of its own, and what the report is to say of the solution. */
    @Test
    void runsPhasesOfDifferentLengthsAndNamesTheSolution() throws Exception {
        JsonNode result = qualify(
                0,
                JUDGED + "--phases performance=2s,stress=4s --target-iops 1"
                        + " --name Shelf --description Two-disks --contact post@example.test");
        assertThat(result.at("/settings/phases").asText()).isEqualTo("performance=2s,stress=4s");
        assertThat(result.path("phases"))
                .extracting(
                        phase -> Math.round(phase.at("/counters/collection_ns").asDouble() / 1e9))
                .containsExactly(2L, 4L);
        assertThat(folder.resolve("out/report.md"))
                .content()
                .contains("Shelf", "Two-disks", "post@example.test");
    }

    /** The stress phase of a quick test is quick. */
    @ParameterizedTest
    @CsvSource({"'', 12m", "--quick, 12m", "--standard, 2h", "--stress, 24h"})
    void collectsAsLongAsItsFormSays(String form, String time) throws Exception {
        assertThat(qualify(0, FORM + form).at("/settings/duration").asText()).isEqualTo(time);
    }
}
