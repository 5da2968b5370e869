package org.hubmark.bench.cli;

import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.document.Judgement;
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
    void write(CommandSpec command, List<Judgement> cases) {
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
    static Judgement validity(Scenario scenario) {
        return new Judgement(
                scenario.id() + " valid",
                scenario.validity().valid() ? Judgement.Status.PASSED : Judgement.Status.ERROR,
                String.join("; ", scenario.validity().reasons()));
    }

    /** {@return whether a scenario is worse than the baseline, as a verdict} */
    static Judgement regression(Regression found) {
        Judgement.Status status = switch (found.outcome()) {
            case NOT_WORSE -> Judgement.Status.PASSED;
            case TOO_NOISY -> Judgement.Status.SKIPPED;
            case NOT_VALID -> Judgement.Status.ERROR;
            case WORSE, NOT_COMPARED -> Judgement.Status.FAILURE;
        };
        return new Judgement(
                found.id() + " not slower", status, found.outcome().text() + ": " + found.text());
    }
}
