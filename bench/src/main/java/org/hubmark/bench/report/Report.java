package org.hubmark.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;

import org.hubmark.bench.results.Results;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** Draws results as report.md and as report.html, one file that needs nothing beside it. */
public final class Report {
    private Report() {}

    /**
     * Writes report.md and report.html beside results.json.
     *
     * <p>Two kinds of file in the directory are drawn if they are there. Of samples.csv, whose first
     * line names its columns, {@code scenario} (the id), {@code repeat}, {@code elapsed_s} and {@code
     * accepted_msgs_per_s}. Of the scenarios' histogram logs, {@code ID.hlog} with values in
     * nanoseconds, all intervals but those whose tag starts with {@code uncorrected}.
     *
     * @param directory where they lie, and where the report goes
     */
    public static void write(Results results, Path directory) throws IOException {
        Sheet sheet = Sheets.of(tree(results), directory);
        Files.writeString(directory.resolve("report.md"), markdown(sheet));
        Files.writeString(directory.resolve("report.html"), html(sheet));
    }

    /** {@return the results under the names that they have in the file} */
    static JsonNode tree(Results results) {
        return JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .build()
                .valueToTree(results);
    }

    private static String markdown(Sheet sheet) {
        return render(ContentType.Plain, "markdown", Map.of("sheet", sheet));
    }

    private static String html(Sheet sheet) throws IOException {
        return render(
                ContentType.Html,
                "html",
                Map.of(
                        "sheet", sheet,
                        "style", resource("report.css"),
                        "plotLibrary", resource("echarts.min.js"),
                        "plots", resource("report.js")));
    }

    private static String render(ContentType type, String kind, Map<String, Object> parameters) {
        TemplateEngine engine = TemplateEngine.createPrecompiled(
                null,
                type,
                Report.class.getClassLoader(),
                Report.class.getPackageName() + "." + kind);
        StringOutput output = new StringOutput();
        engine.render("report.jte", parameters, output);
        return output.toString();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Report.class.getResourceAsStream("/report/" + name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
