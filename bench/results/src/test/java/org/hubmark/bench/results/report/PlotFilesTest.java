package org.hubmark.bench.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

/**
 * Proves that every kind of plot becomes a file of its own that is well-formed SVG with its title,
 * and that what is unsafe says so there too. Draws a made-up matrix.
 */
class PlotFilesTest {
    @TempDir
    Path folder;

    @Test
    void everyPlotBecomesAFile() throws Exception {
        MadeRun.write(folder, List.of(4, 57, 200));
        List<Path> files =
                Report.plots(MadeRun.read(folder), folder, folder.resolve("plots/of/a/run"));
        assertThat(files)
                .extracting(file -> file.getFileName().toString())
                .contains(
                        "heat-throughput.svg",
                        "throughput.svg",
                        "latency.svg",
                        "ceilings.svg",
                        "fit-cpu-cost-mcycles-per-msg.svg",
                        "cost.svg",
                        "timeline-1.svg")
                .doesNotHaveDuplicates();
        for (Path file : files) {
            Document svg =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
            assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
            assertThat(svg.getElementsByTagName("path").getLength())
                    .as("%s", file)
                    .isGreaterThan(8);
            assertThat(texts(svg)).as("%s", file).isNotEmpty();
        }
        assertThat(Files.readString(files.getFirst()))
                .contains("Throughput (messages/s)")
                .contains(">unsafe<");
        assertThat(read(files, "latency.svg")).contains("uncorrected");
        assertThat(read(files, "throughput.svg")).contains("(published)").contains("(UNSAFE)");
    }

    private static List<String> texts(Document svg) {
        NodeList texts = svg.getElementsByTagName("text");
        return java.util.stream.IntStream.range(0, texts.getLength())
                .mapToObj(i -> texts.item(i).getTextContent())
                .toList();
    }

    private static String read(List<Path> files, String name) throws IOException {
        for (Path file : files) {
            if (file.endsWith(name)) {
                return Files.readString(file);
            }
        }
        throw new AssertionError("no " + name);
    }
}
