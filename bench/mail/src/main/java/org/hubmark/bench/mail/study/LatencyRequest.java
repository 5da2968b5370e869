package org.hubmark.bench.mail.study;

import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Scenario;

/**
 * Request to measure the latency at a lower fixed rate too, since neither a closed loop nor a
 * server at its limit shows it.
 *
 * @param percent of the median rate of the repeats
 */
public record LatencyRequest(double percent) {
    /** {@return whether a scenario shows no latency by itself, and has a hub of ours to ask again} */
    boolean isWanted(ScenarioRequest scenario) {
        return scenario.hub() != null && !(scenario.source().pace() instanceof Pace.OpenLoop);
    }

    /** {@return messages a second; 0 where nothing was accepted} */
    double ratePerSecond(Scenario scenario) {
        double[] rates = scenario.values(Figure.THROUGHPUT_MSGS_PER_S);
        return rates.length == 0 ? 0 : Inference.median(rates) * percent / 100;
    }
}
