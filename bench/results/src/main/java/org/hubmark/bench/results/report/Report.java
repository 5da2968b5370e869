package org.hubmark.bench.results.report;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;

import org.hubmark.bench.kit.page.WholeFile;
import org.hubmark.bench.results.Results;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Draws results as report.md and as report.html, one file that needs nothing beside it. */
public final class Report {
    private Report() {}

    /**
     * Checks the results against the raw files beside them and writes report.md and report.html, with
     * a mark on every figure that does not follow from these; and study.md where a study was measured
     * again.
     *
     * <p>Two kinds of file in the directory are read if they are there: samples.csv, whose first line
     * names its columns, and the scenarios' histogram logs, {@code ID.hlog} with values in
     * nanoseconds; the tags of intervals counted from the actual send start with {@code uncorrected}.
     *
     * @param directory where they lie, and where the report goes
     * @return what the check found
     */
    public static SelfCheck write(Results results, Path directory) throws IOException {
        Sheet sheet = sheet(results, directory);
        WholeFile.write(directory.resolve("report.md"), markdown(sheet));
        WholeFile.write(directory.resolve("report.html"), html(sheet));
        if (sheet.replay() != null) {
            WholeFile.write(directory.resolve("study.md"), TerminalTable.study(sheet.replay()));
        }
        return sheet.check();
    }

    /** {@return what the check of the results against the raw files beside them finds} */
    public static SelfCheck check(Results results, Path directory) throws IOException {
        try {
            return SelfCheck.of(results, RawFiles.in(directory));
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * Draws each plot into a file of its own, ID.svg.
     *
     * @param directory where samples and histograms lie
     * @param plots where the files go; made if it is not there
     * @return the files
     */
    public static List<Path> plots(Results results, Path directory, Path plots) throws IOException {
        return PlotFiles.write(sheet(results, directory).charts(), plots);
    }

    /** A file that cannot be read says so with its name. */
    private static Sheet sheet(Results results, Path directory) throws IOException {
        try {
            return SheetBuilder.of(results, RawFiles.in(directory));
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static String markdown(Sheet sheet) {
        // What a server or a file says begins no HTML.
        return render(ContentType.Plain, "markdown", Map.of("sheet", sheet)).replace("<", "&lt;");
    }

    private static String html(Sheet sheet) throws IOException {
        return render(
                ContentType.Html,
                "html",
                Map.of(
                        "sheet",
                        sheet,
                        "style",
                        resource("report.css"),
                        "plotLibrary",
                        resource("echarts.min.js"),
                        "plots",
                        resource("plots.js") + resource("page.js")));
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

    static String resource(String name) throws IOException {
        try (InputStream in = Report.class.getResourceAsStream("/report/" + name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
