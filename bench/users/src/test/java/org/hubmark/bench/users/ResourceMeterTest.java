package org.hubmark.bench.users;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.ResourceForm;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Proves that counters become rates and shares of the time that the server's machine counted and that what can't be read is not known.
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
                    new MachineCpu(200 * step, 400 * step, 0, Map.of(0, 200 * step)),
                    2,
                    Map.of(
                            MachineCounter.SERVER_NS, step * 500_000_000,
                            MachineCounter.PROCESSES_NS, step * 700_000_000,
                            MachineCounter.READER_NS, step * 100_000_000,
                            MachineCounter.AVAILABLE_BYTES, (100 - step) * 1024 * 1024,
                            MachineCounter.PAGES, 8 * step,
                            MachineCounter.RECEIVED_BYTES, 1_000 * step,
                            MachineCounter.SENT_BYTES, 200 * step),
                    Map.of(),
                    null,
                    Map.of(
                            "vda",
                            new DiskCounters(Map.of(
                                    DiskCounter.READS, 10 * step,
                                    DiskCounter.READ_BYTES, 40_960 * step,
                                    DiskCounter.READ_MS, 5 * step,
                                    DiskCounter.WRITES, 60 * step,
                                    DiskCounter.WRITTEN_BYTES, 409_600 * step,
                                    DiskCounter.WRITE_MS, 900 * step,
                                    DiskCounter.BUSY_MS, 1_000 * step,
                                    DiskCounter.WEIGHTED_MS, 3_000 * step))));
        }
    }

    private static Repeat spent(Steps steps, boolean here) {
        return endOf(new ResourceMeter(new ServerMachine("a machine", here, steps, DEVICES)));
    }

    private static Repeat endOf(ResourceMeter meter) {
        Repeat.Builder nothing = Repeat.counted();
        meter.end(nothing);
        assertThat(nothing.made().counters()).isEmpty();
        meter.begin();
        return end(meter);
    }

    private static Repeat end(ResourceMeter meter) {
        Repeat.Builder counted = Repeat.counted();
        meter.end(counted);
        return counted.made();
    }

    private static double value(String key, Repeat spent) {
        return LevelForm.LEVELS.columns().stream()
                .filter(column -> column.key().equals("resources." + key))
                .findFirst()
                .orElseThrow()
                .value(spent);
    }

    private static List<Double> disk(Repeat spent) {
        Repeat disk =
                spent.parts().getOrDefault(ResourceForm.DISKS.key(), List.of()).getFirst();
        assertThat(disk.name(ResourceForm.HOLDS)).isEqualTo("mailboxes");
        assertThat(disk.name(ResourceForm.DEVICE)).isEqualTo("vda");
        return ResourceForm.DISKS.columns().stream()
                .map(column -> column.value(disk))
                .toList();
    }

    @Test
    void aServerElsewhereHasTheWholeMachine() {
        Repeat spent = spent(new Steps(), false);
        assertThat(ResourceForm.CPU.value(spent)).isEqualTo(50);
        assertThat(ResourceForm.SERVER_CPU.value(spent)).isEqualTo(12.5);
        assertThat(MachineMeter.FOREIGN.value(spent)).isEqualTo(5);
        assertThat(MachineMeter.STEAL.value(spent)).isZero();
        assertThat(ResourceForm.AVAILABLE.value(spent)).isEqualTo(98);
        assertThat(ResourceForm.PAGING.value(spent)).isEqualTo(4);
        assertThat(value("network_received_bytes_per_s", spent)).isEqualTo(500);
        assertThat(value("network_sent_bytes_per_s", spent)).isEqualTo(100);
        assertThat(disk(spent)).containsExactly(1.5, 5.0, 30.0, 5 / 30.0, 50.0);
    }

    @Test
    void whatCannotBeReadIsNotKnown() {
        Steps steps = new Steps();
        ResourceMeter meter =
                new ResourceMeter(new ServerMachine("a machine", true, steps, DEVICES));
        meter.begin();
        steps.broken = true;
        Repeat spent = end(meter);
        assertThat(ResourceForm.CPU.value(spent)).isNaN();
        assertThat(ResourceForm.SERVER_CPU.value(spent)).isNaN();
        assertThat(ResourceForm.AVAILABLE.value(spent)).isNaN();
        assertThat(value("network_sent_bytes_per_s", spent)).isNaN();
        assertThat(disk(spent)).hasSize(5).containsOnly(Double.NaN);
        ResourceMeter blind =
                new ResourceMeter(new ServerMachine("this machine", false, null, Map.of()));
        Repeat unknown = endOf(blind);
        assertThat(ResourceForm.CPU.value(unknown)).isNaN();
        assertThat(unknown.parts().get(ResourceForm.DISKS.key())).isEmpty();
    }
}
