package org.hubmark.bench.users.report;

import static org.hubmark.golden.GoldenFiles.requireSame;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.users.compare.UsersComparison;
import org.hubmark.bench.users.result.MadeResults;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Proves that no figure, key or word of users, and of compare with two of its results, changes
 * unnoticed: made-up runs become JSON, recorded results are drawn and compared, and come out as the
 * golden files have it.
 */
class GoldenTest {
    @TempDir
    Path folder;

    @Test
    void runsAreWrittenAsBefore() throws IOException {
        ObjectNode made = (ObjectNode) MadeResults.write(folder);
        // Of the machine of the test.
        made.remove("environment");
        requireSame("made.json", JsonFile.text(made));
    }

    @Test
    void resultsAreDrawnAsBefore() throws IOException {
        Folders.copy(GoldenFiles.FOLDER.resolve("recorded"), folder);
        UsersReport.write(recorded("recorded"), folder);
        requireSame("recorded/report.md", report());
    }

    @Test
    void resultsAreComparedAsBefore() throws IOException {
        JsonNode a = recorded("recorded");
        JsonNode b = recorded("other");
        UsersComparison comparison = UsersComparison.of("A", a, "B", b, 0.05);
        UsersComparisonReport.write(comparison, a, b, folder);
        requireSame("compare/comparison.json", comparison.json());
        requireSame("compare/report.md", report());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        UsersComparisonText.print(comparison, new PrintStream(bytes, true, StandardCharsets.UTF_8));
        requireSame("compare/text.txt", bytes.toString(StandardCharsets.UTF_8));
    }

    private static JsonNode recorded(String name) throws IOException {
        return JsonFile.read(GoldenFiles.FOLDER.resolve(name).resolve("users.json"));
    }

    private String report() throws IOException {
        return Files.readString(folder.resolve("report.md"));
    }
}
