package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import org.hubmark.bench.kit.check.MachineUse;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Proves that something can be done about each disturbance, by the words of its reason. */
class RemedyTest {
    @Test
    void somethingCanBeDoneAboutEachDisturbance() {
        List<String> reasons = new Measured(Map.of(
                        Figure.STEAL_PERCENT,
                        2.1,
                        Figure.FOREIGN_CPU_PERCENT,
                        44.96,
                        Figure.THROTTLED_PERCENT,
                        1.5))
                .machineUse()
                .disturbances(List.of("process 7: ./hubmark run"));
        assertThat(reasons)
                .hasSize(4)
                .allSatisfy(reason -> assertThat(Remedy.of(List.of(reason)))
                        .singleElement(STRING)
                        .contains("--shared-machine to only note it"));
    }

    @Test
    void somethingCanBeDoneAboutAStandstill() {
        assertThat(Remedy.of(List.of(Objects.requireNonNull(MachineUse.stoodStill(3e9, 10e9)))))
                .hasSize(1);
    }
}
