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
                .contains("| Hosts | 1 | 2 | 3 |")
                .contains("| Synced copies | 1 | 2 | 2 |")
                .contains("| 0.80 (")
                .contains("| 4 | 16000 | 83.3 | - | - |")
                .contains("points differ in their copies")
                .doesNotContain("NaN")
                .doesNotContain("null");
        String page = Files.readString(folder.resolve("report.html"));
        assertThat(page).contains("scale-out &lt;b&gt;").doesNotContain("scale-out <b>");
        for (String plot : List.of("throughput", "efficiency", "latency", "cpu")) {
            assertThat(page).contains("id=\"plot-" + plot + "\"");
        }
        assertThat(page).contains("\"BY_HOSTS\"");
    }

    @Test
    void aSinglePointIsAReportToo() throws IOException {
        Document results = MadeScale.results(MadeScale.point(2, null, 100));
        DocumentReport.write(results, folder);
        assertThat(results.findings().answer()).isEqualTo("100 messages a second with 2 hosts");
        assertThat(Files.readString(folder.resolve("report.md")))
                .startsWith("# Scale-out, weak: 2 hosts\n")
                .contains("| Hosts | 2 |")
                .contains("| Messages (1/s) | 100 |")
                .contains("| Efficiency | - |")
                .contains("| Send mean (ms) | 10.0 |")
                .contains("| Send p95 within 500 ms | yes |")
                .doesNotContain("NaN");
    }
}
