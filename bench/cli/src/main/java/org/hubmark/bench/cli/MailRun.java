package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.meter.Progress;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What run, load and matrix do around their study. */
final class MailRun {
    private final CommandSpec spec;
    private final ScriptOptions script;
    private final Progress progress;
    private final Path folder;
    private final boolean isKept;

    /**
     * Prepares.
     *
     * @param folder of the results
     * @param isKept false where it goes when the command ends
     */
    MailRun(CommandSpec spec, ScriptOptions script, Path folder, boolean isKept) {
        this.spec = spec;
        this.script = script;
        this.folder = folder;
        this.isKept = isKept;
        this.progress = new Progress(System.err, script.quiet());
    }

    Progress progress() {
        return progress;
    }

    /**
     * {@return the folder of an option, made} An unfinished result in it is gone on with.
     *
     * @param addsTo whether a finished one is too, as that of a matrix; else it is not replaced
     */
    static MadeFolder folder(CommonOptions.Output output, boolean addsTo) throws IOException {
        Path given = output.folder;
        return given != null
                        && DocumentFile.isIn(given, MailReport.KIND)
                        && (addsTo || !Studies.read(given, MailReport.KIND).complete())
                ? output.make()
                : output.makeOwn();
    }

    /**
     * Measures, and shows what was found.
     *
     * @param failure what broke the study off, in words; gives null where nothing did
     * @param print shows the results
     * @return the exit code
     */
    int measure(
            Study study,
            Map<String, Object> settings,
            Supplier<@Nullable String> failure,
            Consumer<Results> print)
            throws IOException {
        Document found;
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
        print.accept(results);
        String failed = failure.get();
        if (failed != null) {
            throw UserError.failed(failed);
        }
        if (isKept && !found.complete() && !script.quiet()) {
            System.err.println(
                    "interrupted; the same command with --output " + folder + " goes on with it");
        }
        int code = Outcomes.exitCode(results, !found.complete(), System.err);
        int judged = published(results, code);
        script.tell(spec, found);
        return judged;
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
