package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Proves how two scenarios are named that are not called alike, on a matrix of an earlier version. */
class CompareCommandTest {
    private static final String RECORDED =
            "../results/src/test/resources/org/hubmark/bench/results/schema-1/";
    private static final String MATRIX = RECORDED + "matrix";
    private static final String RUN = RECORDED + "run";
    private static final String OFF = "4kb_sata-7200_one_synced_cache-off_depth-16mb_4c_at-50";
    private static final String ON = OFF.replace("cache-off", "cache-on");

    @TempDir
    Path folder;

    private record Ended(int code, String out, String err) {}

    @Test
    void twoCellsOfAMatrix() {
        Ended ended = compare(MATRIX + "#" + OFF, MATRIX + "#" + ON);
        assertThat(ended.code).isEqualTo(1);
        assertThat(ended.err)
                .contains("flush differs: sent and suppressed")
                .contains("device-profile differs: sata-7200 and sata-7200-cache")
                .contains("--across names what may differ");
        Ended across = compare(
                MATRIX + "#" + OFF, MATRIX + "#" + ON, "--across=flush,device-profile,settings");
        // What was recorded there is not valid, but it is compared.
        assertThat(across.code).isEqualTo(3);
        assertThat(across.out)
                .contains(OFF + " / " + ON + ": ")
                .contains("  flush differs: sent and suppressed");
    }

    /** A run of one scenario needs no mark. */
    @Test
    void aRunWithACell() {
        Ended ended = compare(
                RUN,
                MATRIX + "#" + OFF,
                "--across=device-profile,flush,layout,asked-rate,checkpoint-depth-mb,settings");
        assertThat(ended.err).isEmpty();
        assertThat(ended.out).contains("4kb / " + OFF + ": ");
    }

    @Test
    void whatIsNotThereIsSaid() {
        assertThat(compare(MATRIX + "#57kb", MATRIX + "#" + OFF).err)
                .contains("matrix has no 57kb; name one of ")
                .contains("matrix#" + OFF);
        assertThat(compare(MATRIX, RUN + "#4kb").err)
                .contains("matrix has several scenarios; name one of ");
        Ended ended = compare(MATRIX, MATRIX, "--across=colour");
        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err).contains("--across 'colour' is no condition (size, settings, ");
    }

    @Test
    void jsonIsAloneOnStandardOutput() throws IOException {
        Ended ended = compare(RUN, RUN, "--json", "--fail-if-slower=5%");
        JsonNode tree = new ObjectMapper().readTree(ended.out);
        assertThat(tree.path("a").asText()).isEqualTo(RUN);
        assertThat(tree.path("fail_if_slower").asDouble()).isEqualTo(0.05);
        JsonNode scenario = tree.path("scenarios").path(0);
        assertThat(scenario.path("id").asText()).isEqualTo("4kb");
        assertThat(scenario.path("effects").path(0).path("quantity").asText()).isEqualTo("rate");
        assertThat(scenario.path("effects").path(0).path("ratio").asDouble()).isEqualTo(1);
        assertThat(scenario.path("regression").asText()).isNotEmpty();
        assertThat(new ObjectMapper()
                        .readTree(compare(RUN, RUN, "--json").out)
                        .path("scenarios")
                        .path(0)
                        .path("regression")
                        .isNull())
                .isTrue();
    }

    @Test
    void writesVerdictsForABuildServer() throws IOException {
        Path file = folder.resolve("verdicts.xml");
        compare(RUN, RUN, "--junit=" + file);
        assertThat(file).content().contains("<testsuite name=\"hubmark compare\" tests=\"1\"");
        Ended ended = compare(RUN, RUN, "--junit=" + folder.resolve("none/verdicts.xml"));
        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err).contains("none/verdicts.xml: its folder is not there");
    }

    private static Ended compare(String... arguments) {
        String[] command = new String[arguments.length + 1];
        command[0] = "compare";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
        try {
            int code = Main.execute(command);
            return new Ended(
                    code,
                    printed.toString(StandardCharsets.UTF_8),
                    complained.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
