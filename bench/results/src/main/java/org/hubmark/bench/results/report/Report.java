package org.hubmark.bench.results.report;

import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.results.Results;
import org.hubmark.core.OutputFile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

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
        RunSections run = sections(results, directory);
        List<Section> all = run.all();
        OutputFile.write(
                directory.resolve("report.md"), Markdown.of(run.title(), run.subtitle(), all));
        OutputFile.write(
                directory.resolve("report.html"), Html.of(run.title(), run.subtitle(), all));
        if (run.isReplay()) {
            OutputFile.write(
                    directory.resolve("study.md"),
                    Markdown.of(run.title(), run.subtitle(), List.of(run.study())));
        }
        return run.check();
    }

    /** {@return what the check of the results against the raw files beside them finds} */
    public static SelfCheck check(Results results, Path directory) throws IOException {
        try {
            return SelfCheck.of(results, RawFiles.in(directory));
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** A file that cannot be read says so with its name. */
    private static RunSections sections(Results results, Path directory) throws IOException {
        try {
            return new RunSections(results, RawFiles.in(directory));
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
