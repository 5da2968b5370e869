package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.qualify.phase.CacheFigures;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.PhaseVerdict;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.LevelLimits;
import org.hubmark.bench.users.result.UsersResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Proves what plan says by its exit code and on its two outputs, and that wrong usage is one line. */
class PlanCommandTest {
    @TempDir
    Path folder;

    @BeforeEach
    void listen() throws IOException {
        write("none/durability.json", "{}");
        write("text/users.json", "users");
        write("later/users.json", "{\"schema\": 3}");
        write("run/users.json", "{\"schema\": 2, \"kind\": \"run\"}");
        users("empty", List.of());
        users(
                "users",
                List.of(new Row(
                        Map.of(LevelForm.USERS.key(), 50),
                        List.of(Repeat.counted()
                                .count(LevelForm.USER_DAYS, 100)
                                .count(LevelForm.SENT_NEW, 1418)
                                .count(LevelForm.SENT_REPLY, 0)
                                .count(LevelForm.SENT_REPLY_ALL, 0)
                                .count(LevelForm.SENT_FORWARD, 0)
                                .count(LevelForm.RECEIVED, 6630)
                                .made()))));
        storage("broken", List.of());
        storage(
                "storage",
                List.of(new Row(
                        Map.of(PhaseFigures.PHASE.key(), "performance"),
                        List.of(counted(150, 30, 150)
                                .count(PhaseFigures.THREADS, 1)
                                .parts(
                                        InstanceFigures.INSTANCES,
                                        List.of(counted(150, 30, 150).made()))
                                .parts(
                                        PhaseFigures.THREAD_STEPS,
                                        List.of(counted(100, 10, 0)
                                                .name(PhaseFigures.STEP, 1)
                                                .made()))
                                .made()))));
    }

    private void users(String name, List<Row> levels) throws IOException {
        Map<String, Object> facts = Map.of(
                UsersResult.LIMITS.key(),
                new LevelLimits(1000, 500),
                UsersResult.PACE.key(),
                new UsersResult.Pace("medium", "8h", 1, false));
        write(name, UsersResult.KIND, facts, new Table(LevelForm.LEVELS, levels));
    }

    private void storage(String name, List<Row> phases) throws IOException {
        write(
                name,
                Qualification.KIND,
                Map.of(PhaseVerdict.READ_LATENCY_MAX.key(), 20.0),
                new Table(PhaseFigures.PHASES, phases),
                new Table(CacheFigures.CACHES, List.of()));
    }

    /** {@return what reads and writes of a second count} */
    private static Repeat.Builder counted(long reads, long readMs, long writes) {
        return new IoCounts(Map.of(
                        IoCounter.DB_READS, reads,
                        IoCounter.DB_READ_NS, reads * readMs * 1_000_000,
                        IoCounter.DB_WRITES, writes))
                .counted()
                .name(InstanceFigures.INSTANCE, "db1")
                .count(InstanceFigures.COLLECTION_NS, 1e9);
    }

    private void write(String name, Kind kind, Map<String, Object> facts, Table... tables)
            throws IOException {
        Files.createDirectories(folder.resolve(name));
        Environment machine = new Environment(
                new Environment.Processor("cpu", 2, 2, null, null),
                null,
                new Environment.Software("os", "6", "25", null),
                List.of(),
                null);
        Map<String, Object> settings =
                Map.of("users", 100, "iops-per-user", 0.5, "cache-mode", "all");
        DocumentFile.write(
                new Document(
                        kind,
                        new Provenance(new Tool("1", null), "", "", "", settings, machine),
                        true,
                        facts,
                        List.of(tables),
                        List.of()),
                folder.resolve(name));
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
                "1 | --from FOLDER/run                    | is not a result of users",
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
                "2 | --users 10 --set disk_iops=5..9      | '5..9' is not a double",
                "2 | --users 10 --prices FOLDER/p.yaml    | --prices",
                "2 | --users 10 --set mailbx_mb=1         | mailbx_mb: no such input",
                "2 | --users 10 --set mailbox_mb=1GB      | '1GB' is not a double",
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
                "--from FOLDER/storage,FOLDER/users --users 200 --set headroom_percent=0 --quiet");
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        assertThat(ended.out()).isEmpty();
    }

    /** 100 I/O a second were measured at 10 ms, and 300 at 30 ms, which is above the limit of 20. */
    @Test
    void aDemandThatIsNotMetEndsWithThreeAndSaysWhy() throws Exception {
        Ended ended =
                run("--from FOLDER/storage,FOLDER/users --users 1000 --set headroom_percent=0");
        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.errors())
                .containsExactly(
                        "hubmark: not met: I/O a second of the measured storage, 500 I/O/s needed, 100 I/O/s there");
        assertThat(ended.printed()).contains("users held: 200").contains("results in ");
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
        assertThat(changed.exitCode()).isEqualTo(3);
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
        write("other.properties", "users=1000\ncolour=red\n");
        Ended ended = run("--config FOLDER/other.properties");
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.errors()).singleElement().asString().contains("unknown option");
    }
}
