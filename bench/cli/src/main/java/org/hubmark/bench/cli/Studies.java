package org.hubmark.bench.cli;

import org.hubmark.bench.durability.result.ClusterCrashResult;
import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.FileSums;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MeasuringRun;
import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.bench.plan.PlanDocument;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.scale.result.ScaleOut;
import org.hubmark.bench.users.result.UsersResult;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What a command does around a study, and what is done with the documents of all of them. */
final class Studies {
    static final List<Kind> KINDS = List.of(
            ScaleOut.KIND,
            CrashResult.KIND,
            ClusterCrashResult.KIND,
            PlanDocument.KIND,
            UsersResult.KIND,
            Qualification.KIND,
            MailReport.KIND);

    private Studies() {}

    /** Looks at volumes before anything is measured. */
    interface VolumeLook {
        /** {@return them} */
        List<VolumeDisclosure> volumes() throws IOException, InterruptedException;
    }

    /**
     * Runs a study, and says what it found.
     *
     * @param settings every option with the value that is in force
     * @param junit gets the verdicts; null where a command writes none
     * @param look at the volumes of this machine that are measured
     * @return the exit code
     */
    static int run(
            Study study,
            Map<String, Object> settings,
            StudyOptions shown,
            @Nullable JUnitOption junit,
            VolumeLook look)
            throws IOException {
        requireUnfinished(shown.output.folder, study.kind());
        try (MeasuringRun measuring =
                MeasuringRun.begin(MeasuringRun.FOLDER, shown.spec.qualifiedName())) {
            return run(study, settings, shown, junit, look, measuring::others);
        }
    }

    /** The same for a study that measures nothing, and disturbs nobody who does. */
    static int compute(Study study, Map<String, Object> settings, StudyOptions shown)
            throws IOException {
        return run(study, settings, shown, null, List::of, List::of);
    }

    private static int run(
            Study study,
            Map<String, Object> settings,
            StudyOptions shown,
            @Nullable JUnitOption junit,
            VolumeLook look,
            Supplier<List<String>> others)
            throws IOException {
        requireOwn(shown.output.folder, study.kind());
        TerminalProgress progress = new TerminalProgress(System.err, shown.quiet.on);
        try (Interruption unused = new Interruption();
                NewFolder folder = shown.output.make()) {
            Environment machine =
                    Machine.inspect(look.volumes()).withDisclosure(Disclosure.of(null, null));
            Document found = StudyRun.of(
                    study, request(shown.spec, settings, folder.path(), machine, progress, others));
            progress.close();
            say(found, shown.json.on, shown.quiet.on);
            if (!shown.json.on && !shown.quiet.on) {
                System.out.println("results in " + folder.path());
            }
            if (junit != null) {
                junit.write(shown.spec, DocumentReport.verdicts(found));
            }
            return exitCode(found);
        } catch (InterruptedException e) {
            return Outcomes.INTERRUPTED;
        } finally {
            progress.close();
        }
    }

    private static Context.Request request(
            CommandSpec spec,
            Map<String, Object> settings,
            Path folder,
            Environment machine,
            Progress progress,
            Supplier<List<String>> others) {
        settings.put("machine-id", Machine.id());
        return new Context.Request(
                folder,
                Main.PROGRAM.tool(),
                Outcomes.commandText(spec),
                settings,
                machine,
                Clock.SYSTEM,
                progress,
                others);
    }

    /**
     * {@return what a study found that looks at the machine itself, and shows what it found in its own way}
     *
     * @throws InterruptedException when it is told to end before there is anything
     */
    static Document measure(
            Study study,
            CommandSpec spec,
            Map<String, Object> settings,
            Path folder,
            Progress progress)
            throws IOException, InterruptedException {
        try (MeasuringRun measuring =
                MeasuringRun.begin(MeasuringRun.FOLDER, spec.qualifiedName())) {
            return StudyRun.of(
                    study,
                    request(
                            spec,
                            settings,
                            folder,
                            Machine.inspect(List.of()),
                            progress,
                            measuring::others));
        }
    }

    /** What took hours to measure is not replaced by the same command given once more. */
    private static void requireUnfinished(@Nullable Path folder, Kind kind) {
        if (folder != null
                && DocumentFile.isIn(folder, kind)
                && read(folder, kind).complete()) {
            throw holds(folder, "a finished " + kind.name());
        }
    }

    private static void requireOwn(@Nullable Path folder, Kind kind) {
        if (folder == null) {
            return;
        }
        for (Kind other : KINDS) {
            if (!other.equals(kind) && DocumentFile.isIn(folder, other)) {
                throw holds(folder, "the results of " + other.name());
            }
        }
    }

    private static UserError holds(Path folder, String what) {
        return UserError.usage("--output " + folder + " holds " + what
                + " already; name another folder, or remove it");
    }

    private static void say(Document found, boolean json, boolean quiet) {
        if (json) {
            System.out.println(DocumentFile.json(found));
        } else if (!quiet) {
            DocumentReport.print(found, System.out);
        }
        System.out.flush();
    }

    /** {@return the exit code, after saying why it is not 0} */
    static int exitCode(Document found) {
        Findings findings = found.findings();
        List<String> reasons = found.complete() ? findings.reasons() : List.of();
        reasons.forEach(
                reason -> System.err.println("hubmark: " + findings.said() + ": " + reason));
        return found.exitCode();
    }

    /** {@return whether a folder has results} */
    static boolean isIn(Path folder) {
        return KINDS.stream().anyMatch(kind -> DocumentFile.isIn(folder, kind));
    }

    /**
     * {@return the kind of a folder's document, or of a file}
     *
     * @throws UserError where there is none
     */
    static Kind kind(Path given) {
        return KINDS.stream()
                .filter(kind -> Files.isDirectory(given)
                        ? DocumentFile.isIn(given, kind)
                        : given.endsWith(kind.file()) && Files.isRegularFile(given))
                .findFirst()
                .orElseThrow(
                        () -> UserError.usage(
                                (Files.exists(given)
                                                ? "no results at " + given
                                                : given + " does not exist")
                                        + "; name the folder of the results, or their file, such as results.json"));
    }

    /** {@return the document of a folder or file} */
    static Document read(Path given, Kind kind) {
        try {
            return DocumentFile.read(folder(given), kind);
        } catch (IOException e) {
            throw UserError.failed(FileErrors.reason(e));
        }
    }

    static Path folder(Path given) {
        Path parent = given.toAbsolutePath().getParent();
        return Files.isDirectory(given) || parent == null ? given : parent;
    }

    /** Says which files are not what was written. {@return whether any is} */
    static boolean sayChanged(Path given, Document document) {
        List<String> changed = FileSums.changed(folder(given), document.rawFiles());
        Outcomes.sayChanged(folder(given), changed, System.err);
        return !changed.isEmpty();
    }

    /**
     * Draws the report of a document again.
     *
     * @return the exit code: 1 where a file is not what was written, 3 where a figure is not what follows
     */
    static int redraw(Path given, Kind kind, boolean json, boolean quiet, boolean full)
            throws IOException {
        Document document = read(given, kind);
        Path folder = folder(given);
        DocumentFile.Check check = DocumentFile.check(folder, document);
        Outcomes.warnOfOthers(folder);
        DocumentReport.write(document, check, folder);
        if (full && !json) {
            DocumentReport.printAll(document, System.out);
            System.out.flush();
        } else {
            say(document, json, quiet);
        }
        return Outcomes.exitCode(folder, check);
    }
}
