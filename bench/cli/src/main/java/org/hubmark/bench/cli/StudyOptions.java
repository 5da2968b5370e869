package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MeasuringRun;
import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.study.MailStudy;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Where the command of a study writes what was found, and how it shows it. */
final class StudyOptions {
    @Mixin
    CommonOptions.Output output;

    @Mixin
    CommonOptions.Json json;

    @Mixin
    CommonOptions.Quiet quiet;

    @Mixin
    private JUnitOption junit;

    @Spec(Spec.Target.MIXEE)
    CommandSpec spec;

    /** Looks at volumes before anything is measured. */
    interface VolumeLook {
        /** {@return them} */
        List<VolumeDisclosure> volumes() throws IOException, InterruptedException;
    }

    /** {@return every option with the value that is in force, which may be added to} */
    Map<String, Object> settings() {
        return Outcomes.settings(spec);
    }

    /** Says something before the study begins, unless only errors are printed. */
    void say(String line) {
        if (!quiet.on) {
            System.err.println(line);
        }
    }

    /** Checks what can be checked before anything is measured. */
    void check() {
        junit.write(spec.qualifiedName(), List.of());
    }

    /**
     * Runs a study.
     *
     * @param settings every option with the value that is in force
     * @param look at the volumes of this machine that are measured; null for a study that measures nothing,
     *     and disturbs nobody who does
     * @return the exit code
     */
    int run(Study study, Map<String, Object> settings, @Nullable VolumeLook look)
            throws IOException {
        check();
        try (MeasuringRun measuring = look == null ? null : begin();
                Interruption unused = new Interruption();
                NewFolder folder = output.make(study.kind(), look == null)) {
            Environment machine = Machine.inspect(look == null ? List.of() : look.volumes())
                    .withDisclosure(Disclosure.of(null, null));
            Document found = measure(
                    study,
                    settings,
                    folder.path(),
                    machine,
                    measuring == null ? List::of : measuring::others);
            show(found, folder.path());
            return exitCode(found);
        } catch (InterruptedException e) {
            return Outcomes.INTERRUPTED;
        }
    }

    /**
     * Runs a study of mail, which looks at the machine itself.
     *
     * @param folder of the results
     * @return the exit code
     */
    int run(MailStudy study, Map<String, Object> settings, Path folder) throws IOException {
        try (MeasuringRun measuring = begin()) {
            Environment machine = Machine.inspect(List.of());
            Document found = measure(study, settings, folder, machine, measuring::others);
            show(found, folder);
            String failed = study.failure();
            if (failed != null) {
                throw UserError.failed(failed);
            }
            int code = exitCode(found);
            if (code != 0 || study.failures().isEmpty()) {
                return code;
            }
            study.failures()
                    .forEach((id, reason) ->
                            System.err.println("hubmark: not measured: " + id + ": " + reason));
            return Outcomes.INVALID;
        } catch (InterruptedException e) {
            return Outcomes.INTERRUPTED;
        }
    }

    private MeasuringRun begin() {
        return MeasuringRun.begin(MeasuringRun.FOLDER, spec.qualifiedName());
    }

    /** @throws InterruptedException when it is told to end before there is anything */
    @SuppressWarnings(
            "ClosingStandardOutputStreams") // The progress closes its line, not the stream.
    private Document measure(
            Study study,
            Map<String, Object> settings,
            Path folder,
            Environment machine,
            Supplier<List<String>> others)
            throws IOException, InterruptedException {
        settings.put("machine-id", Machine.id());
        try (TerminalProgress progress =
                new TerminalProgress(System.err, quiet.on, TerminalProgress.isTerminal())) {
            return StudyRun.of(
                    study,
                    new Context.Request(
                            folder,
                            Main.PROGRAM.tool(),
                            Outcomes.commandText(spec),
                            settings,
                            machine,
                            Clock.SYSTEM,
                            progress,
                            others));
        }
    }

    private void show(Document found, Path folder) {
        if (json.on) {
            System.out.println(DocumentFile.json(found));
        } else if (!quiet.on) {
            DocumentReport.print(found, System.out);
            System.out.println();
            System.out.println("results in " + folder
                    + "; report.html there, or hubmark report --full, has all rows");
        }
        System.out.flush();
    }

    private int exitCode(Document found) {
        Findings findings = found.findings();
        if (found.complete()) {
            findings.reasons()
                    .forEach(reason ->
                            System.err.println("hubmark: " + findings.said() + ": " + reason));
        } else {
            say("interrupted; the same command with the same --output continues it");
        }
        junit.write(spec.qualifiedName(), DocumentReport.verdicts(found));
        return found.exitCode();
    }
}
