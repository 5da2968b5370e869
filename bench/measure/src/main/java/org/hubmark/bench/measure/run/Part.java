package org.hubmark.bench.measure.run;

import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.measure.Instruments;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.RateSearch;
import org.hubmark.bench.measure.RateTrial;
import org.hubmark.bench.measure.Repeats;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.LatencyAt;
import org.hubmark.bench.results.PrimaryMetric;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.SustainedRate;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A scenario while it is measured: its work, its .hlog file and its repeats. One thread. */
final class Part implements AutoCloseable {
    private final ScenarioRequest request;
    private final HistogramFile histograms;
    private @Nullable Repeats repeats;
    /** Sustained rates of the repeats, in their order. */
    private final List<SustainedRate> sustained = new ArrayList<>();

    private @Nullable LatencyAt latency;
    private long flushes;
    private boolean flushesKnown;

    Part(ScenarioRequest request, Path folder, Instant startedAt) throws IOException {
        this.request = request;
        this.histograms =
                new HistogramFile(folder.resolve(histogramFile()), request.title(), startedAt);
    }

    /** {@return the name of its .hlog file} */
    String histogramFile() {
        return request.id() + ".hlog";
    }

    ScenarioRequest request() {
        return request;
    }

    HistogramFile histograms() {
        return histograms;
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
        HubRequest hub = request.hub();
        return hub == null || !hub.keepsQueue() ? null : (Long) hub.spec().checkpointDepthBytes();
    }

    /** Notes the latency at the rate beside. */
    void beside(LatencyAt measured) {
        latency = measured;
    }

    /** Notes at which rate a repeat was measured. */
    void sustains(SustainedRate rate) {
        sustained.add(rate);
    }

    /** Notes how many flushes a target's device got during a repeat. */
    void flushed(long count) {
        flushes += count;
        flushesKnown = true;
    }

    /** {@return its repeats} */
    Repeats repeats(Conditions conditions) {
        Repeats known = repeats;
        if (known != null) {
            return known;
        }
        Repeats made = new Repeats(request.id(), request.source().operationKb(), conditions);
        repeats = made;
        return made;
    }

    /** {@return what was found, or null when nothing was} */
    @Nullable
    Scenario scenario() {
        Repeats measured = repeats;
        if (measured == null || !measured.any()) {
            return null;
        }
        Scenario scenario = measured.scenario().with(latency);
        return named(
                flushesKnown && request.source() instanceof MailSource mail
                        ? scenario.judged(scenario.conditions()
                                .safety()
                                .counted(
                                        flushes,
                                        scenario.figures().counts().acceptedMsgs(),
                                        mail.plan().connections()))
                        : scenario);
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
        histograms.close();
        request.source().close();
    }
}
