package org.hubmark.bench.mail.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.mail.document.Capacity;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.CostModel;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Figures;
import org.hubmark.bench.mail.document.Latencies;
import org.hubmark.bench.mail.document.Measured;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Spread;
import org.hubmark.bench.mail.document.Validity;
import org.hubmark.bench.mail.document.WarmUp;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Proves that a model of a matrix is of one rate, where each message bears the same share of the background. */
class CostModelsTest {
    @Test
    void eachRateHasAModelOfItsOwn() {
        List<Scenario> scenarios = new ArrayList<>();
        for (double sizeKb : new double[] {4, 57, 200, 1000}) {
            for (double rate : new double[] {20, 500}) {
                scenarios.add(
                        scenario(sizeKb, rate + "/s", rate, 0.5 + 0.002 * sizeKb + 20 / rate));
            }
        }
        List<CostModel> models = CostModels.of(scenarios);
        assertThat(models)
                .hasSize(2)
                .allMatch(model -> model.quantity().equals(Figure.CPU_COST_MCYCLES_PER_MSG.key()))
                .allMatch(model -> model.points() == 4)
                .allSatisfy(model -> assertThat(model.bPerKb()).isCloseTo(0.002, within(1e-9)));
        assertThat(models.getFirst().a()).isCloseTo(1.5, within(1e-9));
        assertThat(models.getLast().a()).isCloseTo(0.54, within(1e-9));
        assertThat(models.getLast().where().get(Condition.ASKED_RATE)).isEqualTo("500.0/s");
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
                new WarmUp(5.0, true, null, null, null),
                figures,
                List.of(),
                null,
                List.of(),
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
