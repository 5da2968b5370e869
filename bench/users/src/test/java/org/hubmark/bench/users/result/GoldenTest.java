package org.hubmark.bench.users.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.golden.GoldenFiles.requireSame;
import static org.junit.jupiter.api.Assertions.assertAll;

import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Proves that no figure, key or word of users, and of compare with two of its results, changes
 * unnoticed: made-up runs become JSON and reports, and come out as the golden files have it; recorded
 * ones are read, and each figure is computed again.
 */
class GoldenTest {
    @TempDir
    Path folder;

    @Test
    void figuresAreWrittenAsBefore() throws IOException {
        requireSame("made.json", DocumentFile.json(MadeResults.two()));
    }

    /** A run of two levels, two runs each; too short for percentiles. */
    @Test
    void recordedResultsAreReadAgain() throws IOException {
        Path recorded = GoldenFiles.FOLDER.resolve("recorded");
        Document read = DocumentFile.read(recorded, UsersResult.KIND);
        DocumentFile.Check check = DocumentFile.check(recorded, read);
        assertThat(check.mismatches()).isEmpty();
        assertThat(check.changed()).isEmpty();
        assertThat(check.figures()).isGreaterThan(1000);
    }

    @Test
    void resultsAreDrawnAsBefore() throws IOException {
        DocumentReport.write(MadeResults.two(), folder);
        requireSame("report.md", report());
    }

    @Test
    void resultsAreComparedAsBefore() throws IOException {
        Document a = MadeResults.two();
        Document b = MadeResults.later(MadeResults.of(
                Map.of(50, new long[] {100, 104, 102, 100, 106}, 300, new long[] {2000, 2100})));
        DocumentComparison comparison = DocumentComparison.of(a, b, Rule.USUAL);
        comparison.write("A", "B", null, folder);
        String json = Files.readString(folder.resolve("comparison.json"));
        assertAll(
                () -> requireSame("compare/comparison.json", json),
                () -> requireSame("compare/report.md", report()));
    }

    private String report() throws IOException {
        return Files.readString(folder.resolve("report.md"));
    }
}
