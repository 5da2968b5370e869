package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Proves what plan says by its exit code and on its two outputs, and that wrong usage is one line. */
class PlanCommandTest {
    @TempDir
    Path folder;

    @BeforeEach
    void listen() throws IOException {
        write("none/durability.json", "{}");
        write("text/users.json", "users");
        write("later/users.json", "{\"schema\": 3}");
        write("empty/users.json", "{\"schema\": 2, \"levels\": []}");
        write("broken/qualification.json", "{\"schema\": 2, \"phases\": []}");
        write(
                "users/users.json",
                "{\"schema\": 2, \"valid\": true, \"settings\": {\"day\": \"8h\"}, \"users_passed\": 50,"
                        + " \"levels\": [{\"users\": 50, \"per_user_day\": {\"sent\": 14.18, \"received\": 66.3}}]}");
        write(
                "storage/qualification.json",
                "{\"schema\": 2, \"settings\": {\"users\": 100, \"iops-per-user\": 0.5, \"cache-mode\":"
                        + " \"all\"}, \"thresholds\": {\"read_latency_ms\": 20}, \"phases\": [{\"phase\":"
                        + " \"performance\", \"complete\": true, \"verdict\": \"pass\", \"achieved_iops\": 300,"
                        + " \"db_reads_per_s\": 150, \"db_writes_per_s\": 150, \"instances\":"
                        + " [{\"avg_db_read_latency_ms\": 30}], \"thread_steps\": [{\"iops\": 100,"
                        + " \"db_read_latency_ms\": 10}]}]}");
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private Ended run(String arguments) throws Exception {
        String all = "plan --output FOLDER/out " + arguments;
        return CommandInJvm.run(all.replace("FOLDER", folder.toString()).strip().split(" +", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | --users 100                          | these inputs are not enough",
                "2 |                                      | these inputs are not enough",
                "2 | --from ,FOLDER/users                 | --from names no folder",
                "2 | --from FOLDER/no --users 1           | does not exist",
                "2 | --from FOLDER/none --users 1         | has none of qualification.json, users.json",
                "2 | --from FOLDER/none/durability.json   | is not one of qualification.json",
                "1 | --from FOLDER/text                   | users.json is not JSON",
                "1 | --from FOLDER/later                  | has schema 3; this version reads 2",
                "2 | --from FOLDER/empty                  | has no levels",
                "2 | --from FOLDER/broken                 | no performance or stress phase that is complete",
                "2 | --from FOLDER/users,FOLDER/users     | two of a kind",
                "2 | --from FOLDER/users --published pam-tr3766 | exclude each other",
                "2 | --published esrp                     | there is pam-tr3766",
                "2 | --users 0 --iops-per-user 1          | --users 0: give a number above 0 (users)",
                "2 | --users -5 --iops-per-user 1         | --users -5: give a number above 0 (users)",
                "2 | --users 10 --iops-per-user 0         | --iops-per-user 0: give a number above 0",
                "2 | --users 10 --mailbox 400             | '400' is not a size",
                "2 | --users 10 --mailbox 2GB --disk-size 2GB | does not fit on a drive of 2 GB",
                "2 | --users 10 --disk-size 300           | '300' is not a size",
                "2 | --users ten                          | --users",
                "2 | --users NaN --iops-per-user 1        | --users NaN",
                "2 | --users 10 --iops-per-user 1         | give --disk-iops N",
                "2 | --from FOLDER/users --users 10       | give --set peak_factor=N",
                "2 | --users 10 --set disk_iops=5..9      | a number without a unit",
                "2 | --users 10 --prices FOLDER/p.yaml    | --prices",
                "2 | --users 10 --set mailbx_mb=1         | mailbx_mb: no such input (did you mean"
                        + " mailbox_mb?)",
                "2 | --users 10 --set mailbox_mb=1GB      | a number without a unit, it is in MB",
                "2 | --users 10 --set day_h=25            | --set day_h 25: give a number above 0, at most 24 (h)",
                "2 | --users 10 --iops-per-user 1 --set raid_write_penalty=0 | give 1 or more (writes)",
            })
    void refusesWhatCannotBe(int exitCode, String arguments, String reason) throws Exception {
        Ended ended = run(arguments == null ? "" : arguments);
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        assertThat(ended.errors())
                .singleElement()
                .asString()
                .startsWith("hubmark: ")
                .contains(reason);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void computesThePublishedCases() throws Exception {
        Ended ended = run("--published pam-tr3766 --json");
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        JsonNode plan = new ObjectMapper().readTree(ended.printed());
        assertThat(plan)
                .isEqualTo(new ObjectMapper()
                        .readTree(folder.resolve("out/plan.json").toFile()));
        assertThat(plan.path("schema").asInt()).isEqualTo(2);
        assertThat(plan.path("published").findValuesAsText("agrees")).containsOnly("true");
        assertThat(plan.path("answers"))
                .filteredOn(answer -> answer.path("case").asText().equals("fas3170_fc"))
                .extracting(answer -> answer.path("value").asInt())
                .containsExactly(18, 7841);
        assertThat(Files.readString(folder.resolve("out/report.md")))
                .startsWith("# Plan: published cases\n")
                .contains("drives saved: 18\n")
                .contains(
                        "without cache: 23.99 = 3764 / 156.9076",
                        "with cache: 21.22 = 3764 / 177.3641",
                        "the cache saves: 18.37 = 184 x (1 - 14487 / 16094)",
                        "a figure for a drive: 18.82 = 3764 / 200");
        assertThat(folder.resolve("out/report.html")).isNotEmptyFile();
    }

    @Test
    void aDemandThatIsMetEndsWithZero() throws Exception {
        Ended ended = run(
                "--from FOLDER/storage,FOLDER/users --set peak_factor=1 --users 200 --set headroom_percent=0 --quiet");
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        assertThat(ended.out()).isEmpty();
    }

    /** 200 I/O a second is what lies at 20 ms between 100 at 10 ms and 300 at 30 ms. */
    @Test
    void aDemandThatIsNotMetEndsWithThreeAndSaysWhy() throws Exception {
        Ended ended = run(
                "--from FOLDER/storage,FOLDER/users --set peak_factor=1 --users 1000 --set headroom_percent=0");
        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.errors())
                .containsExactly(
                        "hubmark: not met: I/O a second of the measured storage, 500 I/O/s needed, 200 I/O/s there");
        assertThat(ended.printed()).contains("users held: 400").contains("results in ");
    }

    /** What was computed is computed again, and two plans are compared by their answers. */
    @Test
    void reportAndCompareTakePlans() throws Exception {
        assertThat(run("--users 1000 --iops-per-user 1 --disk-iops 100 --quiet").exitCode())
                .isZero();
        String folderText = folder.resolve("out").toString();
        Ended report = CommandInJvm.run("report", folderText);
        assertThat(report.exitCode()).as("%s", report).isZero();
        assertThat(report.printed()).contains("drives needed: 16");
        String other = folder.resolve("other").toString();
        assertThat(CommandInJvm.run(
                                "plan",
                                "--output",
                                other,
                                "--users",
                                "2000",
                                "--iops-per-user",
                                "1",
                                "--disk-iops",
                                "100",
                                "--quiet")
                        .exitCode())
                .isZero();
        Ended compared = CommandInJvm.run("compare", folderText, other);
        assertThat(compared.exitCode()).as("%s", compared).isZero();
        assertThat(compared.printed()).contains("drives needed");
        Path file = folder.resolve("out/plan.json");
        Files.writeString(
                file, Files.readString(file).replaceFirst("(\"result\" : )[0-9.]+", "$17"));
        Ended changed = CommandInJvm.run("report", folderText);
        assertThat(changed.exitCode()).isEqualTo(1);
        assertThat(changed.errors()).anyMatch(line -> line.contains("self-check"));
    }

    @Test
    void drivesThatAreTooFewAreNotEnough() throws Exception {
        Ended ended = run("--users 1000 --iops-per-user 1 --disk-iops 100 --set drives=5 --quiet");
        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.complaint()).contains("not met: drives, 16 drives needed, 5 drives there");
    }

    /** Of serve's options, which the file of volumes plan may have, this plan knows nothing. */
    @Test
    void readsItsOwnOptionsFromAFile() throws Exception {
        write("own.properties", "users=1000\niops-per-user = 1\ndisk-iops=100\nset=drives=5\n");
        assertThat(run("--config FOLDER/own.properties --set drives=16 --quiet").exitCode())
                .isZero();
        write("other.properties", "users=1000\nlisten=127.0.0.1:0\n");
        Ended ended = run("--config FOLDER/other.properties");
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.errors()).singleElement().asString().contains("unknown option");
    }
}
