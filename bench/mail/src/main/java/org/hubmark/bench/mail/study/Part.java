package org.hubmark.bench.mail.study;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.LatencyAt;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.PrimaryMetric;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.SustainedRate;
import org.hubmark.bench.mail.meter.Instruments;
import org.hubmark.bench.mail.meter.KeptOutcome;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.meter.Progress;
import org.hubmark.bench.mail.meter.RateSearch;
import org.hubmark.bench.mail.meter.RateTrial;
import org.hubmark.bench.mail.meter.Repeats;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.DoubleSupplier;

/** A scenario while it is measured: its work and its repeats. One thread. */
final class Part implements AutoCloseable {
    private final ScenarioRequest request;
    private @Nullable Repeats repeats;
    private final Set<Integer> numbers = new HashSet<>();
    private @Nullable Measured last;
    /** Sustained rates of the repeats, in their order. */
    private final List<SustainedRate> sustained = new ArrayList<>();

    private @Nullable LatencyAt latency;
    private @Nullable HubRequest hub;

    /** A repeat that was measured. */
    record Measured(Measurement.Outcome outcome, Conditions conditions) {}

    Part(ScenarioRequest request) {
        this.request = request;
        this.hub = request.hub();
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

    /** Notes the latency at the rate beside; null for none. */
    void beside(@Nullable LatencyAt measured) {
        latency = measured;
    }

    /** Notes at which rate a repeat was measured. */
    void sustains(SustainedRate rate) {
        sustained.add(rate);
    }

    /** Adds a repeat. */
    void add(Measured measured) {
        add(measured, request.source()::operationKb);
    }

    private void add(Measured measured, DoubleSupplier sizeKb) {
        last = measured;
        Measurement.Outcome outcome = measured.outcome;
        numbers.add(outcome.repeat().repeat());
        if (repeats == null) {
            repeats = new Repeats(request.id(), sizeKb.getAsDouble(), measured.conditions);
        }
        repeats.add(outcome);
    }

    /** Adds the repeats that an earlier session has measured, which knew that of the scenario. */
    void add(List<Repeat> kept, Scenario earlier) {
        for (Repeat counted : kept) {
            add(
                    new Measured(KeptOutcome.of(counted), earlier.conditions()),
                    earlier::messageSizeKb);
            SustainedRate rate = Document.typed(
                    counted.names().get(MailDocument.SUSTAINED_RATE.key()), SustainedRate.class);
            if (rate != null) {
                sustained.add(rate);
            }
        }
    }

    /** {@return whether it has the repeat of that number} */
    boolean has(int number) {
        return numbers.contains(number);
    }

    /** {@return how many repeats it has} */
    int repeats() {
        return numbers.size();
    }

    /** {@return the last repeat as it is kept} */
    Repeat counted(Scenario scenario) {
        Measured measured = Objects.requireNonNull(last);
        return KeptOutcome.counted(measured.outcome, scenario)
                .name(MailDocument.SUSTAINED_RATE, sustained.isEmpty() ? null : sustained.getLast())
                .made();
    }

    /** {@return what was found, or null when nothing was} */
    @Nullable
    Scenario scenario() {
        Repeats measured = repeats;
        if (measured == null || !measured.any()) {
            return null;
        }
        return named(measured.scenario().with(latency));
    }

    /** Under which name the rate counts is clear only when all is known of the scenario's safety. */
    private Scenario named(Scenario scenario) {
        SustainedRate rate = SustainedRate.median(sustained);
        return rate == null || !(request.source().pace() instanceof Pace.MaxSustained asked)
                ? scenario
                : scenario.at(rate.named(PrimaryMetric.name(
                        scenario.conditions(), scenario.messageSizeKb(), asked.latencyP99Max())));
    }

    @Override
    public void close() {
        request.source().close();
    }
}
