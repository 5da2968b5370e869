package org.hubmark.bench.measure.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.golden.GoldenFiles.requireSame;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.TreeComparison;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is written of rounds that stay the same stays the same: each value under golden, which was
 * recorded before this file had the form of all documents, stands there still, under a new key that is
 * named here.
 */
class GoldenTest {
    private static final double NEAR = 1e-9;

    @TempDir
    Path folder;

    @Test
    void builds() throws IOException {
        List<Repeat> first = new ArrayList<>();
        List<Repeat> second = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            first.add(MadeBuilds.round(i + 1, 5000.5 + i, 61.25 + i, 0.4));
            second.add(MadeBuilds.round(i + 1, 4700.5 + 2 * i, 66.5, 0.41));
        }
        Document document = MadeBuilds.document(
                BuildsResult.LOADS, MadeBuilds.row("A", first), MadeBuilds.row("B", second));
        ObjectNode golden = (ObjectNode) new ObjectMapper()
                .readTree(GoldenFiles.FOLDER.resolve("builds.json").toFile());
        golden.put("verdict", golden.remove("valid").asBoolean() ? "valid" : "not valid");
        golden.set("reasons", golden.remove("invalid_reasons"));
        golden.remove("remarks");
        for (JsonNode load : golden.remove("cases")) {
            // A row for each build, with all its figures and its rounds.
            for (int i = 0; i < 2; i++) {
                ObjectNode row = golden.withArray("loads").addObject();
                row.set("load", load.get("id"));
                row.set("message_size_kb", load.get("message_size_kb"));
                row.set("transfer", load.get("transfer"));
                for (JsonNode figure : load.get("figures")) {
                    figures(figure.get("figure").asText(), figure.get("builds").get(i), row);
                }
            }
        }
        TreeComparison comparison = new TreeComparison(NEAR);
        comparison.compare(
                "golden", new ObjectMapper().readTree(DocumentFile.json(document)), golden);
        assertThat(comparison.mismatches()).isEmpty();
        DocumentReport.write(document, folder);
        requireSame("builds.md", Files.readString(folder.resolve("report.md")));
    }

    private static void figures(String key, JsonNode build, ObjectNode row) {
        row.set("build", build.get("build"));
        row.set(key, build.get("mean"));
        row.set(key + "_ci95", build.get("ci95"));
        JsonNode toFirst = build.get("to_first");
        // The ratio of each round follows from the rounds.
        row.set(key + "_to_first", toFirst.path("mean"));
        row.set(key + "_to_first_ci95", toFirst.path("ci95"));
        if (toFirst.isNull()) {
            row.putNull(key + "_to_first").putNull(key + "_to_first_ci95");
        }
        for (int i = 0; i < build.get("rounds").size(); i++) {
            if (row.withArray("rounds").size() <= i) {
                row.withArray("rounds").addObject();
            }
            ((ObjectNode) row.get("rounds").get(i)).set(key, build.get("rounds").get(i));
        }
    }
}
