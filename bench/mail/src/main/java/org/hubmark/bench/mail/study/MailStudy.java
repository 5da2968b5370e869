package org.hubmark.bench.mail.study;

import org.hubmark.bench.kit.document.Clock;

import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Series;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.mail.meter.Progress;
import org.hubmark.bench.mail.meter.Samples;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.compare.FactorEffects;
import org.hubmark.bench.mail.cost.CostModels;
import org.hubmark.bench.mail.publish.Publishing;
import org.hubmark.bench.mail.report.Report;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Messages of several sizes against one server: what run and load measure. One thread. */
public final class MailStudy implements Study {
    private final RunRequest request;
    private final Interruption interruption;
    private final Progress progress;
    private final Clock time;
    private boolean isDrawn = true;
    private boolean isTimed;
    private @Nullable String failure;

    /**
     * Prepares.
     *
     * @param interruption of the calling thread; stays the caller's, as does the progress
     */
    public MailStudy(RunRequest request, Interruption interruption, Progress progress) {
        this(request, interruption, progress, Clock.SYSTEM);
    }

    /** Prepares; the work has to go on in that time too. */
    MailStudy(RunRequest request, Interruption interruption, Progress progress, Clock time) {
        this.request = request;
        this.interruption = interruption;
        this.progress = progress;
        this.time = time;
    }

    /** {@return this, which draws no report} */
    public MailStudy withoutReport() {
        isDrawn = false;
        return this;
    }

    /** {@return this, which says before it begins how long what is left takes} */
    public MailStudy timed() {
        isTimed = true;
        return this;
    }

    @Override
    public Kind kind() {
        return MailDocument.KIND;
    }

    /** {@return what broke it off, in words; the document has what was measured until then} */
    public @Nullable String failure() {
        return failure;
    }

    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        resumeMachine(context);
        Kept kept = new OfContext(context);
        if (isTimed) {
            progress.note(RunEstimate.of(request, kept).words());
        }
        RunSession.Surroundings surroundings = new RunSession.Surroundings(
                context.folder(), interruption, progress, context::others, kept);
        HubRequest hub = request.scenarios().getFirst().hub();
        context.input(MailDocument.HUB_SETTINGS, hub == null ? null : hub.spec().settings());
        request.scenarios()
                .forEach(scenario ->
                        context.expect(MailDocument.SCENARIOS, MailDocument.id(scenario.id())));
        try (RunSession session = new RunSession(request, surroundings, time)) {
            session.run();
            failure = session.failure();
        }
        if (failure != null) {
            context.failed(failure);
        }
        return context.document();
    }

    /** The volumes of what is not measured again are known from before. */
    public static void resumeMachine(Context context) {
        Environment earlier = context.earlierEnvironment();
        if (earlier != null) {
            context.environment(earlier);
        }
    }

    /** Keeps the repeats of a session in a document. */
    private static final class OfContext implements Kept {
        private final Context context;
        private final @Nullable Results earlier;

        OfContext(Context context) {
            this.context = context;
            this.earlier = context.isEmpty() ? null : MailDocument.results(context.document());
        }

        @Override
        public @Nullable Results earlier() {
            return earlier;
        }

        @Override
        public int sitting() {
            return context.sitting();
        }

        @Override
        public Repeat repeat(String scenario, int number, Context.Measurement measurement)
                throws IOException, InterruptedException {
            return context.repeat(
                    MailDocument.SCENARIOS, MailDocument.id(scenario), number, measurement);
        }

        @Override
        public Series samples(String scenario) throws IOException {
            return context.series(MailDocument.SCENARIOS, MailDocument.id(scenario), Samples.KEYS);
        }

        @Override
        public void known(RunSession.Known known) {
            context.environment(known.environment());
            known.settings().forEach(context::setting);
            context.fact(MailDocument.PUBLISH, known.publication());
            context.fact(MailDocument.SERVER_ENVIRONMENT, known.server());
            context.fact(MailDocument.TARGET_WATCH, known.watch());
            known.scenarios().forEach(scenario -> describe(context, scenario));
        }
    }

    /** Takes down what is known of a scenario beside the figures of its repeats. */
    public static void describe(Context context, Scenario scenario) {
        MailDocument.known(scenario)
                .forEach((name, value) -> context.describe(
                        MailDocument.SCENARIOS, MailDocument.id(scenario.id()), name, value));
    }

    @Override
    public Document concluded(Document found, Path folder) throws IOException {
        return judged(
                found.with(MailDocument.COST_MODELS, List.of())
                        .with(MailDocument.EFFECTS, List.of()),
                folder);
    }

    /** {@return the same with what is made of all scenarios together} */
    public static Document fitted(Document found) {
        List<Scenario> scenarios = MailDocument.results(found).scenarios();
        return found.with(MailDocument.COST_MODELS, CostModels.of(scenarios))
                .with(MailDocument.EFFECTS, FactorEffects.of(scenarios));
    }

    /** {@return the same, judged where it is to be published} */
    public static Document judged(Document found, Path folder) throws IOException {
        if (MailDocument.results(found).publish() == null) {
            return found;
        }
        DocumentFile.Check check =
                MailDocument.check(folder, DocumentFile.read(folder, MailDocument.KIND));
        return found.with(
                MailDocument.PUBLISH,
                Publishing.judge(MailDocument.results(found), check).publish());
    }

    @Override
    public void report(Document written, Path folder) throws IOException {
        if (isDrawn) {
            var unused = Report.write(written, folder);
        }
    }
}
