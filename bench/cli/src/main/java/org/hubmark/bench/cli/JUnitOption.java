package org.hubmark.bench.cli;

import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.document.CaseResult;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Verdicts for a build server. */
final class JUnitOption {
    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "File for the verdicts as JUnit XML. Default: none.")
    private @Nullable Path file;

    /**
     * Says before anything is measured that the file can't be written. The verdicts of an earlier run are
     * taken away: this one may end before it has its own.
     */
    void check() {
        Path wanted = file;
        if (wanted == null) {
            return;
        }
        if (Files.isDirectory(wanted)) {
            throw UserError.usage("--junit " + wanted + " is a folder; name a file");
        }
        Path folder = wanted.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw UserError.usage("--junit " + wanted + ": its folder does not exist");
        }
        try {
            Files.deleteIfExists(wanted);
        } catch (IOException e) {
            throw unwritable(wanted, e);
        }
    }

    private static UserError unwritable(Path wanted, IOException e) {
        return UserError.failed(
                "--junit " + wanted + " can't be written (" + FileErrors.reason(e) + ")");
    }

    /** Writes the file, where one is wanted. */
    void write(CommandSpec command, List<CaseResult> cases) {
        Path wanted = file;
        if (wanted == null) {
            return;
        }
        try {
            new JUnitFile(command.qualifiedName(), cases).write(wanted);
        } catch (IOException e) {
            throw unwritable(wanted, e);
        }
    }

    /** {@return whether a scenario is valid, as a verdict} */
    static CaseResult validity(Scenario scenario) {
        return new CaseResult(
                scenario.id() + " valid",
                scenario.validity().valid() ? CaseResult.Status.PASSED : CaseResult.Status.ERROR,
                String.join("; ", scenario.validity().reasons()));
    }

    /** {@return whether a scenario is worse than the baseline, as a verdict} */
    static CaseResult regression(Regression found) {
        CaseResult.Status status = switch (found.outcome()) {
            case NOT_WORSE -> CaseResult.Status.PASSED;
            case TOO_NOISY -> CaseResult.Status.SKIPPED;
            case NOT_VALID -> CaseResult.Status.ERROR;
            case WORSE, NOT_COMPARED -> CaseResult.Status.FAILURE;
        };
        return new CaseResult(
                found.id() + " not slower", status, found.outcome().text() + ": " + found.text());
    }
}
