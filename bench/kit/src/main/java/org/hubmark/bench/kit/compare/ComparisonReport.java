package org.hubmark.bench.kit.compare;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes a comparison of two documents: comparison.json, report.html and report.md. */
public final class ComparisonReport {
    private ComparisonReport() {}

    /**
     * Writes all three.
     *
     * @param a name of the first
     * @param b name of the second
     * @param failFrom the slowdown, as a share, that was asked for; null for none
     */
    public static void write(
            DocumentComparison comparison,
            String a,
            String b,
            @Nullable Double failFrom,
            Path folder)
            throws IOException {
        String title = "Two results side by side";
        List<Block> answer = new ArrayList<>();
        answer.add(new Block.Facts(List.of(new Block.Fact("A", a), new Block.Fact("B", b))));
        List<String> lines = new ArrayList<>(comparison.decisions());
        comparison.unmatched().forEach(line -> lines.add("not compared: " + line));
        lines.addAll(comparison.remarks());
        if (!lines.isEmpty()) {
            answer.add(new Block.Lines(lines));
        }
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, "Answer", answer));
        sections.add(new Section(2, "Figures that are judged", List.of(comparison.judged())));
        sections.add(new Section(2, "All figures", List.of(comparison.all())));
        OutputFile.write(folder.resolve("comparison.json"), comparison.json(a, b, failFrom) + "\n");
        OutputFile.write(folder.resolve("report.md"), Markdown.of(title, "", sections));
        OutputFile.write(folder.resolve("report.html"), Html.of(title, "", sections));
    }
}
