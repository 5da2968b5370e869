package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.golden.GoldenFiles.requireSame;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.document.TreeComparison;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Of the recorded results of run, users and qualify, and of a publication, the same plans come out as
 * before: each value of plan.json under golden, which was recorded before this file had the form of all
 * documents, stands there still, or under a new key that is named here.
 */
class GoldenTest {
    private static final double NEAR = 1e-9;

    /** Where the recorded results of a module lie. */
    private static final String RECORDED = "/src/test/resources/golden/";

    private static final String ON_PAGES = "on-pages";

    @TempDir
    Path folder;

    @Test
    void recordedResultsAreAPlanAsBefore() throws Exception {
        Collected said = new Collected();
        said.said(PlanInputs.USERS, 1000.0, Source.given("--users"));
        said.said(PlanInputs.DRIVES, 10.0, Source.given("--drives"));
        said.said(PlanInputs.MAILBOX_MB, 1000.0, Source.given("--mailbox_mb"));
        said.said(PlanInputs.DISK_GB, 1000.0, Source.given("--disk_gb"));
        requireSamePlans(
                "own",
                new PlanStudy(
                        List.of(
                                "../results" + RECORDED + "sustained",
                                "../users" + RECORDED + "recorded",
                                onPages("../qualify" + RECORDED + "recorded").toString()),
                        null,
                        said));
    }

    @Test
    void aPublicationIsComputedAsBefore() throws Exception {
        requireSamePlans(
                "published", new PlanStudy(List.of(), PublishedCases.PAM, new Collected()));
    }

    private void requireSamePlans(String name, PlanStudy study) throws Exception {
        Document found = StudyRun.of(
                study,
                new Context.Request(
                        folder,
                        new Tool("1.0", null),
                        "a command",
                        Map.of(),
                        MadeMachine.MACHINE,
                        new Clock.Simulated(Instant.parse("2026-01-01T00:00:00Z")),
                        (phase, time) -> {},
                        note -> {},
                        (elapsed, seen) -> {},
                        List::of));
        ObjectMapper json = new ObjectMapper();
        JsonNode written = json.readTree(named(DocumentFile.json(found)));
        JsonNode golden = renamed(json.readTree(golden(name + "/plan.json")));
        TreeComparison comparison = new TreeComparison(NEAR);
        comparison.compare(name, written, golden);
        assertThat(comparison.mismatches()).isEmpty();
        requireSame(name + "/report.md", named(Files.readString(folder.resolve("report.md"))));
        requireSame(name + "/text.txt", named(found.findings().answer()));
    }

    private static JsonNode renamed(JsonNode golden) {
        ObjectNode all = (ObjectNode) golden;
        // The answer of all documents is a sentence.
        all.set("answers", all.remove("answer"));
        // A chapter that is left out names inputs that can be given, and no steps.
        all.remove("left_out");
        // An assumption that nothing rests on is none of this plan.
        all.withArray("assumptions")
                .removeIf(assumption -> assumption.get("steps").isEmpty());
        for (JsonNode one : all.get("steps")) {
            ObjectNode step = (ObjectNode) one;
            // There is one formula, in words, and the chapter has its heading; why a step is done
            // so is
            // the first of its notes. The report has all of these.
            step.remove(List.of("formula", "words", "why", "notes", "chapter"));
        }
        return all;
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = GoldenTest.class.getResourceAsStream("/golden/" + name)) {
            // What a prediction is measured by was named twice.
            return new String(
                            Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8)
                    .replace("measured, measured, ", "measured, ")
                    .replace("\"source\" : \"measured, qualify/", "\"source\" : \"qualify/");
        }
    }

    /** {@return the same qualification, as if its databases had been on pages: its share of reads counts} */
    private Path onPages(String recorded) throws IOException {
        ObjectMapper json = new ObjectMapper();
        JsonNode all = json.readTree(Path.of(recorded, "qualification.json").toFile());
        ((ObjectNode) all.path("settings")).put("engine", "pages");
        Path copy = Files.createDirectories(folder.resolve(ON_PAGES));
        Files.writeString(copy.resolve("qualification.json"), all.toString());
        return copy;
    }

    /** {@return the text with the module for the folder of recorded results} */
    private String named(String text) {
        return text.replace(folder.resolve(ON_PAGES).toString(), "qualify/recorded")
                .replaceAll("\\.\\./(\\w+)" + RECORDED, "$1/");
    }
}
