package org.hubmark.bench.mail.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.MachineSections;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Series;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.ResourceLimits;
import org.hubmark.bench.machine.watch.TargetWatch;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.MadeResults;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
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
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Proves that each way of drawing shows every row of the study with the study's decimals, a dash for
 * what is not known, and a mark on what is not valid; and that the HTML loads nothing. Draws a
 * results file made up for the purpose and reads what came out.
 */
class ReportTest {
    @TempDir
    Path folder;

    private Results results;

    @BeforeEach
    void readResults() throws IOException {
        try (InputStream in = ReportTest.class.getResourceAsStream("results.json")) {
            Files.write(folder.resolve("results.json"), in.readAllBytes());
        }
        results = MadeResults.read(folder.resolve("results.json"));
    }

    @Test
    void theNotesOfRepeatsAreAmongThoseOfTheReport() throws IOException {
        repeats(
                repeat -> repeat.putArray("notes").add("the hub was under back pressure"),
                900,
                901);
        MadeRun.draw(results, folder);
        assertThat(read("report.md"))
                .contains("57kb-synced, repeat 2: the hub was under back pressure.");
    }

    @Test
    void aClosedLoopHasNoLatencyOfMailFromOutside() throws IOException {
        assertThat(latencyOfFirst(null)).startsWith("13.9 at ");
        assertThat(latencyOfFirst("max")).isEqualTo("-");
        assertThat(latencyOfFirst("1200/s")).startsWith("13.9 at ");
    }

