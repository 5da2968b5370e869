package org.hubmark.bench.scale.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.scale.result.MadeScale;
import org.hubmark.bench.scale.result.ScaleResults;
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
        ScaleReport.write(MadeScale.results(), folder);
        String text = Files.readString(folder.resolve("report.md"));
        assertThat(text)
                .startsWith("# Scale-out, weak: 1 to 3 hosts\n")
                .contains("210 messages a second with 3 hosts, 2.10 times what one took: 70 % of"
                        + " linear.")
                .contains("| 2 | 2 (2) | ")
                .contains("| 0.80 (")
                .contains("| 4 | 16000 | 83.3 | - | - |")
                .contains("A model, not a measurement")
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
        ScaleResults results = MadeScale.results(
                List.of(MadeScale.point(2, null, new double[] {100}, new double[] {})));
        ScaleReport.write(results, folder);
        assertThat(ScaleReport.sentence(results)).isEqualTo("100 messages a second with 2 hosts");
        assertThat(Files.readString(folder.resolve("report.md")))
                .startsWith("# Scale-out, weak: 2 hosts\n")
                .contains("| 2 | 2 (2) | 100 | - | 10.0 | 18.0 | yes | 12.0 | 20.0 |")
                .contains("None is fitted")
                .doesNotContain("NaN");
    }
}
