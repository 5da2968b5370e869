package org.hubmark.bench.results.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Results;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves that the self-check passes figures that follow from the raw files, and finds each one that
 * does not, whichever side was changed: a figure of a repeat, of a scenario, of a cost model, a row
 * of the samples, a histogram. The figures are made up by hand, not by the code that checks them.
 */
class SelfCheckTest {
    private static final String FIRST = "4kb-one-off";

    @TempDir
    Path folder;

    @BeforeEach
    void makeRun() throws IOException {
        MadeRun.write(folder, List.of(4, 57, 200));
    }

    @Test
    void figuresThatFollowPass() throws IOException {
        SelfCheck check = Report.write(MadeRun.read(folder), folder);
        assertThat(check.mismatches()).isEmpty();
        assertThat(check.unchecked()).isEmpty();
        // 12 scenarios, each with 20 figures and two repeats of 13 or more, and 4 cost models.
        assertThat(check.recomputed()).isGreaterThan(12 * (20 + 2 * 13));
        assertThat(read("report.html")).contains("0 differ").doesNotContain("Self-check failed");
    }

    /** Each cell of a matrix has a clock of its own, and the environment that of the first. */
    @Test
    void theClockIsThatOfTheRepeatWhateverTheMachineBeganWith() throws IOException {
        change("/environment", "cpu_clock_mhz", 800);
        change("/scenarios/0/repeats/1", "cpu_clock_mhz", 2_000);
        SelfCheck check = Report.write(MadeRun.read(folder), folder);
        assertThat(texts(check)).isEmpty();
        change("/scenarios/0/repeats/1", "cpu_clock_mhz", 1_900);
        assertThat(texts(Report.write(MadeRun.read(folder), folder)))
                .contains(
                        FIRST + ", repeat 2: cpu_clock_mhz is 1900 in results.json, but samples.csv"
                                + " gives 2000");
    }

    @Test
    void aChangedFigureOfARepeatIsNamedWithBothValues() throws IOException {
        change("/scenarios/0/repeats/1", "throughput_msgs_per_s", 9_999);
        SelfCheck check = Report.write(MadeRun.read(folder), folder);
        assertThat(texts(check))
                .contains(FIRST + ", repeat 2: throughput_msgs_per_s is 9999 in results.json, but"
                        + " samples.csv gives 770");
        // What is made of the repeats no longer follows either.
        assertThat(texts(check))
                .anyMatch(text -> text.startsWith(FIRST + ": throughput_msgs_per_s_max is 770 in"));
        assertThat(read("report.html"))
                .contains("Self-check failed")
                .contains("throughput_msgs_per_s is 9999 in results.json");
        assertThat(read("report.md")).contains("**Self-check failed");
    }

    @Test
    void aChangedCounterIsFound() throws IOException {
        Path file = folder.resolve("results.json");
        JsonNode tree = new ObjectMapper().readTree(file.toFile());
        ((ObjectNode) tree.at("/scenarios/0/repeats/1"))
                .putObject("counters")
                .put("measured_ns", 10_000_000_000L)
                .put("log_writes", 4_000);
        Files.writeString(file, tree.toString());
        assertThat(texts(Report.write(MadeRun.read(folder), folder)))
                .containsExactly(FIRST + ", repeat 2: counters.log_writes is 4000 in results.json,"
                        + " but samples.csv gives 1925");
    }

    @Test
    void aChangedFigureOfAScenarioIsMarkedWhereItStands() throws IOException {
        change("/scenarios/0", "cpu_cost_mcycles_per_msg", 3.5);
        SelfCheck check = Report.write(MadeRun.read(folder), folder);
        assertThat(texts(check))
                .containsExactly(
                        FIRST + ": cpu_cost_mcycles_per_msg is 3.5 in results.json, but the"
                                + " repeats in results.json gives 4");
        assertThat(read("report.html")).contains("<summary class=\"mismatch\">3.50</summary>");
    }

    @Test
    void aChangedCostModelIsFound() throws IOException {
        change("/cost_models/0", "b_per_kb", 0.4);
        assertThat(texts(Report.write(MadeRun.read(folder), folder)))
                .singleElement()
                .asString()
                .startsWith("cost model of cpu_cost_mcycles_per_msg (one volume, write cache off)"
                        + ": b_per_kb is 0.4 in results.json, but least squares over the valid"
                        + " repeats gives 0.5");
    }

    @Test
    void aChangedRowOfTheSamplesIsFound() throws IOException {
        Path file = folder.resolve("samples.csv");
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        // The last second of the first repeat, whose driver used a tenth of a core.
        String last = lines.get(10);
        assertThat(last).startsWith(FIRST + ",1,10,").contains(",1000000000.000000000,");
        lines.set(10, last.replace(",1000000000.000000000,", ",3000000000.000000000,"));
        Files.write(file, lines);
        assertThat(Report.write(MadeRun.read(folder), folder).mismatches())
                .extracting(SelfCheck.Mismatch::field)
                .containsExactlyInAnyOrder(
                        "driver_cpu_percent", "cpu_percent", "cpu_cost_mcycles_per_msg");
    }

    @Test
    void aChangedHistogramIsFound() throws IOException {
        HistogramLogWriter log =
                new HistogramLogWriter(folder.resolve(FIRST + ".hlog").toFile());
        log.outputLogFormatVersion();
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(5_000_000, 100);
        histogram.setTag("repeat-1");
        log.outputIntervalHistogram(histogram);
        log.close();
        SelfCheck check = Report.write(MadeRun.read(folder), folder);
        assertThat(check.mismatches())
                .extracting(mismatch -> mismatch.where() + " " + mismatch.field())
                .contains(
                        FIRST + " accept_latency_ms.p99",
                        FIRST + ", repeat 1 accept_latency_ms.max");
        // The log has nothing of the second repeat any more.
        assertThat(check.unchecked())
                .contains(FIRST + ", repeat 2: " + FIRST
                        + ".hlog does not have what is needed (6 figures)");
    }

    @Test
    void withoutRawFilesNothingIsClaimed() throws IOException {
        Files.delete(folder.resolve("samples.csv"));
        SelfCheck check = Report.write(MadeRun.read(folder), folder);
        assertThat(check.mismatches()).isEmpty();
        assertThat(check.unchecked())
                .hasSize(24)
                .allMatch(line -> line.contains("samples.csv does not have"));
    }

    @Test
    void aFigureUnfoldsToItsNumbers() throws IOException {
        Results results = MadeRun.read(folder);
        Traced scenario =
                RawFiles.in(folder).traced(results.scenarios().getFirst(), results.machines());
        Derivation cost = Derivation.ofScenario(scenario, Figure.CPU_COST_MCYCLES_PER_MSG);
        assertThat(cost.value()).isEqualTo(4, within(1e-9));
        assertThat(cost.formula())
                .contains("cpu percent / 100 x logical cores x CPU clock of busy cores");
        assertThat(cost.inputs())
                .containsExactly(
                        "repeat 1: 70 / 100 x 2 x 2000 / 700 where - = 4",
                        "repeat 2: 77 / 100 x 2 x 2000 / 770 where - = 4");
    }

    private void change(String object, String field, double value) throws IOException {
        Path file = folder.resolve("results.json");
        JsonNode tree = new ObjectMapper().readTree(file.toFile());
        ((ObjectNode) tree.at(object)).put(field, value);
        Files.writeString(file, tree.toString());
    }

    private static List<String> texts(SelfCheck check) {
        return check.mismatches().stream().map(SelfCheck.Mismatch::text).toList();
    }

    private String read(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }
}
