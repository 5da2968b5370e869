package org.hubmark.bench.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.golden.GoldenFiles.requireSame;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.results.compare.Comparison;
import org.hubmark.bench.results.compare.ComparisonJson;
import org.hubmark.bench.results.compare.ComparisonText;
import org.hubmark.bench.results.compare.Rule;
import org.hubmark.bench.results.report.Answer;
import org.hubmark.bench.results.report.Report;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Proves that no figure, key or word of run, load, matrix and compare changes unnoticed: recorded
 * results are read, written, drawn and compared, and come out as the golden files have it.
 */
class GoldenTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"run", "sustained", "load", "matrix"})
    void areWrittenAndDrawnAsBefore(String name) throws IOException {
        Folders.copy(GoldenFiles.FOLDER.resolve(name), folder);
        Results results = Results.read(folder.resolve("results.json"));
        assertThat(Report.write(results, folder).mismatches()).isEmpty();
        requireSame(name + "/results.json", results.json());
        requireSame(name + "/report.md", Files.readString(folder.resolve("report.md")));
        requireSame(name + "/page.txt", words(Files.readString(folder.resolve("report.html"))));
        requireSame(name + "/answer.txt", printed(out -> Answer.print(results, out)));
    }

    @Test
    void areComparedAsBefore() throws IOException {
        Results run = Results.read(GoldenFiles.FOLDER.resolve("run/results.json"));
        Results sustained = Results.read(GoldenFiles.FOLDER.resolve("sustained/results.json"));
        Results matrix = Results.read(GoldenFiles.FOLDER.resolve("matrix/results.json"));
        Rule rule = new Rule(0.02, null, 0.05, Set.of("asked-rate", "settings"));
        requireSame("compare/runs.json", json(Comparison.of(run, sustained, rule), rule));
        requireSame("compare/runs.txt", text(Comparison.of(run, sustained, rule), rule));
        requireSame("compare/cells.json", json(Comparison.of(matrix, matrix, rule), rule));
        requireSame("compare/cells.txt", text(Comparison.of(matrix, matrix, rule), rule));
    }

    private static String json(Comparison comparison, Rule rule) {
        return ComparisonJson.of("A", "B", comparison, rule, 0.05).json();
    }

    private static String text(Comparison comparison, Rule rule) {
        return printed(out -> ComparisonText.print(comparison, rule, out));
    }

    private static String printed(Consumer<PrintStream> what) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        what.accept(out);
        out.flush();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** {@return what a page says, a line for each piece; neither its style nor its plots} */
    private static String words(String page) {
        return page.replaceAll("(?s)<(style|script).*?</\\1>", "")
                .replaceAll("<[^>]*>", "\n")
                .replaceAll("\\s*\n\\s*", "\n");
    }
}
