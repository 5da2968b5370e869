package org.hubmark.bench.measure.run;

import org.hubmark.bench.measure.Bottleneck;
import org.hubmark.bench.measure.KneeSweep;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.TimeSource;
import org.hubmark.bench.results.Ceilings;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures;
import org.hubmark.bench.results.Knee;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits of the rate of scenarios, which are measured after all repeats: the rate above which messages begin
 * to wait, and what the parts of the way hold by themselves. One thread.
 */
final class RateLimits {
    private final RunRequest request;
    private final RunSession.Surroundings surroundings;
    private final HubHost host;
    private final RepeatMeter meter;
    private final TimeSource time;
    private final Progress progress;
    private final Map<String, Ceilings> ceilings = new HashMap<>();
    private final Map<String, Knee> knees = new HashMap<>();

    /** Prepares, with what an earlier session has measured. */
    RateLimits(
            RunRequest request,
            RunSession.Surroundings surroundings,
            HubHost host,
            RepeatMeter meter,
            TimeSource time) {
        this.request = request;
        this.surroundings = surroundings;
        this.host = host;
        this.meter = meter;
        this.time = time;
        this.progress = surroundings.progress();
        for (ScenarioRequest scenario : request.scenarios()) {
            Scenario earlier = surroundings.kept().earlier(scenario.id());
            if (earlier != null && earlier.capacity().knee() != null) {
                knees.put(scenario.id(), earlier.capacity().knee());
            }
            if (earlier != null && earlier.capacity().ceilings() != null) {
                ceilings.put(scenario.id(), earlier.capacity().ceilings());
            }
        }
    }

    /** {@return a scenario with its limits} */
    Scenario with(Scenario scenario) {
        Ceilings found = ceilings.get(scenario.id());
        Knee knee = knees.get(scenario.id());
        Figures.Limiting limiting = Bottleneck.beside(scenario.figures().limiting(), knee);
        return scenario.with(knee).with(found, Bottleneck.beside(limiting, found));
    }

    /** Finds the knees that are not known. */
    void measureKnees(List<Part> parts, int logicalCores) throws IOException, InterruptedException {
        for (Part part : parts) {
            Scenario scenario = part.scenario();
            Double rate =
                    scenario == null ? null : scenario.figures().get(Figure.THROUGHPUT_MSGS_PER_S);
            if (scenario != null && rate != null && rate > 0 && !knees.containsKey(scenario.id())) {
                knees.put(scenario.id(), knee(part, rate, logicalCores));
            }
        }
    }

    private Knee knee(Part part, double rate, int logicalCores)
            throws IOException, InterruptedException {
        ScenarioRequest scenario = part.request();
        HubRequest own = scenario.hub();
        MeasuredHub hub = own == null ? null : host.running(own);
        return new KneeSweep(
                        pace -> scenario.source().trial(hub == null ? null : hub.address(), pace),
                        meter.instruments(part, hub),
                        new KneeSweep.Settings(
                                scenario.title(),
                                RepeatMeter.drains(own),
                                request.repeats().seed(),
                                logicalCores),
                        progress)
                .upTo(rate);
    }

    /** Measures the ceilings, unless they are known of all. */
    void measureCeilings(List<Part> parts) throws IOException, InterruptedException {
        if (!parts.stream().allMatch(part -> ceilings.containsKey(part.request().id()))) {
            probe().measure(parts);
        }
    }

    /** {@return what the receive path and the loopback hold, by the id of the scenario} */
    Map<String, Ceilings> shared(List<Part> parts) throws IOException, InterruptedException {
        return probe().shared(parts);
    }

    /** {@return messages a second that the log device holds, written as a scenario wrote it} */
    @Nullable
    Double logDevice(Part part, Scenario scenario) throws IOException, InterruptedException {
        progress.phase("ceiling: log device", CeilingProbe.WRITING);
        return CeilingProbe.logDevice(part, scenario, request.repeats().seed());
    }

    private CeilingProbe probe() {
        return new CeilingProbe(
                surroundings.folder(),
                progress,
                host,
                ceilings,
                request.repeats().seed(),
                time);
    }
}
