package org.hubmark.bench.qualify.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.qualify.result.Recomputed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Writes report.html and report.md of a qualification. */
public final class QualificationReport {
    /** What the style sheet of all reports does not have: the first column names, the others count. */
    private static final String NUMBERS =
            "table.numbers :is(th, td):nth-child(n + 2) { text-align: right; }\n";

    private QualificationReport() {}

    /**
     * Writes both. Returns whether the figures follow from the raw files, as the report says.
     *
     * @param qualification as it stands in qualification.json
     * @param folder where the raw files lie, of which the figures are computed again, and where the report
     *     goes
     */
    public static Recomputed write(JsonNode qualification, Path folder) throws IOException {
        Recomputed check = Recomputed.of(qualification, folder);
        List<Section> sections = new ArrayList<>(FrontMatter.sections(qualification, check));
        for (PhaseSections.Appendix appendix : PhaseSections.Appendix.values()) {
            sections.addAll(PhaseSections.of(appendix, qualification));
        }
        String title = "Storage qualification: "
                + (qualification.path("verdict").isTextual()
                        ? qualification.path("verdict").asText()
                        : "no verdict");
        Files.writeString(folder.resolve("report.md"), Markdown.of(title, sections));
        Files.writeString(
                folder.resolve("report.html"),
                Html.of(
                        title,
                        resource("/report/report.css") + NUMBERS,
                        sections,
                        Figures.of(qualification, folder)));
        return check;
    }

    static String resource(String name) throws IOException {
        try (InputStream in = QualificationReport.class.getResourceAsStream(name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
