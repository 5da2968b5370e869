package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures;
import org.hubmark.bench.results.Measured;
import org.hubmark.bench.results.Remedy;
import org.hubmark.bench.results.Results;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Proves from which share on other work on the machine, and any other run, is a reason. */
class DisturbanceTest {
    @Test
    void aQuietMachineIsNoReason() {
        assertThat(Disturbance.reasons(figures(Map.of()), List.of())).isEmpty();
        assertThat(Disturbance.reasons(
                        figures(Map.of(Figure.STEAL_PERCENT, 2.0, Figure.FOREIGN_CPU_PERCENT, 5.0)),
                        List.of()))
                .isEmpty();
    }

    @Test
    void eachIsNamedWithItsShare() {
        assertThat(Disturbance.reasons(
                        figures(Map.of(
                                Figure.STEAL_PERCENT, 2.1, Figure.FOREIGN_CPU_PERCENT, 44.96)),
                        List.of("process 7: ./hubmark run")))
                .containsExactly(
                        "another run measured at the same time: process 7: ./hubmark run",
                        "the hypervisor took 2.1% of the machine's CPU time for others (steal; at most"
                                + " 2.0%)",
                        "processes other than server and driver took 45.0% of the machine's CPU"
                                + " time (at most 5.0%)");
    }

    /** Of a figure of 20 % what others took may be a tenth, and never less than a percent counts. */
    @Test
    void boundsGoByWhatIsMeasured() {
        assertThat(foreign(60, 4.9)).isEmpty();
        assertThat(foreign(20, 1.9)).isEmpty();
        assertThat(foreign(20, 2.1))
                .containsExactly("processes other than server and driver took 2.1% of the machine's"
                        + " CPU time (at most 2.0%)");
        assertThat(foreign(3, 0.9)).isEmpty();
        assertThat(foreign(3, 1.1)).hasSize(1);
    }

    private static List<String> foreign(double cpuPercent, double foreignPercent) {
        return Disturbance.reasons(
                figures(Map.of(
                        Figure.CPU_PERCENT,
                        cpuPercent,
                        Figure.FOREIGN_CPU_PERCENT,
                        foreignPercent)),
                List.of());
    }

    @Test
    void whatIsNotKnownIsSaid() {
        Figures unseen = figures(Map.of(Figure.SERVER_CPU_US_PER_MSG, 100.0));
        assertThat(Disturbance.unknown(unseen, false)).singleElement(STRING).contains("not known");
        assertThat(Disturbance.unknown(unseen, true)).isEmpty();
        assertThat(Disturbance.unknown(figures(Map.of()), false)).isEmpty();
    }

    /** By the words of the reason. */
    @Test
    void somethingCanBeDoneAboutEach() {
        List<String> reasons = Disturbance.reasons(
                figures(Map.of(
                        Figure.STEAL_PERCENT,
                        2.1,
                        Figure.FOREIGN_CPU_PERCENT,
                        44.96,
                        Figure.THROTTLED_PERCENT,
                        1.5)),
                List.of("process 7: ./hubmark run"));
        assertThat(reasons)
                .hasSize(4)
                .allSatisfy(reason -> assertThat(Remedy.of(List.of(reason)))
                        .singleElement(STRING)
                        .contains("--shared-machine to only note it"));
    }

    private static Figures figures(Map<Column, Double> known) {
        return new Figures(
                Figures.Limiting.UNKNOWN,
                new Measured(known),
                null,
                null,
                new Results.CounterSource(null, null),
                null,
                null,
                null,
                null,
                null,
                null,
                new Figures.Counts(1, 1, 0, 0, null, null, null),
                Figures.Clock.UNKNOWN);
    }
}
