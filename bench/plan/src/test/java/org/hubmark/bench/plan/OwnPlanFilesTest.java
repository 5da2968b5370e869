package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.plan.MadeResults.Counted;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Proves that a plan is written and checked, and that what its results were measured under goes with it. */
class OwnPlanFilesTest extends OwnPlanCase {
    @Test
    void writesAFileAndReportsThatSayTheSame() throws Exception {
        Document found = StudyRun.of(
                new PlanStudy(
                        List.of(
                                folder.resolve("pair").toString(),
                                folder.resolve("users").toString()),
                        null,
                        given(
                                "users", 400,
                                "peak_factor", 1,
                                "drives", 10,
                                "disk_iops", 100,
                                "mailbox_mb", 200,
                                "disk_gb", 300)),
                request("./hubmark plan <all>"));
        Plan plan = PlanDocument.plans(found).getFirst();
        JsonNode file = new ObjectMapper().readTree(folder.resolve("plan.json").toFile());
        for (String key :
                List.of("schema", "kind", "tool", "command", "inputs", "steps", "answers")) {
            assertThat(file.has(key)).as(key).isTrue();
        }
        assertThat(file.path("steps")).hasSizeGreaterThan(20);
        for (JsonNode step : file.path("steps")) {
            double value = plan.value(PlanSteps.of(step.path("name").asText()));
            assertThat(
                            step.path("result").isNull()
                                    ? Double.NaN
                                    : step.path("result").asDouble())
                    .isEqualTo((Double) value);
            assertThat(step.path("formula").asText()).isNotEmpty();
            step.path("inputs")
                    .forEach(input -> assertThat(input.path("value").isNumber())
                            .as("%s", input)
                            .isTrue());
        }
        String report = Files.readString(folder.resolve("report.md"));
        assertThat(report)
                .startsWith("# Plan: 400 users\n")
                .contains("## Answer")
                .contains("| I/O a second that is asked for | 240 I/O/s | users x")
                .contains("| reads that the cache had | 0 % | 0 % | higher | N/A |")
                .contains("| metadata of a user in the cache | - | - | - | a number above 0 (MB) |"
                        + " metadata_mb_per_user |");
        found.findings()
                .answer()
                .lines()
                .forEach(line -> assertThat(report).contains(line.strip()));
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("./hubmark plan &lt;all&gt;");
    }

    /** What a file says is what follows from its inputs; a figure that is not is named. */
    @Test
    void whatFollowsIsComputedAgain() throws Exception {
        var unused = StudyRun.of(
                new PlanStudy(List.of(folder.resolve("on").toString()), null, given("users", 400)),
                request("plan"));
        Document read = DocumentFile.read(folder, PlanDocument.KIND);
        DocumentFile.Check check = DocumentFile.check(folder, read);
        assertThat(check.mismatches()).isEmpty();
        assertThat(check.changed()).isEmpty();
        Path file = folder.resolve("plan.json");
        Files.writeString(
                file, Files.readString(file).replaceFirst("(\"result\" : )[0-9.]+", "$17"));
        assertThat(DocumentFile.check(folder, read).mismatches())
                .singleElement()
                .asString()
                .contains("result");
    }

    /** Other work on the machine leaves a qualification without a verdict. */
    @Test
    void whyAQualificationWasNotJudgedGoesWithThePlan() throws Exception {
        new MadeResults.Storage()
                .performance(MadeResults.host(new Counted(180, 120, 15, 100).phase(), 400_000_000))
                .write(folder.resolve("busy"));
        Document found = StudyRun.of(
                new PlanStudy(
                        List.of(
                                folder.resolve("busy").toString(),
                                folder.resolve("users").toString()),
                        null,
                        given("peak_factor", 1)),
                request("plan"));
        assertThat(found.findings().warnings())
                .anyMatch(warning -> warning.startsWith(folder.resolve("busy/qualification.json")
                        + ": not judged: performance: processes other than server and driver took"
                        + " 20.0%"));
    }
}
