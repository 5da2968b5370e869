package org.hubmark.bench.mail.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.mail.document.Results;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs a study of mail as a command would. */
final class Studied {
    private Studied() {}

    /** {@return what was found; nothing broke it off} */
    static Results run(RunRequest request, Path folder, Clock by) throws Exception {
        MailStudy study = new MailStudy(request, () -> {});
        Document found = StudyRun.of(
                study,
                new Context.Request(
                        folder,
                        request.program().tool(),
                        "",
                        Map.of(),
                        Machine.inspect(List.of()),
                        by,
                        Progress.SILENT,
                        List::of));
        assertThat(study.failure()).isNull();
        return new Results(found);
    }
}
