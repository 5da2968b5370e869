package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.scale.result.ScaleOut;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Proves what report and compare do with documents: recorded ones of each kind, and made ones. */
class CompareCommandTest {
    private static final String RUN = "../mail/src/test/resources/golden/sustained";

    @TempDir
    Path folder;

    /** Three runs with one host, in each of which some messages take long. */
    private String made(String name, int slowMillis, int connections) throws IOException {
        List<Repeat> runs = IntStream.rangeClosed(1, 3)
                .mapToObj(run -> {
                    Histogram nanos = new Histogram(3);
                    nanos.recordValueWithCount(1_000_000, 90);
                    nanos.recordValueWithCount((slowMillis * 100L + run) * 10_000, 10);
                    return Repeat.counted()
                            .name(ScaleOut.RUN, run)
                            .count(ScaleOut.MEASURED_NS, 1_000_000_000)
                            .count(ScaleOut.ACCEPTED, 1000 + run)
                            .times(ScaleOut.SEND, nanos)
                            .parts(
                                    ScaleOut.HOST_FIGURES,
                                    List.of(Repeat.counted()
                                            .name(ScaleOut.HOST, 1)
                                            .made()))
                            .made();
                })
                .toList();
        Path made = Files.createDirectory(folder.resolve(name));
        var unused = DocumentFile.write(
                new Document(
                        ScaleOut.KIND,
                        new Provenance(
                                new Tool("1.0", null),
                                "2026-11-20T10:00:00Z",
                                "2026-11-20T10:05:00Z",
                                "./hubmark scale-out",
                                Map.of("connections", connections),
                                Machine.inspect(List.of())),
                        true,
                        Map.of(ScaleOut.SCALING.key(), "weak"),
                        List.of(new Table(
                                ScaleOut.POINTS,
                                List.of(new Row(Map.of(ScaleOut.HOSTS.key(), 1), runs)))),
                        List.of()),
                made);
        return made.toString();
    }

    private static Ended run(int exitCode, String command, String... arguments) throws Exception {
        Ended ended = CommandInJvm.run(command, List.of(arguments));
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        return ended;
    }

    @Test
    void reportDrawsTheFolderAgain() throws Exception {
        String made = made("a", 20, 32);
        assertThat(run(0, "report", made).printed()).contains("Messages (1/s)");
        assertThat(Path.of(made, "report.md")).isNotEmptyFile();
        assertThat(run(0, "report", "--json", made + "/scale-out.json").printed())
                .startsWith("{")
                .contains("\"kind\" : \"scale-out\"");
        assertThat(run(0, "report", "--full", made).printed())
                .contains("Messages (1/s)", "This is not LoadGen's test");
    }

    /** Results of each kind, and a key whose first value is changed. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ../mail/src/test/resources/golden/sustained/results.json | throughput_msgs_per_s
            ../qualify/src/test/resources/golden/complete/qualification.json | db_reads_per_s
            ../plan/src/test/resources/golden/own/plan.json          | result
            """)
    void aFigureThatDoesNotFollowFromItsCountersIsNamed(Path recorded, String key)
            throws Exception {
        try (Stream<Path> files = Files.list(recorded.resolveSibling(""))) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
        }
        Path file = folder.resolve(recorded.getFileName());
        run(0, "report", folder.toString());
        Files.writeString(
                file, Files.readString(file).replaceFirst("(\"" + key + "\" : )[0-9.]+", "$17"));
        assertThat(run(3, "report", folder.toString()).errors())
                .anyMatch(line -> line.matches("hubmark: self-check: .*" + key + ".*: 7.*"));
    }

    @Test
    void aWorseTailFailsAComparison() throws Exception {
        String a = made("a", 20, 32);
        String b = made("b", 40, 32);
        Path junit = folder.resolve("verdicts.xml");
        assertThat(run(0, "compare", a, b + "/scale-out.json").printed())
                .contains("B: " + b + "/scale-out.json\n")
                .contains("Send p99 (ms)")
                .contains("slower")
                .contains("equivalent");
        assertThat(run(1, "compare", "--fail-if-slower=5%", "--junit=" + junit, a, b)
                        .complaint())
                .contains("Send p99 (ms): worse")
                .doesNotContain("Messages (1/s): worse");
        assertThat(junit).content().contains("<testsuite name=\"hubmark compare\" tests=\"");
        run(0, "compare", "--fail-if-slower=5%", b, a);
    }

    @Test
    void anotherConditionIsNamedAndBlocks() throws Exception {
        String a = made("a", 20, 32);
        String b = made("b", 20, 16);
        assertThat(run(1, "compare", a, b).complaint())
                .contains("connections differs: 32 and 16")
                .contains("--across names what may differ");
        run(0, "compare", "--across=connections", a, b);
    }

    @Test
    void jsonIsAloneOnStandardOutput() throws Exception {
        Path out = folder.resolve("out");
        Ended ended = CommandInJvm.run(
                "compare", RUN, RUN, "--json", "--fail-if-slower=5%", "--output=" + out);
        JsonNode tree = new ObjectMapper().readTree(ended.printed());
        assertThat(tree.path("a").asText()).isEqualTo(RUN);
        assertThat(tree.path("fail_if_slower").asDouble()).isEqualTo(0.05);
        assertThat(tree.path("figures").findParents("decides")).anySatisfy(rate -> {
            assertThat(rate.path("decides").asBoolean()).isTrue();
            assertThat(rate.path("row").asText()).isEqualTo("4kb");
            assertThat(rate.path("figure").asText()).isEqualTo("throughput_msgs_per_s");
            assertThat(rate.path("ratio").asDouble()).isEqualTo(1);
            assertThat(rate.path("regression").asText()).isNotEmpty();
        });
        // The page of a comparison has all figures, those too that are not judged.
        assertThat(out.resolve("report.md"))
                .content()
                .contains("Throughput (msg/s)", "CPU of the whole machine");
        assertThat(out.resolve("report.html")).isRegularFile();
        assertThat(out.resolve("comparison.json")).hasContent(ended.printed() + "\n");
    }
}
