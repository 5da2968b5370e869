package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** Draws the report of a results file again. */
@Command(
        name = "report",
        description = {
            "Draws the report of the results in a folder again, whichever command wrote them:"
                    + " prints the table, and writes report.md and report.html to the folder.",
            "Recomputes every figure from the counters and raw files there. Names any that differs,"
                    + " also in the report, and exits with 3; exits with 1 if a file was changed."
        })
public final class ReportCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DIR|results.json",
            description = "Folder of the results, or the file of them itself.")
    private Path source;

    @Mixin
    private CommonOptions.Json json;

    @Option(names = "--full", description = "Prints all tables.")
    private boolean full;

    @Override
    public Integer call() throws IOException {
        Document document = Studies.read(source, Studies.kind(source));
        Path folder = Studies.folder(source);
        DocumentFile.Check check = DocumentFile.check(folder, document);
        DocumentReport.write(document, check, folder);
        if (json.on) {
            System.out.println(DocumentFile.json(document));
        } else if (full) {
            DocumentReport.printAll(document, System.out);
        } else {
            DocumentReport.print(document, System.out);
        }
        System.out.flush();
        check.mismatches().forEach(line -> System.err.println("hubmark: self-check: " + line));
        if (Studies.sayChanged(folder, document)) {
            return 1;
        }
        return check.isClean() ? 0 : Outcomes.INVALID;
    }
}
