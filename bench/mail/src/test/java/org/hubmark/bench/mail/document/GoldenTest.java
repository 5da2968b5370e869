package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.golden.GoldenFiles.requireSame;
import static org.junit.jupiter.api.Assertions.assertAll;

import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.mail.compare.MailComparison;
import org.hubmark.bench.mail.report.MailReport;
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
        Document document = DocumentFile.read(folder, MailReport.KIND);
        DocumentFile.Check check = DocumentFile.check(folder, document);
        DocumentReport.write(document, check, folder);
        assertAll(
                () -> assertThat(check.mismatches()).isEmpty(),
                () -> requireSame(name + "/results.json", DocumentFile.json(document)),
                () -> requireSame(
                        name + "/report.md", Files.readString(folder.resolve("report.md"))),
                () -> requireSame(
                        name + "/page.txt", words(Files.readString(folder.resolve("report.html")))),
                () -> requireSame(name + "/charts.txt", charts(document)),
                () -> requireSame(
                        name + "/answer.txt", printed(out -> DocumentReport.print(document, out))));
    }

    @Test
    void areComparedAsBefore() throws IOException {
        Results run = MailReport.read(GoldenFiles.FOLDER.resolve("run/results.json"));
        Results sustained = MailReport.read(GoldenFiles.FOLDER.resolve("sustained/results.json"));
        Results matrix = MailReport.read(GoldenFiles.FOLDER.resolve("matrix/results.json"));
        Rule rule = new Rule(Set.of("asked-rate", "settings", "device", "filesystem"), 0.02);
        DocumentComparison runs = MailComparison.of(run, sustained, rule, null);
        DocumentComparison cells = MailComparison.of(matrix, matrix, rule, null);
        assertAll(
                () -> requireSame("compare/runs.json", runs.json("A", "B", 0.05)),
                () -> requireSame("compare/runs.txt", printed(runs::print)),
                () -> requireSame("compare/cells.json", cells.json("A", "B", 0.05)),
                () -> requireSame("compare/cells.txt", printed(cells::print)));
    }

    private static String printed(Consumer<PrintStream> what) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        what.accept(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** {@return the data of the plots, a line for each} */
    private static String charts(Document document) {
        return document.kind().charts().apply(document).json().replace("},{", "},\n{");
    }

    /** {@return what a page says, a line for each piece; neither its style nor its plots} */
    private static String words(String page) {
        return page.replaceAll("(?s)<(style|script).*?</\\1>", "")
                .replaceAll("<[^>]*>", "\n")
                .replaceAll("\\s*\n\\s*", "\n");
    }
}
