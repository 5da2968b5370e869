package org.hubmark.bench.kit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** Proves from which share on other work on the machine, any other run and a standstill are a reason. */
class MachineUseTest {
    private static final double UNKNOWN = Double.NaN;

    private static MachineUse foreign(double cpuPercent, double foreignPercent) {
        return new MachineUse(cpuPercent, UNKNOWN, foreignPercent, UNKNOWN);
    }

    @Test
    void aQuietMachineIsNoReason() {
        assertThat(MachineUse.UNKNOWN.disturbances(List.of())).isEmpty();
        assertThat(new MachineUse(UNKNOWN, 2, 5, 1).disturbances(List.of())).isEmpty();
        assertThat(new MachineUse(UNKNOWN, 2, 5, 1).isUndisturbed()).isTrue();
    }

    @Test
    void eachIsNamedWithItsShareAndWhatToDo() {
        assertThat(new MachineUse(UNKNOWN, 2.1, 44.96, 1.5)
                        .disturbances(List.of("process 7: ./hubmark run")))
                .containsExactly(
                        "another run measured at the same time: process 7: ./hubmark run",
                        "the hypervisor took 2.1% of the machine's CPU time for others (steal; at most"
                                + " 2.0%)",
                        "processes other than server and driver took 45.0% of the machine's CPU"
                                + " time (at most 5.0%): stop them",
                        "the control group had used up its CPU limit, and its processes stood still,"
                                + " for 1.5% of the time (throttled; at most 1.0%)");
    }

    /** Of a figure of 20 % what others took may be a tenth, and never less than a percent counts. */
    @ParameterizedTest
    @CsvSource({
        "60, 4.9, ''",
        "20, 1.9, ''",
        "20, 2.1, 2.0",
        "3, 0.9, ''",
        "3, 1.1, 1.0",
        "20, 0, ''"
    })
    void boundsGoByWhatIsMeasured(double cpu, double foreign, String most) {
        MachineUse use = foreign(cpu, foreign);
        assertThat(use.isForeign()).isEqualTo(!most.isEmpty());
        assertThat(use.disturbances(List.of()))
                .hasSize(most.isEmpty() ? 0 : 1)
                .allMatch(words -> words.endsWith("(at most " + most + "%): stop them"));
        assertThat(use.unknowns()).isEmpty();
    }

    @Test
    void whatIsNotKnownIsSaidAndNotPassed() {
        assertThat(foreign(20, UNKNOWN).unknowns()).singleElement(STRING).contains("not known");
        assertThat(foreign(20, UNKNOWN).isUndisturbed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "NaN, ",
        "0.1e9, ",
        "3e9, the driver stood still for 3.0 s of the measured time (at most 1%)"
    })
    void aStandstillCountsFromAHundredthOfTheTimeOn(double nanos, @Nullable String words) {
        String found = MachineUse.stoodStill(nanos, 10e9);
        assertThat(String.valueOf(found)).startsWith(String.valueOf(words));
    }

    @Test
    void disturbancesAreReasonsUnlessTheMachineIsKnownToBeShared() {
        List<MachineFindings.One> all = List.of(
                new MachineFindings.One("run 1", foreign(20, 10), null, List.of("process 7")),
                new MachineFindings.One("run 2", foreign(20, UNKNOWN), "it stood still", List.of()),
                new MachineFindings.One("run 3", null, null, List.of()));
        MachineFindings own = MachineFindings.of(all, false);
        assertThat(own.reasons()).hasSize(3).contains("run 2: it stood still");
        assertThat(own.warnings()).singleElement(STRING).contains("not known");
        MachineFindings shared = MachineFindings.of(all, true);
        assertThat(shared.reasons()).containsExactly("run 2: it stood still");
        assertThat(shared.warnings())
                .hasSize(3)
                .anyMatch(line -> line.startsWith("the machine is shared: run 1: another run"));
    }
}
