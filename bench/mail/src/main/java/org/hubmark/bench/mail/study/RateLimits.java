package org.hubmark.bench.mail.study;

import org.hubmark.bench.mail.meter.Bottleneck;
import org.hubmark.bench.mail.meter.Progress;
import org.hubmark.bench.mail.document.Ceilings;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Limits of the rate of scenarios that are measured after all repeats: what the log device holds. One thread. */
final class RateLimits {
    private final long seed;
    private final Progress progress;
    private final Map<String, Ceilings> ceilings = new HashMap<>();

    /** Prepares, with what an earlier session has measured. */
    RateLimits(RunRequest request, RunSession.Surroundings surroundings) {
        this.seed = request.repeats().seed();
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
        if (parts.stream().allMatch(part -> ceilings.containsKey(part.request().id()))) {
            return;
        }
        progress.phase("ceiling: log device", CeilingProbe.WRITING.multipliedBy(parts.size()));
        for (Part part : parts) {
            Scenario scenario = part.scenario();
            Double rate =
                    scenario == null ? null : scenario.figures().get(Figure.THROUGHPUT_MSGS_PER_S);
            Ceilings found = scenario == null || rate == null
                    ? null
                    : Ceilings.of(rate, CeilingProbe.logDevice(part, scenario, seed));
            if (found != null) {
                ceilings.put(part.request().id(), found);
            }
        }
    }

    /** {@return messages a second that the log device holds, written as a scenario wrote it} */
    @Nullable
    Double logDevice(Part part, Scenario scenario) throws IOException, InterruptedException {
        progress.phase("ceiling: log device", CeilingProbe.WRITING);
        return CeilingProbe.logDevice(part, scenario, seed);
    }
}
