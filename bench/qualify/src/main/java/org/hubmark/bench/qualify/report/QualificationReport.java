package org.hubmark.bench.qualify.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.qualify.result.Recomputed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes report.html and report.md of a qualification. */
public final class QualificationReport {
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
        String title = qualification.path("cache").isObject()
                ? (qualification.at("/cache/sizes").isEmpty()
                        ? "Cache modes compared"
                        : "Cache sizes compared")
                : "Storage qualification: "
                        + (qualification.path("verdict").isTextual()
                                ? qualification.path("verdict").asText()
                                : "no verdict");
        Files.writeString(folder.resolve("report.md"), Markdown.of(title, sections));
        Files.writeString(
                folder.resolve("report.html"),
                Html.of(title, sections, Figures.of(qualification, folder)));
        return check;
    }
}
