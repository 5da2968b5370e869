package org.hubmark.bench.kit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Proves whose the CPU time of a machine is said to be, and that what can't be seen is not known. */
class MachineMeterTest {
    private static final long SECOND = 1_000_000_000;

    private static final Map<MachineCounter, Long> USED =
            Map.of(MachineCounter.SERVER_NS, SECOND, MachineCounter.READER_NS, SECOND / 2);

    /** Of a machine of two cores, which are busy for three seconds of ten; and what else grew by so much. */
    private static Repeat counted(Map<MachineCounter, Long> others) throws IOException {
        Map<MachineCounter, Long> grown = new HashMap<>(USED);
        grown.putAll(others);
        Map<MachineCounter, Long> none = new HashMap<>(grown);
        none.replaceAll((counter, value) -> 0L);
        List<MachineReading> readings =
                new ArrayList<>(List.of(reading(0, none), reading(1, grown)));
        Repeat.Builder counted = Repeat.counted();
        try (MachineMeter meter =
                MachineMeter.begin(readings::removeFirst, () -> List.of("process 7: run"))) {
            meter.end(counted);
        }
        return counted.made();
    }

    private static MachineReading reading(int share, Map<MachineCounter, Long> counters) {
        return new MachineReading(
                10L * share * SECOND,
                new MachineCpu(300L * share, 2_000L * share, 20L * share, Map.of()),
                2,
                counters,
                Map.of(),
                null,
                Map.of());
    }

    @Test
    void whatIsNeitherServerNorDriverIsForeign() throws IOException {
        Repeat repeat = counted(Map.of(MachineCounter.PROCESSES_NS, 2 * SECOND));
        assertThat(MachineMeter.CPU.value(repeat)).isEqualTo(15);
        assertThat(MachineMeter.STEAL.value(repeat)).isEqualTo(1);
        assertThat(MachineMeter.FOREIGN.value(repeat)).isEqualTo(2.5);
        MachineFindings.One found = MachineMeter.found("run 1", repeat);
        MachineUse use = Objects.requireNonNull(found.use());
        assertThat(use.cpuPercent()).isCloseTo(12.5, within(1e-9));
        // A tenth of 12.5 %.
        assertThat(use.disturbances(found.others()))
                .hasSize(2)
                .last(STRING)
                .contains("2.5%")
                .contains("at most 1.3%");
        assertThat(found.stoodStill()).isNull();
    }

    @Test
    void aControlGroupWithALimitIsTheMachine() throws IOException {
        Repeat repeat = counted(Map.of(
                MachineCounter.PROCESSES_NS, 9 * SECOND,
                MachineCounter.GROUP_NS, 2 * SECOND,
                MachineCounter.THROTTLED_NS, SECOND / 2));
        assertThat(MachineMeter.FOREIGN.value(repeat)).isEqualTo(2.5);
        assertThat(MachineMeter.found("run 1", repeat).use())
                .extracting(MachineUse::throttledPercent)
                .isEqualTo(5.0);
    }

    @Test
    void whatCannotBeSeenIsNotKnown() throws IOException {
        Repeat repeat = counted(Map.of());
        assertThat(MachineMeter.FOREIGN.value(repeat)).isNaN();
        assertThat(MachineFindings.of(List.of(MachineMeter.found("run 1", repeat)), true)
                        .warnings())
                .anyMatch(line -> line.contains("not known"));
        assertThat(MachineMeter.found("run 1", Repeat.counted().made()).use()).isNull();
    }
}
