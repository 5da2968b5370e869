package org.hubmark.bench.measure.run;

import org.hubmark.bench.measure.Bottleneck;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.TimeSource;
import org.hubmark.bench.results.Ceilings;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits of the rate of scenarios, which are measured after all repeats: what the parts of the way hold by
 * themselves. One thread.
 */
final class RateLimits {
    private final RunRequest request;
    private final RunSession.Surroundings surroundings;
    private final HubHost host;
    private final RepeatMeter meter;
    private final TimeSource time;
    private final Progress progress;
    private final Map<String, Ceilings> ceilings = new HashMap<>();

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
            if (earlier != null && earlier.capacity().ceilings() != null) {
                ceilings.put(scenario.id(), earlier.capacity().ceilings());
            }
        }
    }

    /** {@return a scenario with its limits} */
    Scenario with(Scenario scenario) {
        Ceilings found = ceilings.get(scenario.id());
        return scenario.with(found, Bottleneck.beside(scenario.figures().limiting(), found));
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
