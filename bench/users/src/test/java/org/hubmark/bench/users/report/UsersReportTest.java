package org.hubmark.bench.users.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.users.result.MadeResults;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Proves that the report says what users.json holds, and copes with what is not known. */
class UsersReportTest {
    @TempDir
    Path folder;

    private JsonNode results;

    @BeforeEach
    void make() throws IOException {
        results = MadeResults.write(folder);
    }

    private String markdown() throws IOException {
        UsersReport.write(results, folder);
        return Files.readString(folder.resolve("report.md"));
    }

    @Test
    void saysTheAnswerAndTheLevels() throws IOException {
        assertThat(markdown())
                .startsWith("# Users held, medium profile: 50\n")
                .contains("holds 50 users of the profile medium")
                .contains("100 users: score 11")
                .contains("none of them different")
                .contains("## 50 users: passes")
                .contains("## 100 users: does not pass")
                .contains("| READ | 0.55 | 20 | 20 | 0 | 0 | 5 |")
                .contains("| Missing | 0 |")
                .contains("it keeps all mail in memory")
                .contains("no MOVE: a message is copied")
                .contains("| reading, existing_msgs_per_day | 15 | Table 1 |")
                .contains("| messages, ups1K.msg | body_kb 1 | Table 1 |")
                .contains("| 4 | no | yes |");
    }

    @Test
    void saysThatTheLevelsWereSearchedAndWhatMakesThemSayLess() throws IOException {
        assertThat(markdown()).doesNotContain("The levels were searched");
        ((ObjectNode) results.path("settings")).put("users", "search:50");
        ((ObjectNode) results).putArray("warnings").add("50 users: the driver took 72 %");
        assertThat(markdown())
                .contains("The levels were searched")
                .contains("100 did not pass.")
                .contains("\n50 users: the driver took 72 %\n");
        ((ArrayNode) results.path("levels")).remove(1);
        assertThat(markdown()).contains("More were not to be tried (--users-max).");
    }

    @Test
    void hasThePublishedFiguresBeside() throws IOException {
        assertThat(markdown())
                .contains("| Sent | 14.20 | 0.53 | 14.19 | 0.0 | 14.18 | 0.0 |")
                .contains("configuration A, 1 CPU, 128 MB | 2,000 | - | - | yes |")
                .contains("configuration B, 2 CPU, 256 MB | 3,200 | 1,075.0 | - | no |")
                .contains("20,000 | - | 184.0 | yes |")
                .contains("16,000 | - | - | - |");
    }

    @Test
    void drawsThePlotsOfTheSourceOnThePage() throws IOException {
        markdown();
        String page = Files.readString(folder.resolve("report.html"));
        for (String plot : new String[] {
            "score",
            "sending",
            "tasks",
            "cpu",
            "queue",
            "io",
            "memory",
            "paging",
            "percentiles-50",
            "percentiles-100"
        }) {
            assertThat(page).contains("id=\"plot-" + plot + "\"");
        }
        assertThat(page)
                .contains("220 &lt;hub&gt; ready")
                .contains("BY_USERS")
                .contains("\"log (vda) reads\"")
                .contains("\"configuration B, 1997 (published)\"")
                .contains("[[3200.0,1075.0]]")
                .contains("[[20000.0,184.0]]");
    }

    /** What the source shows has a plot, or a line that says why not; what is lost there is not made up. */
    @Test
    void saysWhichFigureOfTheSourceIsWhere() throws IOException {
        assertThat(markdown())
                .contains("| 1 | test lab topology | none: a drawing | - |")
                .contains("| 2 | response time | plot Response time | configuration B, 3,200 users:"
                        + " 1075 ms; no other |")
                .contains("| 5 | disk queue length B | plot Disk queue length | none |")
                .contains("| 9 | paging | plot Paging | none |")
                .contains("15 % of 10 Mbit/s and 2 % of 100 Mbit/s with 3,000 users");
        results.path("levels").forEach(level -> ((ObjectNode) level).putNull("resources"));
        assertThat(markdown())
                .contains("| 3 | total CPU | none: not known of the server's machine | none |")
                .contains("| 2 | response time | plot Response time |");
    }

    /** Of a server elsewhere nothing is known, and a run may have been interrupted at once. */
    @Test
    void whatIsNotKnownIsADash() throws IOException {
        ObjectNode level = (ObjectNode) results.path("levels").get(0);
        level.putNull("resources").putNull("score_ms").putNull("passes");
        ((ObjectNode) results).putNull("published_per_user_day").put("complete", false);
        assertThat(markdown())
                .contains("interrupted: this is what was measured until then")
                .contains("Nothing is known of the server's machine.")
                .contains("## 50 users: not judged")
                .contains("| Sent | 14.20 | 0.53 | 14.19 | 0.0 | - | - |");
        ((ArrayNode) results.path("levels")).removeAll();
        ((ObjectNode) results).putNull("users_passed");
        assertThat(markdown()).startsWith("# Users held, medium profile: none\n");
    }
}
