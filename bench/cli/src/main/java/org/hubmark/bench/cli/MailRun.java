package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.bench.mail.study.MailStudy;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What run, load and matrix do around their study, and how they show what it found. */
final class MailRun {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private CommonOptions.Output output = new CommonOptions.Output();

    /** Stands in the results among the settings. */
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = "--name",
            paramLabel = "TEXT",
            description =
                    "Title of the table and the report, to tell results apart. Default: none.")
    private @Nullable String name;

    @Mixin
    private CommonOptions.Json json = new CommonOptions.Json();

    @Mixin
    private CommonOptions.Quiet quiet = new CommonOptions.Quiet();

    @Mixin
    private JUnitOption junit = new JUnitOption();

    /** Checks what can be checked before anything is measured. */
    void check() {
        junit.check();
    }

    /** {@return whether only errors are printed} */
    boolean quiet() {
        return quiet.on;
    }

    /** {@return the folder of the results; null where none is given} */
    @Nullable
    Path given() {
        return output.folder;
    }

    /**
     * {@return the folder of the results, made} An unfinished result in it is gone on with.
     *
     * @param addsTo whether a finished one is too, as that of a matrix; else it is not replaced
     */
    NewFolder folder(boolean addsTo) {
        Path given = output.folder;
        return given != null
                        && DocumentFile.isIn(given, MailReport.KIND)
                        && (addsTo || !Studies.read(given, MailReport.KIND).complete())
                ? output.make()
                : output.makeOwn();
    }

    /** {@return the study of a request} */
    MailStudy study(RunRequest request, Interruption interruption) {
        return new MailStudy(request, interruption::awaitDone);
    }

    /**
     * Measures, and shows what was found.
     *
     * @param folder of the results
     * @param isKept false where it goes when the command ends
     * @return the exit code
     */
    int measure(MailStudy study, Map<String, Object> settings, Path folder, boolean isKept)
            throws IOException {
        Document found;
        TerminalProgress progress = new TerminalProgress(System.err, quiet.on);
        try {
            found = Studies.measure(study, spec, settings, folder, progress);
        } catch (InterruptedException e) {
            return Outcomes.INTERRUPTED;
        } finally {
            progress.close();
        }
        if (!isKept) {
            found = found.with(List.of());
        }
        Results results = new Results(found);
        if (!json.on && !quiet.on) {
            DocumentReport.print(found, System.out);
            if (spec.name().equals("load")) {
                counts(results);
            }
            if (isKept) {
                System.out.println();
                System.out.println("results in " + folder
                        + "; report.html there, or hubmark report --full, has all rows");
            }
        }
        String failed = study.failure();
        if (failed != null) {
            throw UserError.failed(failed);
        }
        if (isKept && !found.complete() && !quiet.on) {
            System.err.println(
                    "interrupted; the same command with --output " + folder + " goes on with it");
        }
        int judged = measured(study, published(results, Studies.exitCode(found)));
        if (json.on) {
            System.out.println(DocumentFile.json(found));
            System.out.flush();
        }
        junit.write(
                spec, results.scenarios().stream().map(JUnitOption::validity).toList());
        return judged;
    }

    /** What isn't in the first table, of a load that may keep nothing. */
    private static void counts(Results results) {
        for (Scenario one : results.scenarios()) {
            System.out.printf(
                    Locale.ROOT,
                    "%s: %.0f sent, %.0f accepted, %.0f refused, %.0f failed%n",
                    one.id(),
                    one.get(Figure.SENT),
                    one.get(Figure.ACCEPTED),
                    one.get(Figure.REFUSED),
                    one.get(Figure.FAILED));
        }
    }

    /** A cell may have all its repeats, and lack what was to be measured beside them. */
    private static int measured(MailStudy study, int code) {
        if (code != 0) {
            return code;
        }
        study.failures()
                .forEach((id, reason) ->
                        System.err.println("hubmark: not measured: " + id + ", " + reason));
        return study.failures().isEmpty() ? code : Outcomes.INVALID;
    }

    private static int published(Results results, int code) {
        Publication publication = results.publish();
        if (publication == null || publication.publishable()) {
            return code;
        }
        for (Publication.Rule rule : publication.broken()) {
            System.err.println("hubmark: not publishable: " + rule.rule() + ": " + rule.found());
        }
        return code == 0 ? Outcomes.INVALID : code;
    }
}
