package org.hubmark.bench.mail.study;

import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.mail.compare.FactorEffects;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.publish.RunRule;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Messages of several sizes against one server or several: what run, load and matrix measure. One thread. */
public final class MailStudy implements Study {
    private final RunRequest request;
    private final Runnable beforeKill;
    private final Map<String, String> failures = new LinkedHashMap<>();

    /**
     * Prepares.
     *
     * @param beforeKill is run before a hub is killed since this process ends; blocks until the results are
     *     written
     */
    public MailStudy(RunRequest request, Runnable beforeKill) {
        this.request = request;
        this.beforeKill = beforeKill;
    }

    @Override
    public Kind kind() {
        return MailReport.KIND;
    }

    /**
     * {@return what broke it off, in words; the document has what was measured until then} A cell of a matrix
     * that fails has a row that says why.
     */
    public @Nullable String failure() {
        return request.isMatrix() || failures.isEmpty()
                ? failures.get("")
                : failures.values().iterator().next();
    }

    /** {@return why a scenario was not measured to its end, by its id} */
    public Map<String, String> failures() {
        return Collections.unmodifiableMap(failures);
    }

    @Override
    public Set<String> extent() {
        Set<String> extent = request.extent();
        return extent == null ? Set.of() : extent;
    }

    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        if (!request.times().duration().equals(Measurement.UNTIL_FINISHED)) {
            context.note(RunEstimate.of(
                            request, context.isEmpty() ? null : new Results(context.document()))
                    .words());
        }
        HubRequest hub = request.scenarios().getFirst().hub();
        context.input(MailDocument.HUB_SETTINGS, hub == null ? null : hub.spec().settings());
        try (RunSession session = new RunSession(request, context, failures, beforeKill)) {
            session.run();
        }
        String failure = failure();
        if (failure != null) {
            context.failed(failure);
        }
        if (request.isMatrix() && context.isEmpty()) {
            throw UserError.failed("no cell could be measured: " + failures.values());
        }
        return context.document();
    }

    @Override
    public Document concluded(Document found) {
        List<Scenario> scenarios = request.isMatrix() ? new Results(found).scenarios() : List.of();
        Document all = found.with(MailDocument.EFFECTS, FactorEffects.of(scenarios));
        Results results = new Results(all);
        return results.publish() == null
                ? all
                : all.with(MailDocument.PUBLISH, RunRule.judge(results));
    }

    @Override
    public void report(Document written, Path folder) throws IOException {
        DocumentReport.write(written, DocumentFile.check(folder, written), folder);
    }
}
