package org.hubmark.bench.mail.study;

import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.PrimaryMetric;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.SustainedRate;
import org.hubmark.bench.mail.meter.Instruments;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.meter.Progress;
import org.hubmark.bench.mail.meter.RateSearch;
import org.hubmark.bench.mail.meter.RateTrial;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;

/** A scenario while it is measured: its work and its row. One thread. */
final class Part implements AutoCloseable {
    private final ScenarioRequest request;
    private final Context context;
    private final Map<Name, Object> id;
    private @Nullable SustainedRate sustained;
    private @Nullable HubRequest hub;

    /** Gives it a place among the rows. */
    Part(ScenarioRequest request, Context context) {
        this.request = request;
        this.context = context;
        this.id = MailDocument.id(request.id());
        this.hub = request.hub();
        context.expect(MailDocument.SCENARIOS, id);
    }

    /** {@return its hub, on the volumes that are ready for it; null where another server is measured} */
    @Nullable
    HubRequest hub() {
        return hub;
    }

    /** Notes the volumes that are ready for its hub. */
    void on(HubRequest readied) {
        hub = readied;
    }

    /** {@return where its row stands} */
    Map<Name, Object> id() {
        return id;
    }

    ScenarioRequest request() {
        return request;
    }

    /** {@return the highest rate that short trials say is sustained} */
    RateSearch.Found search(
            Pace.MaxSustained asked,
            @Nullable InetSocketAddress hub,
            Instruments instruments,
            boolean drains,
            Progress progress,
            Environment machine)
            throws IOException, InterruptedException {
        RateTrial trial = new RateTrial(
                pace -> request.source().trial(hub, pace),
                instruments,
                new RateTrial.Settings(
                        request.title(),
                        asked,
                        drains,
                        depth(),
                        machine.processor().logicalCores()),
                progress);
        progress.note(request.title() + ": the search takes " + RunEstimate.search());
        RateSearch.Found found = trial.search();
        progress.note(request.title() + ": " + found.words());
        if (found.ratePerSecond() == 0) {
            throw UserError.failed(request.title() + ": no rate is sustained, " + found.words());
        }
        return found;
    }

    /** {@return of our hub's log; null with another server, or one that keeps nothing} */
    private @Nullable Long depth() {
        return hub == null || !hub.keepsQueue() ? null : (Long) hub.spec().checkpointDepthBytes();
    }

    /** Takes down what else is known of it. */
    void describe(Name name, @Nullable Object value) {
        context.describe(MailDocument.SCENARIOS, id, name, value);
    }

    /** Notes at which rate the repeat under way was measured. */
    void sustains(SustainedRate rate) {
        sustained = rate;
    }

    /** {@return how many repeats it has} */
    int repeats() {
        return context.repeats(MailDocument.SCENARIOS, id);
    }

    /** {@return a repeat as a row has it} The first one tells what the scenario is. */
    Repeat counted(Measurement.Outcome outcome, Conditions conditions) {
        if (repeats() == 0) {
            describe(MailDocument.SIZE, request.source().operationKb());
            MailDocument.names(conditions.setup(), conditions.safety())
                    .forEach((key, value) -> describe(Name.note(key, ""), value));
        }
        SustainedRate rate = sustained;
        sustained = null;
        return outcome.repeat()
                .with(MailDocument.SUSTAINED_RATE, rate == null ? null : named(rate, conditions))
                .of(request.id(), request.source().operationKb(), conditions)
                .counted();
    }

    /** Under which name the rate counts is clear only when all is known of the scenario's safety. */
    private SustainedRate named(SustainedRate rate, Conditions conditions) {
        return request.source().pace() instanceof Pace.MaxSustained asked
                ? rate.named(PrimaryMetric.name(
                        conditions, request.source().operationKb(), asked.latencyP99Max()))
                : rate;
    }

    /** {@return what was found, or null when nothing was} */
    @Nullable
    Scenario scenario() {
        Table table = context.document().table(MailDocument.SCENARIOS);
        return table.row(request.id()).map(row -> new Scenario(table, row)).orElse(null);
    }

    @Override
    public void close() {
        request.source().close();
    }
}
