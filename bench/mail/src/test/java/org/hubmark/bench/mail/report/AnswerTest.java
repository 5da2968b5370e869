package org.hubmark.bench.mail.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.mail.document.MadeResults;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Proves that what one wants to know first is there, fits a screen, and is not diluted. */
class AnswerTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Of a terminal as it opens. */
    private static final int SCREEN_LINES = 24;

    @TempDir
    Path folder;

    @Test
    void ofARunFitsAScreen() throws IOException {
        String text = answer(results -> results.path("scenarios")
                .forEach(scenario -> ((ObjectNode) scenario)
                        .put("limiting_resource", "log_volume")
                        .put("limiting_reason", "the log volume was 93% busy")
                        .put("limiting_lift", "a log device that syncs faster")));
        assertThat(text.lines().count()).isLessThanOrEqualTo(SCREEN_LINES);
        assertThat(text.lines()).allSatisfy(line -> {
            assertThat(line.length()).isLessThanOrEqualTo(118);
            assertThat(line).matches("\\p{ASCII}*");
        });
        assertThat(text)
                .contains("Rate (msg/s)")
                .contains("95 % interval")
                .contains("Accept latency p99 (ms)")
                .contains("Log writes (writes/msg)")
                .contains("Limited by")
                .contains("\nLimit: the log volume was 93% busy. What would lift it: a log")
                .contains("\nVolumes: log, ")
                .contains("write cache: ")
                .contains("\nSafe: ")
                .contains("Can lose acknowledged mail")
                .doesNotContain("published")
                .doesNotContain("SCSI");
    }

    /** In a closed loop none is known; beside it, one is measured at a rate. */
    @Test
    void latencyStandsWithItsRate() throws IOException {
        String closed = answer(results -> scenario(results).put("asked_rate", "max"));
        assertThat(closed).containsPattern("Accept latency p99 \\(ms\\) +-");
        assertThat(answer(results -> latencyAt(results, true)))
                .containsPattern("Accept latency p99 \\(ms\\) +3.25 at 700/s");
        // One that can't be trusted is not shown.
        assertThat(answer(results -> latencyAt(results, false)))
                .containsPattern("Accept latency p99 \\(ms\\) +-")
                .doesNotContain("3.25");
    }

    @Test
    void aDashForALatencyIsExplained() throws IOException {
        String closed = answer(results -> {
            ((ObjectNode) results.path("settings")).put("quick", true).put("latency-at", 0.0);
            scenario(results).put("asked_rate", "max");
        });
        assertThat(closed).contains("\nLatency: ");
        assertThat(closed.replaceAll("\\s+", " "))
                .contains(
                        "not measured: a closed loop",
                        "--latency-at 70%, which --quick leaves out");
        assertThat(answer(results -> latencyAt(results, true))).doesNotContain("\nLatency: ");
    }

    /** It was measured while the machine was busy with something else. */
    @Test
    void aCeilingBelowTheRunItselfIsSaidToBe() throws IOException {
        Consumer<ObjectNode> reached = results -> scenario(results)
                .putObject("ceilings")
                .put("log_device_msgs_per_s", 8123.456 / 3.812);
        assertThat(answer(reached))
                .doesNotContain("Share of the log device's maximum")
                .contains("warning: ")
                .containsPattern(
                        "the\\s+ceiling\\s+of\\s+the\\s+log\\s+device\\s+was\\s+measured\\s+lower");
    }

    @Test
    void whatIsNotValidSaysWhatToDo() throws IOException {
        String text = answer(results -> {
            ArrayNode repeats = scenario(results).putArray("repeats");
            for (int percent : new int[] {12, 15}) {
                ObjectNode repeat = repeats.addObject().put("repeat", repeats.size());
                repeat.put("valid", false)
                        .putArray("invalid_reasons")
                        .add("processes other than server and driver took " + percent
                                + ".0% of it");
                repeat.putArray("invalid_cases").add("disturbed");
            }
        });
        assertThat(text).contains("NOT VALID");
        assertThat(MadeResults.read(folder.resolve("results.json"))
                        .document()
                        .findings()
                        .reasons())
                .first(STRING)
                .startsWith("57 KB, synced: repeat 1: processes other than server and driver took"
                        + " 12.0% of it. What to do: give it the whole machine")
                .endsWith(" (and 1 more like it)")
                .doesNotContain("15.0%");
    }

    private static void latencyAt(ObjectNode results, boolean valid) {
        ObjectNode at = scenario(results).put("asked_rate", "max").putObject("latency_at");
        at.put("percent", 70).put("rate_msgs_per_s", 700.4).put("valid", valid);
        at.putArray("invalid_reasons");
        at.putObject("accept_latency_ms").put("p99", 3.25);
    }

    @Test
    void ofATargetNothingIsClaimed() throws IOException {
        String text = answer(results -> results.path("scenarios").forEach(one -> {
            ObjectNode scenario = (ObjectNode) one;
            scenario.putNull("durability").putNull("intake").putNull("unsafe");
            scenario.putNull("unsafe_reason");
        }));
        assertThat(text)
                .contains("Safe: not known of this server")
                .doesNotContain("Can lose acknowledged mail");
    }

    @Test
    void aQuickRunIsMarkedWhereTheFiguresAre() throws IOException {
        String text = answer(results -> ((ObjectNode) results.path("settings")).put("quick", true));
        assertThat(text).contains("ROUGH").contains("--quick");
    }

    private static ObjectNode scenario(ObjectNode results) {
        return (ObjectNode) results.path("scenarios").path(0);
    }

    private String answer(Consumer<ObjectNode> change) throws IOException {
        ObjectNode results;
        try (InputStream in = AnswerTest.class.getResourceAsStream("results.json")) {
            results = (ObjectNode) MAPPER.readTree(in);
        }
        change.accept(results);
        Path file = folder.resolve("results.json");
        Files.writeString(file, MAPPER.writeValueAsString(results));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DocumentReport.print(
                MadeResults.read(file).document(),
                new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
