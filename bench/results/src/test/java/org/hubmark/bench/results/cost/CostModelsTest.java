package org.hubmark.bench.results.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.results.Capacity;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.CostModel;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures;
import org.hubmark.bench.results.Latencies;
import org.hubmark.bench.results.Measured;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.Spread;
import org.hubmark.bench.results.Validity;
import org.hubmark.bench.results.WarmUp;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Proves that the models of a matrix are told at which rate each of its cells was measured. */
class CostModelsTest {
    @Test
    void atRatesOfTheirOwnTheBackgroundIsToldFromTheSize() {
        CostModel model = model("20/s", "100/s", "500/s");
        assertThat(model.quantity()).isEqualTo(Figure.CPU_COST_MCYCLES_PER_MSG.key());
        assertThat(model.line().backgroundPerS()).isCloseTo(20, within(1e-6));
        assertThat(model.line().a()).isCloseTo(0.5, within(1e-9));
        assertThat(model.line().bPerKb()).isCloseTo(0.002, within(1e-9));
        assertThat(model.fit().misfit()).isNull();
    }

    /** Each message takes the time that it costs, and no more: it has no share of a background. */
    @Test
    void atFullLoadThereIsNone() {
        assertThat(model("max").line().backgroundPerS()).isNull();
    }

    private static CostModel model(String... askedRates) {
        List<Scenario> scenarios = new ArrayList<>();
        for (double sizeKb : new double[] {4, 57, 200, 1000}) {
            for (String asked : askedRates) {
                double rate = asked.equals("max")
                        ? 1000
                        : Double.parseDouble(asked.substring(0, asked.length() - "/s".length()));
                scenarios.add(scenario(sizeKb, asked, rate, 0.5 + 0.002 * sizeKb + 20 / rate));
            }
        }
        return new CostModels(scenarios).models().getFirst();
    }

    private static Scenario scenario(double sizeKb, String asked, double rate, double cost) {
        Figures figures = new Figures(
                new Figures.Limiting("rate", null, null),
                new Measured(Map.of(
                        Figure.THROUGHPUT_MSGS_PER_S, rate, Figure.CPU_COST_MCYCLES_PER_MSG, cost)),
                Figures.QueueMax.UNKNOWN,
                new Results.CounterSource(null, null),
                null,
                Latencies.UNKNOWN,
                null,
                null,
                null,
                new Figures.Counts(1, 1, 0, 0, null, null, null),
                Figures.Clock.UNKNOWN);
        Scenario.Repeat repeat = new Scenario.Repeat(
                1,
                "2026-01-01T00:00:00Z",
                new WarmUp(5.0, true, null, null),
                figures,
                List.of(),
                null,
                List.of(),
                Validity.FULL,
                Map.of());
        return new Scenario(
                sizeKb + "kb-" + asked,
                sizeKb,
                Conditions.UNKNOWN.with(Condition.ASKED_RATE, asked),
                figures,
                new Spread(null, null, null, null, null, null, null, null, List.of()),
                Capacity.UNKNOWN,
                List.of(),
                null,
                List.of(repeat),
                Validity.FULL);
    }
}
