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

/**
 * Proves that no figure, key or word of users, and of compare with two of its results, changes
 * unnoticed: results of made-up runs and of recorded ones are read, computed again, reported and compared as
 * before.
 */
class GoldenTest {
    @TempDir
    Path folder;

    private static Document read(String name) throws IOException {
        return DocumentFile.read(GoldenFiles.FOLDER.resolve(name), UsersResult.KIND);
    }

    /** The first is a run of two levels, two runs each; too short for percentiles. */
    @Test
    void figuresAreComputedAsBefore() throws IOException {
        for (String name : new String[] {"recorded", "made"}) {
            DocumentFile.Check check =
                    DocumentFile.check(GoldenFiles.FOLDER.resolve(name), read(name));
            assertThat(check.mismatches()).isEmpty();
            assertThat(check.isClean()).isTrue();
            assertThat(check.figures()).isGreaterThan(1000);
        }
        // A key that is gone is no figure that differs.
        requireSame("made/users.json", DocumentFile.json(read("made")));
    }

    @Test
    void aChangedFigureIsFound() throws IOException {
        String json = Files.readString(GoldenFiles.FOLDER.resolve("made/users.json"));
        Files.writeString(
                folder.resolve("users.json"),
                json.replace("\"users_passed\" : 50", "\"users_passed\" : 100")
                        .replaceFirst("\"p95_ms\" : [0-9.]+", "\"p95_ms\" : 1.0"));
        assertThat(DocumentFile.check(folder, read("made")).mismatches())
                .hasSize(2)
                .anyMatch(line -> line.contains("tasks 1, p95_ms: 1.0"))
                .anyMatch(line -> line.contains("users_passed: 100, computed again 50"));
    }

    @Test
    void resultsAreDrawnAsBefore() throws IOException {
        DocumentReport.write(read("made"), folder);
        requireSame("report.md", report());
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("score sending cpu queue io memory paging"
                        .replaceAll("(\\w+)", "id=\"plot-$1\"")
                        .split(" ", -1))
                .contains("220 &lt;hub&gt; ready")
                .contains("BY_USERS")
                .contains("\"log (vda) reads\"")
                .contains("\"configuration B, 1997 (published)\"")
                .contains("[[3200.0,1075.0]]")
                .contains("{\"name\":\"limit\",\"style\":\"PUBLISHED\",\"panel\":0,"
                        + "\"points\":[[3000.0,1000.0],[6000.0,1000.0]]")
                .contains("[[20000.0,184.0]]");
    }

    @Test
    void resultsAreComparedAsBefore() throws IOException {
        DocumentComparison comparison =
                DocumentComparison.of(read("made"), read("later"), Rule.USUAL);
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
