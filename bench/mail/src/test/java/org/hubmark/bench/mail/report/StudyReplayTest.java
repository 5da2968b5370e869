package org.hubmark.bench.mail.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.mail.document.MadeResults;
import org.hubmark.bench.mail.document.Results;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The hub study measured again stands beside the published columns wherever results are shown: made
 * up results of which each figure can be told by hand.
 */
@Tag("published")
class StudyReplayTest {
    private final ObjectMapper mapper = new ObjectMapper();

    @TempDir
    private Path folder;

    private ObjectNode tree;

    @BeforeEach
    void make() throws IOException {
        try (InputStream in = StudyReplayTest.class.getResourceAsStream("results.json")) {
            tree = (ObjectNode) mapper.readTree(Objects.requireNonNull(in));
        }
        tree.put("schema", JsonFile.SCHEMA);
        ObjectNode first = (ObjectNode) tree.path("scenarios").path(0);
        ((ObjectNode) tree.path("settings")).put("preset", "hub-study");
        ArrayNode scenarios = mapper.createArrayNode();
        for (int size : new int[] {57, 80}) {
            scenario(scenarios, first, size, "scsi-15k-bbwc", "138.17/s", 138);
            scenario(scenarios, first, size, "scsi-15k-bbwc", "max-sustained", 2000);
            scenario(scenarios, first, size, "sata-7200", "48.85/s", 48);
            scenario(scenarios, first, size, "sata-7200", "max-sustained", 500);
            scenario(scenarios, first, size, "sata-7200-cache", "48.85/s", 48);
            scenario(scenarios, first, size, "sata-7200-cache", "max-sustained", 1000);
        }
        tree.set("scenarios", scenarios);
    }

    private void scenario(
            ArrayNode all, ObjectNode like, int size, String device, String rate, double found) {
        ObjectNode scenario = like.deepCopy();
        String id = size + "-" + device + "-" + rate.replace("/", "");
        boolean unsafe = device.endsWith("-cache");
        scenario.put("id", id).put("message_size_kb", size).put("device_profile", device);
        scenario.put("asked_rate", rate).put("throughput_msgs_per_s", found).put("valid", true);
        scenario.put("unsafe", unsafe).put("unsafe_reason", unsafe ? "its cache is lost" : null);
        scenario.put("limiting_resource", rate.endsWith("/s") ? "rate" : "log_volume");
        scenario.put("limiting_reason", "a sync was under way 97% of the time");
        scenario.put("cpu_cost_mcycles_per_msg", 0.25).put("queue_writes_per_msg", 0);
        scenario.put("cpu_cost_process_mcycles_per_msg", 0.125);
        scenario.putObject("sustained_rate")
                .put("msgs_per_s", found)
                .put("reason", "sustains " + found + " msg/s");
        all.add(scenario);
    }

    @Test
    void standsOnTheTerminal() throws IOException {
        String text = terminal();
        assertThat(text.lines()).allMatch(line -> line.length() <= 118);
        assertThat(text.lines()
                        .filter(line -> line.startsWith("Throughput (msg/s)"))
                        .toList())
                .anyMatch(line -> figures(line)
                        .equals(List.of(
                                "2000", "138.17", "2000", "118.87", "500", "48.85", "500",
                                "40.36")));
        assertThat(text.lines().filter(line -> line.startsWith("57 KB  ")))
                .anyMatch(line -> figures(line.substring(5))
                        .equals(List.of("0.25", "0.35", "0.50", "said", "to", "reach", "SCSI")));
        assertThat(text.lines().filter(line -> line.startsWith("80 KB  ")))
                .anyMatch(line ->
                        figures(line.substring(5)).subList(0, 2).equals(List.of("0.25", "0.34")));
        assertThat(text.lines()
                        .filter(line -> line.startsWith("Msg Cost, server only"))
                        .toList())
                .isNotEmpty()
                .allMatch(line -> line.contains("0.125"));
    }

    @Test
    void standsInEachFileOfTheReport() throws IOException {
        MadeRun.draw(results(), folder);
        String markdown = Files.readString(folder.resolve("report.md"));
        assertThat(markdown)
                .contains("## The hub study, replayed")
                .contains("| this run, SCSI, 57 KB | published, SCSI, 57 KB |")
                .contains("| this run, 57 KB, published rate, **UNSAFE** |")
                .contains("| 57 KB | 0.25 | 0.35 | 0.50 | said to reach SCSI |");
        String html = Files.readString(folder.resolve("report.html"));
        assertThat(html)
                .contains("<caption>At the published rate: what does the same work cost now?")
                .contains("<caption>The fifth case, which was not published")
                .doesNotContain("SCSI+BBWC</span>");
    }

    /** What an interruption left out is a dash, and no case of another name. */
    @Test
    void aCaseThatWasNotMeasuredIsADash() throws IOException {
        ArrayNode scenarios = (ArrayNode) tree.path("scenarios");
        for (int i = scenarios.size() - 1; i >= 0; i--) {
            String id = scenarios.get(i).path("id").asText();
            if (id.startsWith("80-scsi-15k-bbwc-max") || id.startsWith("80-sata-7200-cache")) {
                scenarios.remove(i);
            }
        }
        String text = terminal();
        assertThat(text.lines().filter(line -> line.startsWith("Throughput (msg/s)")))
                .anyMatch(line -> figures(line)
                        .equals(List.of(
                                "2000", "138.17", "-", "118.87", "500", "48.85", "500", "40.36")));
        assertThat(text.lines().filter(line -> line.startsWith("80 KB  ")))
                .anyMatch(line ->
                        figures(line.substring(5)).subList(0, 3).equals(List.of("-", "0.34", "-")));
        // The fifth case is unsafe, measured or not.
        assertThat(text).containsPattern("\n +UNSAFE +UNSAFE +UNSAFE +UNSAFE\n");
    }

    @Test
    void otherResultsHaveNone() throws IOException {
        ((ObjectNode) tree.path("settings")).remove("preset");
        MadeRun.draw(results(), folder);
        assertThat(Files.readString(folder.resolve("report.html"))).contains("SCSI+BBWC</span>");
    }

    private static List<String> figures(String line) {
        String[] parts = line.replaceFirst("^.*\\(msg/s\\)", "").strip().split("\\s+", -1);
        return List.of(parts);
    }

    private Results results() throws IOException {
        Path file = folder.resolve("results.json");
        mapper.writeValue(file.toFile(), tree);
        return MadeResults.read(file);
    }

    private String terminal() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DocumentReport.printAll(
                results().document(), new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
