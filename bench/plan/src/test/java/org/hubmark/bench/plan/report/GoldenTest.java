package org.hubmark.bench.plan.report;

import static org.hubmark.golden.GoldenFiles.requireSame;

import org.hubmark.bench.plan.Collected;
import org.hubmark.bench.plan.MeasuredFiles;
import org.hubmark.bench.plan.OwnPlan;
import org.hubmark.bench.plan.PlanResults;
import org.hubmark.bench.plan.PublishedCases;
import org.hubmark.bench.plan.Source;
import org.hubmark.bench.plan.Values;
import org.hubmark.bench.results.Results;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Proves that no figure, key or word of plan changes unnoticed: of the recorded results of run, users
 * and qualify, and of a publication, the same plans come out as the golden files have.
 */
class GoldenTest {
    /** Where the recorded results of a module lie. */
    private static final String RECORDED = "/src/test/resources/golden/";

    @TempDir
    Path folder;

    @Test
    void recordedResultsAreAPlanAsBefore() throws IOException {
        Collected measured = MeasuredFiles.read(List.of(
                "../results" + RECORDED + "sustained",
                "../users" + RECORDED + "recorded",
                "../qualify" + RECORDED + "recorded"));
        Map<String, Values.Given> given = new LinkedHashMap<>();
        put(given, "users", 1000);
        put(given, "drives", 10);
        put(given, "mailbox_mb", 1000);
        put(given, "disk_gb", 1000);
        requireSamePlans(
                "own",
                List.of(new PublishedCases.Case(OwnPlan.of(measured, given), List.of())),
                measured.notes());
    }

    @Test
    void aPublicationIsComputedAsBefore() throws IOException {
        requireSamePlans("published", PublishedCases.of("pam-tr3766", Map.of()), List.of());
    }

    private static void put(Map<String, Values.Given> given, String name, double value) {
        given.put(name, new Values.Given(value, Source.given("--" + name)));
    }

    private void requireSamePlans(String name, List<PublishedCases.Case> cases, List<String> notes)
            throws IOException {
        PlanResults results = new PlanResults(new Results.Tool("1.0", null), "a command", cases);
        PlanReport.write(results, notes, folder);
        requireSame(name + "/plan.json", named(results.json()));
        requireSame(name + "/report.md", named(Files.readString(folder.resolve("report.md"))));
        requireSame(name + "/text.txt", named(String.join("\n", PlanText.of(results))));
    }

    /** {@return the text with the module for the folder of recorded results} */
    private static String named(String text) {
        return text.replaceAll("\\.\\./(\\w+)" + RECORDED, "$1/");
    }
}
