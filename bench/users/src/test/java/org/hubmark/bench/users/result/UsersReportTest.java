package org.hubmark.bench.users.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Repeat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Proves that the report says what users.json holds, and copes with what is not known. */
class UsersReportTest {
    @TempDir
    Path folder;

    private String markdown(Document document) throws IOException {
        DocumentReport.write(document, folder);
        return Files.readString(folder.resolve("report.md"));
    }

    private static Repeat withoutMachine() {
        Repeat whole = MadeResults.run(1, 50);
        Repeat.Builder counted = Repeat.counted().complete(false).name(LevelForm.RUN, 1);
        counted.times(LevelForm.SEND_NS, whole.times(LevelForm.SEND_NS))
                .times(LevelForm.ARRIVAL_NS, whole.times(LevelForm.ARRIVAL_NS));
        return counted.made();
    }

    @Test
    void saysTheAnswerAndTheLevels() throws IOException {
        assertThat(markdown(MadeResults.two()))
                .startsWith("# Users held, medium profile: 50 sessions, the load of 3,000 users\n")
                .contains("holds 50 sessions, the load of 3,000 users of the profile medium")
                .contains("100 users: score 11")
                .contains("| Passes | yes | no |")
                .contains("| 50 | READ | 0.550 | 60 (35 to 103) |")
                .contains("| 50 | READ | 100 | 100 | 0 | 0 |")
                .contains("| Users of the day | 3000 | 6000 |")
                .contains("| Limiting resource | load | - |")
                .contains("| Reads for each write | 0.05 | 0.05 |")
                .contains("| Missing | 0 | 0 |")
                .contains("told by IDLE")
                .contains("| reading, existing_msgs_per_day | 15 | Table 1 |")
                .contains("| messages, ups1K.msg | body_kb 1 | Table 1 |");
    }

    @Test
    void everyFigureHasItsFormula() throws IOException {
        assertThat(markdown(MadeResults.two()))
                .contains("mean of 95th of tasks, weighted by Weight")
                .contains("measured processes ns x 100 / (machine total ticks x 10000000)");
    }

    @Test
    void hasThePublishedFiguresBeside() throws IOException {
        assertThat(markdown(MadeResults.of(Map.of(50, new long[] {50}))))
                .contains("| Sent | 14.20 | 14.19 | 14.18 |")
                .contains("configuration A, 1 CPU, 128 MB | 2,000 | - | - | yes |")
                .contains("configuration B, 2 CPU, 256 MB | 3,200 | 1,075.0 | - | no |")
                .contains("20,000 | - | 184.0 | yes |")
                .contains("16,000 | - | - | - |");
    }

    @Test
    void drawsThePlotsOfTheSourceOnThePage() throws IOException {
        DocumentReport.write(MadeResults.two(), folder);
        String page = Files.readString(folder.resolve("report.html"));
        for (String plot :
                new String[] {"score", "sending", "cpu", "queue", "io", "memory", "paging"}) {
            assertThat(page).contains("id=\"plot-" + plot + "\"");
        }
        assertThat(page)
                .contains("220 &lt;hub&gt; ready")
                .contains("BY_USERS")
                .contains("\"log (vda) reads\"")
                .contains("\"configuration B, 1997 (published)\"")
                .contains("[[3200.0,1075.0]]")
                .contains(
                        "{\"name\":\"limit\",\"style\":\"PUBLISHED\",\"panel\":0,\"points\":[[3000.0,1000.0],[6000.0,1000.0]]")
                .contains("[[20000.0,184.0]]");
    }

    /** Of a server elsewhere nothing is known, and a run may have been interrupted at once. */
    @Test
    void whatIsNotKnownIsADash() throws IOException {
        Document left = MadeResults.with(
                MadeResults.of(MadeResults.level(50, withoutMachine())), Map.of(), false);
        assertThat(markdown(MadeResults.with(left, UsersResult.PUBLISHED, null)))
                .contains("repeats are missing.")
                .contains("| Passes | - |")
                .contains("| CPU of the machine, less the driver's (%) | - |")
                .contains("| Sent | - | 14.19 | - |");
        assertThat(markdown(MadeResults.with(left, UsersResult.TARGET, null)))
                .contains("It was not reached.");
    }
}
