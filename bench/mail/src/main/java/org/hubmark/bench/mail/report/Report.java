package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.page.Html;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.core.OutputFile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Draws results as report.md and as report.html, one file that needs nothing beside it. */
public final class Report {
    private Report() {}

    /**
     * Checks a document against the files in its folder and writes report.md and report.html there; and
     * study.md where a study was measured again.
     *
     * @return what the check found
     */
    public static DocumentFile.Check write(Document document, Path folder) throws IOException {
        DocumentFile.Check check = DocumentFile.check(folder, document);
        write(new Results(document), check, folder);
        return check;
    }

    /** Draws results that were checked. */
    static void write(Results results, DocumentFile.Check check, Path folder) throws IOException {
        RunSections run = new RunSections(results, check);
        List<Section> all = run.all();
        OutputFile.write(
                folder.resolve("report.md"), Markdown.of(run.title(), run.subtitle(), all));
        OutputFile.write(folder.resolve("report.html"), Html.of(run.title(), run.subtitle(), all));
        if (run.isReplay()) {
            OutputFile.write(
                    folder.resolve("study.md"),
                    Markdown.of(run.title(), run.subtitle(), List.of(run.study())));
        }
    }
}
