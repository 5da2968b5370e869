package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.load.Audit;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Proves what a scenario says of its repeats, and that it has every row of the published study. */
class ResultsTest {
    @TempDir
    Path folder;

    @Test
    @Tag("published")
    void hasEveryRowOfThePublishedTable() throws IOException {
        JsonNode scenario =
                JsonFile.read(GoldenFiles.FOLDER.resolve("run/results.json")).at("/scenarios/0");
        List<String> fields = HubStudy.published().tableRows().stream()
                .map(HubStudy.Line::field)
                .toList();
        assertThat(fields)
                .hasSize(18)
                .containsSubsequence(Figure.STUDY.stream()
                        .map(Column::key)
                        .filter(key -> !key.equals("cpu_cost_process_mcycles_per_msg"))
                        .toList());
        for (String field : fields) {
            assertThat(scenario.has(field)).as(field).isTrue();
            assertThat(scenario.at("/repeats/0").has(field)).as(field).isTrue();
        }
    }

    @Test
    void refusesWhatIsNoJson() throws IOException {
        Path file = Files.writeString(folder.resolve("results.json"), "{\"schema\": ");
        assertThatThrownBy(() -> MailReport.read(file))
                .hasMessageContaining("results.json is not JSON");
    }

    @Test
    void whatWasAuditedIsSummedUp() {
        Audit audit = new Audit("sampled", 7, 1, 2L, 3, 4, 5L);
        Repeat plain = MadeResults.repeat(1).made();
        Repeat audited = plain.named(MailDocument.AUDIT, audit);
        assertThat(scenario(plain, audited, audited).audit())
                .isEqualTo(new Audit("sampled", 14, 2, 4L, 6, 8, 10L));
        assertThat(scenario(plain, plain).audit()).isNull();
    }

    /** The golden files have medians and sums. */
    @Test
    void whatLimitedMostRepeatsLimitsTheScenario() {
        Scenario merged = scenario(repeat("cpu"), repeat("rate"), repeat("cpu"));
        assertThat(merged.limiting()).isEqualTo(new Limiting("cpu", "cpu it is", null));
    }

    private static Scenario scenario(Repeat... repeats) {
        return MadeResults.scenario("57kb", 57, Conditions.UNKNOWN, List.of(repeats));
    }

    private static Repeat repeat(String limit) {
        Repeat.Builder counted = MadeResults.repeat(1);
        MadeResults.name(counted, new Limiting(limit, limit + " it is", null));
        return counted.made();
    }
}
