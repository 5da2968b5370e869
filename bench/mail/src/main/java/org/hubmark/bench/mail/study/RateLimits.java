package org.hubmark.bench.mail.study;

import org.hubmark.bench.mail.document.Ceilings;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.meter.Bottleneck;
import org.hubmark.bench.mail.meter.Progress;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Limits of the rate of scenarios that are measured beside their repeats: what the log device holds. One thread. */
final class RateLimits {
    private final RunRequest request;
    private final Progress progress;
    /** Messages a second that the log device holds, by the id of the scenario. */
    private final Map<String, Double> logDevice = new HashMap<>();

    /** Prepares, with what an earlier session has measured. */
    RateLimits(RunRequest request, @Nullable Results earlier, Progress progress) {
        this.request = request;
        this.progress = progress;
        if (earlier != null) {
            for (Scenario scenario : earlier.scenarios()) {
                Ceilings known = scenario.capacity().ceilings();
                if (known != null && known.logDeviceMsgsPerS() != null) {
                    logDevice.put(scenario.id(), known.logDeviceMsgsPerS());
                }
            }
        }
    }

    /** {@return a scenario with its limits} */
    Scenario with(Scenario scenario) {
        Ceilings found = Ceilings.of(
                scenario.figures().get(Figure.THROUGHPUT_MSGS_PER_S), logDevice.get(scenario.id()));
        return scenario.with(found, Bottleneck.beside(scenario.figures().limiting(), found));
    }

    /**
     * Measures the ceiling of a scenario, unless it is known or nobody asks for it. Its hub has ended. What
     * was measured before must not be lost with it.
     */
    void measureCeiling(Part part) throws InterruptedException {
        Scenario scenario = part.scenario();
        if (!request.extras().ceilings()
                || scenario == null
                || logDevice.containsKey(scenario.id())) {
            return;
        }
        progress.phase("ceiling: log device", CeilingProbe.WRITING);
        try {
            Double found =
                    CeilingProbe.logDevice(part, scenario, request.repeats().seed());
            if (found != null) {
                logDevice.put(scenario.id(), found);
            }
        } catch (IOException | UserError e) {
            progress.note("no ceiling of the log device: " + RunSession.words(e));
        }
    }
}
