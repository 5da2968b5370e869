package org.hubmark.bench.qualify.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.golden.GoldenFiles.requireSame;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.qualify.result.Qualification;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Proves that no figure, key or word of qualify changes unnoticed: recorded results, of all phases and
 * of two cache modes, are computed again, written and drawn, and come out as the golden files have it.
 */
class GoldenTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"recorded", "caches"})
    void resultsAreWrittenAndDrawnAsBefore(String name) throws IOException {
        Folders.copy(GoldenFiles.FOLDER.resolve(name), folder);
        JsonNode tree = JsonFile.read(folder.resolve("qualification.json"));
        assertThat(QualificationReport.write(tree, folder).mismatches()).isEmpty();
        Qualification results = JsonFile.read(tree, Qualification.class);
        requireSame(name + "/qualification.json", results.json());
        requireSame(name + "/report.md", Files.readString(folder.resolve("report.md")));
    }
}
