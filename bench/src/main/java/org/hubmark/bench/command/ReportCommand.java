package org.hubmark.bench.command;

import org.hubmark.bench.UserError;
import org.hubmark.bench.report.Report;
import org.hubmark.bench.report.TerminalTable;
import org.hubmark.bench.results.Results;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** Draws the report of a results file again. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description =
                "Draws the report of a results file again: the table here, report.md and report.html"
                        + " beside the file.")
public final class ReportCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DIR|results.json",
            description = "Where a run wrote its results, or the file itself.")
    private Path source;

    @Option(names = "--quiet", description = "Writes the files only. Default: ${DEFAULT-VALUE}.")
    private boolean quiet;

    @Override
    public Integer call() {
        Path file = Files.isDirectory(source) ? source.resolve("results.json") : source;
        if (!Files.isRegularFile(file)) {
            throw UserError.usage("no results at " + file
                    + "; give the folder that `run` wrote to, or its results.json");
        }
        try {
            Results results = Results.read(file);
            Path directory = file.toAbsolutePath().getParent();
            Report.write(results, directory == null ? Path.of("") : directory);
            if (!quiet) {
                TerminalTable.print(results, System.out);
            }
        } catch (IOException e) {
            throw UserError.failed(e.getMessage() == null ? e.toString() : e.getMessage());
        }
        return 0;
    }
}
