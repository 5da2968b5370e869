package org.hubmark.bench.kit.document;

import org.hubmark.bench.machine.MachineFiles;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Path;

/** Runs a study from its first repeat to the report. Blocks; one thread. */
public final class StudyRun {
    private StudyRun() {}

    /**
     * {@return what was found, as far as it went} It is in the folder then, with its report,
     * and so is what was measured until something failed.
     *
     * @throws UserError also when the study says that it {@linkplain Context#failed failed} before there
     *     is anything
     * @throws InterruptedException when it is told to end before there is anything
     */
    public static Document of(Study study, Context.Request request)
            throws IOException, InterruptedException {
        Context context = new Context(study, request);
        try {
            var unused = study.run(context);
            // What is done is written, even if somebody ends the run now.
            boolean unused2 = Thread.interrupted();
            String failure = context.failure();
            if (failure != null && context.isEmpty()) {
                throw UserError.failed(failure);
            }
            if (failure == null) {
                context.complete();
            }
        } catch (InterruptedException | IOException | UserError e) {
            // Whatever waits fails in its own way when it is interrupted.
            boolean interrupted = Thread.interrupted() || e instanceof InterruptedException;
            context.endSeries();
            if (!interrupted) {
                if (!context.isEmpty()) {
                    var unused = write(study, context);
                }
                throw e;
            }
            if (context.isEmpty()) {
                throw new InterruptedException();
            }
        }
        return write(study, context);
    }

    private static Document write(Study study, Context context) throws IOException {
        Path folder = context.folder();
        if (context.environment().disclosure() != null) {
            MachineFiles.write(folder);
        }
        Document written = context.write(study.concluded(context.document()));
        study.report(written, folder);
        return written;
    }
}