    /** {@return what the first scenario has in the report when it was asked for that rate} */
    private String latencyOfFirst(@Nullable String askedRate) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        Path file = folder.resolve("results.json");
        JsonNode tree = mapper.readTree(file.toFile());
        ((ObjectNode) tree.path("scenarios").get(0)).put("asked_rate", askedRate);
        mapper.writeValue(file.toFile(), tree);
        MadeRun.draw(MadeResults.read(file), folder);
        return read("report.md")
                .lines()
                .filter(line -> line.startsWith("| Accept latency p99 (ms)"))
                .findFirst()
                .orElseThrow()
                .split("\\|", -1)[2]
                .strip();
    }

    @Test
    void aServerElsewhereIsInTheReport() throws IOException {
        TargetWatch watch = new TargetWatch(
                "ssh mx1 hubmark watch --stdio", "machine", "the watch no longer answers");
        MadeRun.draw(
                new Results(results.document()
                        .with(MachineSections.SERVER, results.provenance().environment())
                        .with(MachineSections.WATCH, watch)),
                folder);
        assertThat(read("report.md"))
                .contains("| Server's machine: CPU | ")
                .contains("| Server's counters: command | ssh mx1 hubmark watch --stdio |")
                .contains("are those of its whole machine")
                .contains("From some time on nothing is known of the server's machine");
    }

    @Test
    void everythingThatIsDisclosedIsInTheReport() throws IOException {
        MadeRun.draw(results, folder);
        assertThat(read("report.md")).doesNotContain("Disclosure");
        ResourceLimits pinned = new ResourceLimits("0-3", 1.5);
        Disclosure told =
                new Disclosure(false, pinned, null, List.of("-Xmx1g", "-Xms1g"), null, null);
        MadeRun.draw(
                MadeResults.results(
                        results.provenance()
                                .with(results.provenance().environment().withDisclosure(told)),
                        results.scenarios()),
                folder);
        assertThat(read("report.md"))
                .contains(
                        "## Disclosure",
                        "| server on this machine | no |",
                        "| server's machine | - |")
                .contains("| driver limits, cpu quota cores | 1.5 |", "| server limits | - |")
                .contains("| driver jvm options | -Xmx1g -Xms1g |")
                .contains("| log volume, storage | - |");
        assertThat(read("report.html")).contains("<h2>Disclosure</h2>");
    }

    @Test
    void everyDrawingHasEveryRowOfTheStudy() throws IOException {
        MadeRun.draw(results, folder);
        HubStudy study = HubStudy.published();
        List<String> keys = Figure.STUDY.stream().map(Column::key).toList();
        assertThat(study.scenarios()).hasSize(4);
        assertThat(study.tableRows())
                .hasSize(18)
                .extracting(HubStudy.Line::field)
                .containsSubsequence(keys.stream()
                        .filter(key -> !key.equals("cpu_cost_process_mcycles_per_msg"))
                        .toArray(String[]::new));
        for (String drawing : List.of(read("report.html"), read("report.md"), terminal())) {
            assertThat(drawing).contains("Limited by");
            for (Column figure : Figure.STUDY) {
                assertThat(drawing).contains(figure.heading());
            }
        }
    }

    @Test
    void figuresHaveTheDigitsThatTheyAllow() {
        List<String> lines = terminal().lines().toList();
        assertThat(cells(lines, "Throughput (msg/s)"))
                .containsExactly("8120", "6010", "138.17", "118.87", "48.85", "40.36");
        assertThat(cells(lines, "Longest queue (msgs)"))
                .containsExactly("162", "120", "358", "409", "44", "64");
        assertThat(cells(lines, "Limited by"))
                .containsExactly("log volume", "CPU", "CPU", "CPU", "I/O", "I/O");
    }

    @Test
    void whatIsNotKnownIsADash() throws IOException {
        MadeRun.draw(results, folder);
        List<String> lines = terminal().lines().toList();
        assertThat(cells(lines, "Mean queue write (ms)"))
                .containsExactly("-", "-", "0", "0", "97", "109");
        assertThat(cells(lines, "Log reads (reads/s)")).startsWith("0.00", "0.00");
        assertThat(read("report.html"))
                .contains("<span class=\"unknown\" aria-label=\"not known\">–</span>");
        assertThat(read("report.md")).contains("| Mean queue write (ms) | - | - | 0 |");
    }

    @Test
    void whatIsNotValidIsMarkedWithItsReasons() throws IOException {
        MadeRun.draw(results, folder);
        String reason = "80 KB, synced: repeat 1: 3 messages lost";
        assertThat(terminal())
                .contains("NOT VALID", reason)
                .contains("80 KB, synced: repeat 1: the driver was the bottleneck");
        assertThat(read("report.md")).contains("**NOT VALID**").contains(reason);
        assertThat(read("report.html"))
                .contains("<span class=\"mark problem\">NOT VALID</span>")
                .contains(reason);
    }

    /** As measured once: the rate of a server that was warming up through all three repeats. */
    @Test
    void aRateThatClimbsOverItsRepeatsIsARangeAndSaysSo() throws IOException {
        repeats(tree -> {}, 10_159, 10_828, 13_887);
        MadeRun.draw(results, folder);
        assertThat(cells(terminal().lines().toList(), "Rate (msg/s)")).startsWith("10200 to 13900");
        assertThat(terminal()).contains("RATE RISES").contains("by 37 % in all");
        assertThat(read("report.html"))
                .contains("<span class=\"mark warning\">RATE RISES</span>")
                .contains("by 37 % in all");
        assertThat(read("report.md")).contains("**RATE RISES**").contains("by 37 % in all");
        // Not so where it comes and goes.
        repeats(tree -> {}, 10_159, 13_887, 10_828);
        assertThat(terminal()).doesNotContain("RATE RISES");
    }

    @Test
    void anIntervalOfARateHasNoEndBelowZero() throws IOException {
        repeats(tree -> {}, 1000, 3000, 6000);
        String row = "  geometric mean and its 95 % interval";
        assertThat(cells(terminal().lines().toList(), row).getFirst()).doesNotContain("(-1");
    }

    /** From 17,820 to 27,466: no digit below a thousand is theirs. */
    @Test
    void aRateAndItsIntervalHaveNoMoreDigitsAnywhereThanTheIntervalAllows() throws IOException {
        repeats(tree -> {}, 21_987, 20_345, 24_210);
        MadeRun.draw(results, folder);
        assertThat(answer()).contains("22000 (18000 to 27000)");
        for (String drawing : List.of(terminal(), read("report.md"), read("report.html"))) {
            assertThat(drawing)
                    .contains("22000", "18000", "27000")
                    .doesNotContain("22100", "17800", "27500");
        }
    }

    @Test
    void steadyUnsteadyAndUnknownAreToldApartWhereTheFiguresStand() throws IOException {
        repeats(repeat -> repeat.put("steady", true), 1000, 1001);
        assertThat(terminal() + answer()).doesNotContain("STEADY", "not steady", "Steady:");
        repeats(
                repeat -> repeat.put("steady", false).put("steady_reason", "it drifted"),
                1000,
                1001);
        assertThat(terminal())
                .contains(
                        "NOT STEADY", "not steady before the measured time in 2 of 2 repeats: it");
        repeats(
                repeat -> repeat.putNull("steady")
                        .put("steady_reason", "drift " + repeat.get("repeat"))
                        .putObject("rate_drift")
                        .put("percent", -repeat.get("repeat").asDouble()),
                1000,
                1001);
        assertThat(terminal() + answer()).doesNotContain("STEADY", "not steady");
        assertThat(answer())
                .contains("\nSteady: not shown in 2 of 2 repeats: drift 2 (the widest of them).");
    }

    private String answer() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DocumentReport.print(
                results.document(), new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Gives the first scenario repeats of these rates. */
    private void repeats(Consumer<ObjectNode> change, double... rates) throws IOException {
        Path file = folder.resolve("results.json");
        ObjectNode tree = (ObjectNode) new ObjectMapper().readTree(file.toFile());
        ObjectNode scenario = (ObjectNode) tree.at("/scenarios/0");
        ArrayNode repeats = scenario.putArray("repeats");
        for (double rate : rates) {
            ObjectNode repeat = repeats.addObject().put("repeat", repeats.size());
            repeat.put("throughput_msgs_per_s", rate).put("valid", true);
            repeat.putArray("invalid_reasons");
            change.accept(repeat);
        }
        if (tree.path("scenarios").size() > 1) {
            ((ArrayNode) tree.path("scenarios")).remove(1);
        }
        Files.writeString(file, tree.toString());
        results = MadeResults.read(file);
    }

    @Test
    void whatIsUnsafeIsMarkedWhereverItAppears() throws IOException {
        MadeRun.write(folder, List.of(4, 57));
        results = MadeRun.read(folder);
        MadeRun.draw(results, folder);
        String reason = "the write cache of the device is not protected";
        assertThat(terminal().replaceAll("\\s+", " ")).contains(reason);
        assertThat(terminal().lines().filter(line -> line.contains("UNSAFE")))
                .hasSizeGreaterThan(2);
        assertThat(read("report.md")).contains("**UNSAFE**").contains(reason);
        assertThat(read("report.html"))
                .contains("<span class=\"mark danger\">UNSAFE</span>")
                .contains("4 KB, synced, one volume, write cache on (UNSAFE)")
                .contains(reason);
        assertThat(read("report.html")).contains("one volume, write cache on (UNSAFE)");
    }

    @Test
    void theEffectOfEachFactorIsInTheReport() throws IOException {
        MadeRun.write(folder, List.of(4, 57, 200));
        Path file = folder.resolve("results.json");
        ObjectNode tree = (ObjectNode) new ObjectMapper().readTree(file.toFile());
        ObjectNode effect = tree.putArray("effects").addObject();
        effect.put("quantity", "rate").put("factor", "layout").put("baseline", "one volume");
        effect.put("level", "three volumes").put("cells", 6).put("verdict", "faster");
        effect.put("ratio", 1.2);
        effect.putObject("interval").put("low", 1.15).put("high", 1.25);
        effect.put("interval_level", 0.99);
        ObjectNode cycles = effect.deepCopy();
        ((ArrayNode) tree.path("effects")).add(cycles.put("quantity", "cycles").put("ratio", 0.98));
        cycles.putObject("interval").put("low", 0.9).put("high", 1.05);
        Files.writeString(file, tree.toString());
        MadeRun.draw(MadeRun.read(folder), folder);
        assertThat(read("report.md"))
                .contains(
                        "- Three volumes instead of one volume raises the rate by 20.0 %, interval"
                                + " +15.0 % to +25.0 % (99 %), and shows no difference in the cycles of a"
                                + " message: -2.0 %, interval -10.0 % to +5.0 % (99 %).",
                        "- What write caching is worth is not known: no two valid cells",
                        "- What a size costs is not known: ",
                        "| published, 57 KB, SATA | 48.85 | ")
                .contains("## Effect of each factor")
                .contains(
                        "three volumes, compared with one volume | rate | +20.0 % | +15.0 % to +25.0 %"
                                + " (99 %) | 6 | faster |");
        assertThat(read("report.html")).contains("three volumes, compared with one volume");
    }

    /** An empty line would end the table. */
    @Test
    void theRowsOfATableFollowEachOtherInMarkdown() throws IOException {
        MadeRun.write(folder, List.of(4, 57, 200));
        results = MadeRun.read(folder);
        MadeRun.draw(results, folder);
        List<String> lines = read("report.md").lines().toList();
        List<Integer> rules = IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).startsWith("|---"))
                .boxed()
                .toList();
        assertThat(rules).hasSizeGreaterThan(3).allSatisfy(rule -> {
            assertThat(lines.get(rule - 1)).startsWith("|");
            assertThat(lines.get(rule + 1)).startsWith("|");
            assertThat(lines.get(rule + 2)).startsWith("|");
        });
    }

    @Test
    void aMatrixIsARowEachScenarioOnTheTerminal() throws IOException {
        MadeRun.write(folder, List.of(4, 16, 57, 200));
        results = MadeRun.read(folder);
        assertThat(terminal().lines()).allMatch(line -> line.length() <= 118);
        assertThat(terminal().lines().filter(line -> line.contains("  log volume  ")))
                .hasSizeGreaterThanOrEqualTo(16);
    }

    @Test
    void volumesOnOneDeviceAndTheStoresOwnCountersAreSaid() {
        assertThat(answer()).contains("\nVolumes: log, queue on vda1");
        assertThat(cells(terminal().lines().toList(), "Write counters from (queue)"))
                .startsWith("engine");
    }

    /** What was published stands beside a hub of ours; what the note below the tables says too. */
    @Test
    void theWholeReportOnATerminalHasTheNoteOfThePage() {
        assertThat(terminal().replaceAll("\\s+", " "))
                .contains("A dash is a figure that is not known, never a zero.")
                .contains("What was published is of other hardware.");
    }

    @Test
    void theTerminalTableIsAsciiAndFits() {
        assertThat(terminal().lines()).allSatisfy(line -> {
            assertThat(line.length()).isLessThanOrEqualTo(118);
            assertThat(line).matches("\\p{ASCII}*");
        });
    }

    @Test
    void manyScenariosAreSpreadOverSeveralTables() throws IOException {
        Scenario first = results.scenarios().getFirst();
        Results many = MadeResults.with(
                results, List.of(first, first, first, first, results.scenarios().getLast()));
        String text = terminal(many);
        assertThat(text.lines()).allMatch(line -> line.length() <= 118);
        assertThat(text.lines().filter(line -> line.startsWith("CPU, without the driver (%)")))
                .hasSize(2);
        assertThat(text).contains("57kb-synced");
    }

    @Test
    void thePageLoadsNothing() throws IOException {
        MadeRun.draw(results, folder);
        String html = read("report.html");
        Matcher link = Pattern.compile("(?:src|href)\\s*=\\s*\"([^\"]*)\"")
                .matcher(html.replaceAll("(?s)<script>.*?</script>", ""));
        while (link.find()) {
            assertThat(link.group(1)).startsWith("data:");
        }
        assertThat(html).doesNotContain("@import").doesNotContain("url(http");
        assertThat(html).doesNotContain("<script src");
    }

    @Test
    void textFromTheResultsIsEscaped() throws IOException {
        ObjectNode tree = (ObjectNode)
                new ObjectMapper().readTree(folder.resolve("results.json").toFile());
        tree.put("command", "run --corpus </script><b>&");
        ((ObjectNode) tree.path("scenarios").path(0)).put("durability", "</script><b>");
        Files.writeString(folder.resolve("results.json"), tree.toString());
        MadeRun.draw(MadeResults.read(folder.resolve("results.json")), folder);
        assertThat(read("report.html"))
                .doesNotContain("</script><b>")
                .contains("run --corpus &lt;/script&gt;&lt;b&gt;&amp;");
    }

    @Test
    void chartsCarryTheSamplesAndWhatWasPublished() throws IOException {
        Scenario first = results.scenarios().getFirst();
        Repeat counted = first.row().repeat();
        Scenario sampled = MadeResults.scenario(
                first.id(),
                first.messageSizeKb(),
                first.conditions(),
                List.of(
                        sampled(counted, List.of(8000.0, 8200.0)),
                        sampled(counted, List.of(Double.NaN))));
        MadeRun.draw(
                MadeResults.with(results, List.of(sampled, results.scenarios().getLast())), folder);
        JsonNode charts = charts();
        assertThat(charts.findValuesAsText("id"))
                .containsExactly(
                        "throughput",
                        "cost-server",
                        "cost",
                        "log-writes",
                        "queue-writes",
                        "timeline-1");
        assertThat(charts.at("/0/series/1/name").asText()).isEqualTo("SCSI+BBWC (published)");
        assertThat(charts.at("/0/series/1/points").toString())
                .isEqualTo("[[57.0,138.17],[80.0,118.87]]");
        assertThat(charts.at("/2/series/1/name").asText()).isEqualTo("SCSI+BBWC (published)");
        assertThat(charts.at("/2/series/1/points").toString())
                .isEqualTo("[[57.0,50.93],[80.0,59.29]]");
        // The repeats stand one after the other, with a gap between.
        assertThat(charts.at("/5/series/0/points").toString())
                .isEqualTo("[[1.0,8000.0],[2.0,8200.0],[2.0,null],[3.0,null],[3.0,null]]");
    }

    private static Repeat sampled(Repeat counted, List<Double> rates) throws IOException {
        Series samples = new Series(List.of("elapsed_s", "accepted_msgs_per_s"));
        for (int second = 1; second <= rates.size(); second++) {
            samples.sample(second, rates.get(second - 1));
        }
        return new Repeat(
                true,
                counted.names(),
                counted.counters(),
                counted.times(),
                counted.parts(),
                samples);
    }

    private JsonNode charts() throws IOException {
        Matcher data = Pattern.compile(
                        "<script type=\"application/json\" id=\"charts\">(.*?)</script>",
                        Pattern.DOTALL)
                .matcher(read("report.html"));
        assertThat(data.find()).isTrue();
        return new ObjectMapper().readTree(data.group(1));
    }

    private static List<String> cells(List<String> lines, String label) {
        String line =
                lines.stream().filter(one -> one.startsWith(label)).findFirst().orElseThrow();
        return List.of(line.substring(label.length()).strip().split(" {2,}", -1));
    }

    private String read(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    private String terminal() {
        return terminal(results);
    }

    private static String terminal(Results shown) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DocumentReport.printAll(
                shown.document(), new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
