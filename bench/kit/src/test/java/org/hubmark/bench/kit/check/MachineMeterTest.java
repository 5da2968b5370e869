package org.hubmark.bench.kit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.GroupCpu;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Proves whose the CPU time of a machine is said to be, and that what can't be seen is not known. */
class MachineMeterTest {
    private static final long SECOND = 1_000_000_000;

    /**
     * A machine of two cores, which are busy for three seconds of ten; one is the server's, a half the
     * reader's.
     *
     * @param processes CPU seconds of all of them; null where not all can be seen
     */
    private static Repeat counted(@Nullable Double processes, @Nullable GroupCpu group)
            throws IOException {
        List<MachineReading> readings = new ArrayList<>(List.of(
                reading(
                        0,
                        processes == null ? null : 0.0,
                        group == null ? null : new GroupCpu(0, 0L)),
                reading(10, processes, group)));
        MachineSource machine = () -> readings.removeFirst();
        Repeat.Builder counted = Repeat.counted();
        try (MachineMeter meter = MachineMeter.begin(machine, () -> List.of("process 7: run"))) {
            meter.end(counted);
        }
        return counted.made();
    }

    private static MachineReading reading(
            int second, @Nullable Double processes, @Nullable GroupCpu group) {
        int share = second / 10;
        return new MachineReading(
                second * SECOND,
                second * 1_000L,
                new MachineCpu(300L * share, 2_000L * share, 20L * share, Map.of()),
                2,
                new MachineReading.ProcessTimes(
                        share * SECOND,
                        Map.of(),
                        processes == null ? null : (Long) (long) (processes * SECOND),
                        share * SECOND / 2),
                group,
                null,
                null,
                Map.of(),
                null);
    }

    @Test
    void whatIsNeitherServerNorDriverIsForeign() throws IOException {
        Repeat repeat = counted(2.0, null);
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
        Repeat repeat = counted(9.0, new GroupCpu(2 * SECOND, SECOND / 2));
        assertThat(MachineMeter.FOREIGN.value(repeat)).isEqualTo(2.5);
        assertThat(MachineMeter.found("run 1", repeat).use())
                .extracting(MachineUse::throttledPercent)
                .isEqualTo(5.0);
    }

    @Test
    void whatCannotBeSeenIsNotKnown() throws IOException {
        Repeat repeat = counted(null, null);
        assertThat(MachineMeter.FOREIGN.value(repeat)).isNaN();
        assertThat(MachineFindings.of(List.of(MachineMeter.found("run 1", repeat)), true)
                        .warnings())
                .anyMatch(line -> line.contains("not known"));
        assertThat(MachineMeter.found("run 1", Repeat.counted().made()).use()).isNull();
    }
}
