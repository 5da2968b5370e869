package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Proves how two results are compared from the command line, on results that were recorded. */
class CompareCommandTest {
    private static final String RECORDED = "../mail/src/test/resources/golden/";
    private static final String MATRIX = RECORDED + "matrix";
    private static final String RUN = RECORDED + "sustained";

    @TempDir
    Path folder;

    @Test
    void whatIsNoConditionIsSaid() throws Exception {
        Ended ended = compare(MATRIX, MATRIX, "--across=colour");
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.complaint())
                .contains("--across 'colour' is not a condition (size, settings, ");
    }

    @Test
    void jsonIsAloneOnStandardOutput() throws Exception {
        Ended ended = compare(RUN, RUN, "--json", "--fail-if-slower=5%");
        JsonNode tree = new ObjectMapper().readTree(ended.printed());
        assertThat(tree.path("a").asText()).isEqualTo(RUN);
        assertThat(tree.path("fail_if_slower").asDouble()).isEqualTo(0.05);
        // Each repeat searched its rate anew.
        JsonNode rate = tree.path("figures").findParents("decides").stream()
                .filter(figure -> figure.path("decides").asBoolean())
                .findFirst()
                .orElseThrow();
        assertThat(rate.path("row").asText()).isEqualTo("4kb");
        assertThat(rate.path("figure").asText()).isEqualTo("throughput_msgs_per_s");
        assertThat(rate.path("ratio").asDouble()).isEqualTo(1);
        assertThat(rate.path("regression").asText()).isNotEmpty();
        assertThat(new ObjectMapper()
                        .readTree(compare(RUN, RUN, "--json").printed())
                        .path("figures")
                        .path(0)
                        .path("regression")
                        .isNull())
                .isTrue();
    }

    /** The page of a comparison has all figures, those too that are not judged. */
    @Test
    void writesAReport() throws Exception {
        Path out = folder.resolve("out");
        assertThat(compare(RUN, RUN, "--output=" + out).errors()).isEmpty();
        assertThat(out.resolve("report.md"))
                .content()
                .contains("Throughput (msg/s)", "CPU of the whole machine");
        assertThat(out.resolve("report.html")).isRegularFile();
        assertThat(out.resolve("comparison.json")).isRegularFile();
    }

    @Test
    void writesVerdictsForABuildServer() throws Exception {
        Path file = folder.resolve("verdicts.xml");
        compare(RUN, RUN, "--fail-if-slower=5%", "--junit=" + file);
        assertThat(file).content().contains("<testsuite name=\"hubmark compare\" tests=\"1\"");
        Ended ended = compare(RUN, RUN, "--junit=" + folder.resolve("none/verdicts.xml"));
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.errors())
                .singleElement(STRING)
                .contains("none/verdicts.xml can't be written");
    }

    private static Ended compare(String... arguments) throws Exception {
        return CommandInJvm.run("compare", List.of(arguments));
    }
}
