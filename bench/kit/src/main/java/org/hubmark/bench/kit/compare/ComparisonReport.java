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
import java.util.Locale;

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
        OwnComparison own = comparison.own();
        String title = own == null ? "Two results side by side" : own.title();
        List<Block> answer = new ArrayList<>();
        if (own != null) {
            answer.add(new Block.Text(sentence(own.answer())));
        }
        answer.add(new Block.Facts(List.of(new Block.Fact("A", a), new Block.Fact("B", b))));
        List<String> lines = new ArrayList<>(comparison.decisions());
        comparison.unmatched().forEach(line -> lines.add("not compared: " + line));
        lines.addAll(comparison.remarks());
        if (!lines.isEmpty()) {
            answer.add(new Block.Lines(lines));
        }
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, "Answer", answer));
        if (own != null) {
            sections.addAll(own.sections());
        }
        sections.add(new Section(2, "Figures that are judged", List.of(comparison.judged())));
        sections.add(new Section(2, "All figures", List.of(comparison.all())));
        if (own != null && !own.charts().all().isEmpty()) {
            sections.add(
                    new Section(2, "Plots", List.of(new Block.Plots(own.charts().all()))));
        }
        OutputFile.write(folder.resolve("comparison.json"), comparison.json(a, b, failFrom) + "\n");
        OutputFile.write(folder.resolve("report.md"), Markdown.of(title, "", sections));
        OutputFile.write(folder.resolve("report.html"), Html.of(title, "", sections));
    }

    private static String sentence(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + ".";
    }
}
