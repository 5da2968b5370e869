package org.hubmark.bench.users;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.SystemCounters;
import org.hubmark.bench.users.result.Resources;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves that counters become rates and shares of the time that the server's machine counted, that
 * loopback counts only where the driver shares that machine, and that what can't be read is not known.
 */
class ResourceMeterTest {
    private static final Map<String, List<String>> DEVICES = Map.of("vda", List.of("mailboxes"));

    /** A machine of two cores, one of them busy, on which two seconds pass with each look. */
    private static final class Steps implements MachineSource {
        private long step;
        private boolean broken;

        @Override
        public MachineReading read() throws IOException {
            if (broken) {
                throw new IOException("the disk is gone");
            }
            step++;
            return new MachineReading(
                    step * 2_000_000_000,
                    step * 2_000,
                    new MachineCpu(200 * step, 400 * step, 0, 0, Map.of(0, 200 * step)),
                    2,
                    step * 500_000_000,
                    Map.of(),
                    0L,
                    null,
                    null,
                    null,
                    Map.of(
                            "vda",
                            new DiskCounters(
                                    10 * step,
                                    40_960 * step,
                                    5 * step,
                                    60 * step,
                                    409_600 * step,
                                    900 * step,
                                    1_000 * step,
                                    3_000 * step)),
                    null,
                    new SystemCounters(
                            (100 - step) * 1024 * 1024,
                            8 * step,
                            1_000 * step,
                            200 * step,
                            50 * step),
                    0L);
        }
    }

    private static Resources spent(Steps steps, boolean here) {
        ResourceMeter meter =
                new ResourceMeter(new ServerMachine("a machine", here, steps, null, DEVICES));
        meter.begin();
        return Objects.requireNonNull(meter.end());
    }

    @Test
    void aServerElsewhereHasTheWholeMachine() {
        Resources spent = spent(new Steps(), false);
        assertThat(spent.source()).isEqualTo("a machine");
        assertThat(spent.cpuPercent()).isEqualTo(50);
        assertThat(spent.serverCpuPercent()).isEqualTo(12.5);
        assertThat(spent.availableMemoryMb()).isEqualTo(98);
        assertThat(spent.pagesPerS()).isEqualTo(4);
        assertThat(spent.networkReceivedBytesPerS()).isEqualTo(500);
        assertThat(spent.networkSentBytesPerS()).isEqualTo(100);
        assertThat(spent.driverMemoryMb()).isPositive();
        assertThat(spent.disks())
                .containsExactly(new Resources.Disk(
                        "vda", List.of("mailboxes"), 1.5, 5.0, 30.0, 20_480.0, 204_800.0, 50.0));
    }

    @Test
    void whereTheDriverSharesTheMachineLoopbackCounts() {
        Resources spent = spent(new Steps(), true);
        assertThat(spent.networkReceivedBytesPerS()).isEqualTo(525);
        assertThat(spent.networkSentBytesPerS()).isEqualTo(125);
        assertThat(spent.cpuPercent()).isBetween(0.0, 50.0);
    }

    @Test
    void whatCannotBeReadIsNotKnown() {
        Steps steps = new Steps();
        ResourceMeter meter =
                new ResourceMeter(new ServerMachine("a machine", true, steps, null, DEVICES));
        meter.begin();
        steps.broken = true;
        Resources spent = Objects.requireNonNull(meter.end());
        assertThat(meter.lost()).contains("can't be read").contains("the disk is gone");
        assertThat(spent.cpuPercent()).isNull();
        assertThat(spent.serverCpuPercent()).isNull();
        assertThat(spent.availableMemoryMb()).isNull();
        assertThat(spent.networkSentBytesPerS()).isNull();
        assertThat(spent.driverMemoryMb()).isPositive();
        assertThat(spent.disks())
                .containsExactly(new Resources.Disk(
                        "vda", List.of("mailboxes"), null, null, null, null, null, null));
        Resources unknown = Objects.requireNonNull(endOf(ServerMachine.unknown()));
        assertThat(unknown.cpuPercent()).isNull();
        assertThat(unknown.disks()).isEmpty();
    }

    private static Resources endOf(ServerMachine machine) {
        ResourceMeter meter = new ResourceMeter(machine);
        assertThat(meter.end()).isNull();
        meter.begin();
        Resources spent = Objects.requireNonNull(meter.end());
        assertThat(meter.lost()).isNull();
        return spent;
    }
}
