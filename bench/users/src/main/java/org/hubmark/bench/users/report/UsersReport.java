package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes report.html and report.md of users.json. */
public final class UsersReport {
    private UsersReport() {}

    /**
     * Writes both.
     *
     * @param results as they stand in users.json
     * @param folder where the raw files lie, of which the figures are computed again, and where the report
     *     goes
     */
    public static void write(JsonNode results, Path folder) throws IOException {
        List<Section> sections = new ArrayList<>(FrontMatter.sections(results, folder));
        for (JsonNode level : results.path("levels")) {
            sections.addAll(LevelSections.of(level, results));
        }
        sections.addAll(BackMatter.sections(results));
        Charts charts = Figures.of(results, folder);
        sections.add(SourceFigures.section(charts));
        String title = title(results);
        Files.writeString(folder.resolve("report.md"), Markdown.of(title, sections));
        Files.writeString(folder.resolve("report.html"), Html.of(title, sections, charts));
    }

    private static String title(JsonNode results) {
        JsonNode passed = results.path("users_passed");
        String profile = results.at("/profile/name").asText();
        return "Users held, " + profile + " profile: "
                + (passed.isNumber() ? Numbers.whole(passed.asLong()) : "none");
    }
}
