package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** Proves what plan says by its exit code and on its two outputs. */
class PlanCommandTest {
    private static final String MEASURED =
            "../plan/src/test/resources/results/recorded,../users/src/test/resources/golden/recorded";

    private static final String DRIVES = "--iops-per-user 1 --disk-iops 100 --quiet --users ";

    @TempDir
    Path folder;

    private Ended plan(int exitCode, String output, String arguments) throws Exception {
        String all = "plan --output " + folder.resolve(output) + " " + arguments;
        Ended ended = CommandInJvm.run(all.split(" +", -1));
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        return ended;
    }

    @Test
    void computesThePublishedCases() throws Exception {
        JsonNode plan = new ObjectMapper()
                .readTree(plan(0, "out", "--published pam-tr3766 --json").printed());
        assertThat(plan)
                .isEqualTo(new ObjectMapper()
                        .readTree(folder.resolve("out/plan.json").toFile()));
        assertThat(plan.path("published").findValuesAsText("agrees")).containsOnly("true");
        assertThat(Files.readString(folder.resolve("out/report.md")))
                .startsWith("# Plan: published cases\n");
        assertThat(folder.resolve("out/report.html")).isNotEmptyFile();
    }

    @Test
    void theExitCodeSaysWhetherADemandIsMet() throws Exception {
        // What a run left that was killed stands in nobody's way.
        Files.createDirectory(folder.resolve("a"));
        Files.writeString(folder.resolve("a/series.csv"), "of\n");
        Files.writeString(folder.resolve("a/times.hlog"), "");
        assertThat(plan(0, "a", "--from " + MEASURED + " --users 10 --quiet").out())
                .isEmpty();
        assertThat(plan(3, "b", "--from " + MEASURED + " --users 1000000").complaint())
                .contains("hubmark: not met: I/O a second of the measured storage, ");
        assertThat(plan(3, "c", DRIVES + "1000 --set drives=5").complaint())
                .contains("not met: drives, 16 drives needed, 5 drives there");
        Path own = Files.writeString(
                folder.resolve("own.properties"),
                "users=1000\niops-per-user = 1\ndisk-iops=100\nset=drives=5\n");
        plan(0, "d", "--set drives=16 --quiet --config " + own);
    }
}
