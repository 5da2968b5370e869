package org.hubmark.bench.scale.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The report says what was found, and a dash for what is not known. */
class ScaleReportTest {
    @TempDir
    Path folder;

    @Test
    void saysWhatWasFound() throws IOException {
        DocumentReport.write(MadeScale.results(), folder);
        String text = Files.readString(folder.resolve("report.md"));
        assertThat(text)
                .startsWith("# Scale-out, weak: 1 to 3 hosts\n")
                .contains("210 messages a second with 3 hosts, 2.10 times what one took: 70 % of"
                        + " linear.")
                .contains("| 4 | 16000 | 32 | 144 | 83.3 | - | - |")
                .doesNotContain("NaN")
                .doesNotContain("null");
        String page = Files.readString(folder.resolve("report.html"));
        assertThat(page).contains("scale-out &lt;b&gt;").doesNotContain("scale-out <b>");
        for (String plot : List.of("throughput", "efficiency", "latency")) {
            assertThat(page).contains("id=\"plot-" + plot + "\"");
        }
        assertThat(page)
                .contains("\"BY_HOSTS\"")
                .contains("\"limit of send p95 (published)\"")
                .contains("[[1.0,500.0],[5.0,500.0]]");
    }

    /** A single run may be a fast or a slow one. */
    @Test
    void oneRunDoesNotSayHowItScales() throws IOException {
        Document results =
                MadeScale.results(MadeScale.point(1, 62.5, 62), MadeScale.point(3, 187.5, 180));
        DocumentReport.write(results, folder);
        assertThat(results.findings().answer())
                .isEqualTo("180 messages a second with 3 hosts, 62.0 with one; how it scales takes"
                        + " several runs of each (--runs)");
        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("| Users | 12000 | 36000 |")
                .contains("| Cores | 0.300 | 0.900 |")
                .contains("| Memory (GB) | - | - |")
                .contains("| 3 | 12000 | 24 | 108 | 62.5 | 57.0 | 104 |")
                .contains("This is not LoadGen's test")
                .doesNotContain("Arrival");
    }
}
