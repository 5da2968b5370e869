package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.FileSums;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.report.Answer;
import org.hubmark.bench.mail.report.Report;
import org.hubmark.bench.mail.report.TerminalTable;
import org.hubmark.core.UserError;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** Draws the report of a results file again. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
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

    @Option(
            names = "--full",
            description = "Prints all rows, with the published values. Default: the most"
                    + " important rows.")
    private boolean full;

    @Mixin
    private CommonOptions.Quiet quiet;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Kind kind = Studies.kind(source);
        try {
            return kind.equals(MailDocument.KIND) ? ofScenarios() : ofStudy(kind);
        } catch (IOException e) {
            throw UserError.failed(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private int ofStudy(Kind kind) throws IOException {
        GivenOptions.refuse(spec, List.of("--full"), "is for results of run, load and matrix");
        return Studies.redraw(source, kind, json.on, quiet.on);
    }

    private int ofScenarios() throws IOException {
        Path folder = Studies.folder(source);
        Outcomes.warnOfOthers(folder);
        Document document = DocumentFile.read(folder, MailDocument.KIND);
        DocumentFile.Check check = Report.write(document, folder);
        Results results = new Results(document);
        FileSums.redrawn(folder);
        if (json.on) {
            System.out.println(JsonFile.text(JsonFile.read(folder.resolve(Results.FILE))));
        } else if (full) {
            TerminalTable.print(results, System.out);
        } else if (!quiet.on) {
            Answer.print(results, System.out);
        }
        return Outcomes.exitCode(folder, check);
    }
}
