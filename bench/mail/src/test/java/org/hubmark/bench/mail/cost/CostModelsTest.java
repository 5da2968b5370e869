package org.hubmark.bench.mail.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.CostModel;
import org.hubmark.bench.mail.document.Counters;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MadeResults;
import org.hubmark.bench.mail.document.Scenario;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

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
        return MadeResults.scenario(
                sizeKb + "kb-" + asked,
                sizeKb,
                Conditions.UNKNOWN.with(Condition.ASKED_RATE, asked),
                List.of(MadeResults.repeat(1)
                        .count(Counters.MEASURED_NS, 1e9)
                        .count(Counters.ACCEPTED_MSGS, rate)
                        .count(Counters.LOGICAL_CORES, 1)
                        .count(Counters.DRIVER_CORES, 1)
                        .count(Counters.DRIVER_ON_MACHINE, 0)
                        .count(Counters.DRIVER_CPU_NS, 0)
                        .count(Counters.MACHINE_TOTAL_TICKS, 1e9)
                        .count(Counters.MACHINE_BUSY_TICKS, cost * rate * 1e6)
                        .count(Counters.CLOCK_TICKS, 100)
                        .count(Counters.CLOCK_MCYCLES, 1000)
                        .made()));
    }
}
