package org.hubmark.bench.users.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.users.compare.UsersComparison;
import org.hubmark.bench.users.result.MadeResults;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Proves that two results stand side by side on a terminal, in the report and in its plots. */
class UsersComparisonReportTest {
    @TempDir
    Path folder;

    private JsonNode a;
    private JsonNode b;
    private UsersComparison comparison;

    @BeforeEach
    void compare() throws IOException {
        a = MadeResults.write(
                folder, Map.of(50, new long[] {50, 50}, 100, new long[] {2000, 2000}));
        b = MadeResults.write(
                folder, Map.of(50, new long[] {100, 100}, 150, new long[] {2000, 2000}));
        comparison = UsersComparison.of("one", a, "two", b, null);
    }

    @Test
    void printsTheVerdictThenTheLevels() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        UsersComparisonText.print(comparison, new PrintStream(bytes, true, StandardCharsets.UTF_8));
        String text = bytes.toString(StandardCharsets.UTF_8).replaceAll(" +", " ");
        assertThat(text)
                .startsWith("A: one\nB: two\n\nnot told apart: A holds 50 users (100 did not pass)")
                .contains("\n users figure A B B / A 95 % interval\n")
                .contains("\n 50 Passes yes yes - -\n")
                .contains("\n READ, 95th percentile (ms) 50.0 100.0 2.00 2.00 to 2.00\n")
                .contains("\n log (vda), writes (1/s) 20.0 20.0 1.00 1.00 to 1.00\n")
                .contains("\n 100 Passes no - - -\n")
                .contains("\nB, 150 users: score 1105.7 ms, not below 1000\n");
    }

    @Test
    void writesTheReport() throws IOException {
        UsersComparisonReport.write(comparison, a, b, folder);
        assertThat(folder.resolve("comparison.json")).content().contains("\"users_passed\" : 50");
        assertThat(folder.resolve("report.md"))
                .content()
                .startsWith("# Two mail systems side by side, medium profile\n")
                .contains("Not told apart: A holds 50 users")
                .contains("| 150 | - | no | - |")
                .contains("| READ, mean (ms) | 50.0 | 100.0 | 2.00 | 2.00 to 2.00 |")
                .contains("| 2 | response time | plot Response time |");
    }

    @Test
    void drawsBothInEachPlot() throws IOException {
        UsersComparisonReport.write(comparison, a, b, folder);
        String page = Files.readString(folder.resolve("report.html"));
        for (String plot :
                new String[] {"score", "cpu", "queue", "io", "memory", "paging", "sending"}) {
            assertThat(page).contains("id=\"plot-" + plot + "\"");
        }
        assertThat(page)
                .contains("\"name\":\"A\"")
                .contains("\"name\":\"B\"")
                .contains("\"name\":\"A: log (vda) reads\"")
                .contains("\"name\":\"B: log (vda)\"")
                .contains("[[3200.0,1075.0]]");
    }
}
