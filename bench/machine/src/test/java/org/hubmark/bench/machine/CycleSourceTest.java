package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** Proves on recorded files that the clock is that of the cores while they work, over the whole time. */
@Timeout(60)
class CycleSourceTest {
    @TempDir
    Path root;

    @Test
    void theClockIsThatOfTheBusyCores() throws IOException {
        cpuinfo(2000, 800);
        stat(100, 100);
        CycleSource clock = new CycleSource(new HostFiles(root));
        // One second of core 0 at 3,000 MHz, beside an idle core at 800.
        cpuinfo(3000, 800);
        stat(200, 100);
        assertThat(clock.read()).isEqualTo(new BusyCycles(3000, 100));
        // The clock goes down, and core 1 does a tenth of a second.
        cpuinfo(1000, 500);
        stat(300, 110);
        assertThat(clock.read().megacycles()).isEqualTo(3000 + 1000 + 50, within(1e-9));
        assertThat(clock.read()).isEqualTo(new BusyCycles(4050, 210));
    }

    @Test
    void takesTheScalingFrequencyWhereThereIsOne() throws IOException {
        cpuinfo(2000, 2000);
        String cores = "sys/devices/system/cpu/cpu";
        String file = "/cpufreq/scaling_cur_freq";
        RecordedFiles.write(root, cores + 0 + file, "3400000\n");
        RecordedFiles.write(root, cores + 1 + file, "1200000\n");
        stat(0, 0);
        CycleSource clock = new CycleSource(new HostFiles(root));
        stat(50, 50);
        assertThat(clock.read()).isEqualTo(new BusyCycles(0.5 * 3400 + 0.5 * 1200, 100));
    }

    @Test
    void aMachineThatTellsNoClockHasNoCycles() throws IOException {
        RecordedFiles.write(root, "proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 243.75\n");
        stat(0, 0);
        CycleSource clock = new CycleSource(new HostFiles(root));
        stat(50, 50);
        assertThat(clock.read()).isEqualTo(BusyCycles.NONE);
    }

    private void stat(long first, long second) throws IOException {
        RecordedFiles.write(
                root, "proc/stat", String.format(Locale.ROOT, """
                cpu  %d 0 0 1000 0 0 0 0 0 0
                cpu0 %d 0 0 500 0 0 0 7 0 0
                cpu1 %d 0 0 500 0 0 0 7 0 0
                intr 1
                """, first + second, first, second));
    }

    private void cpuinfo(double first, double second) throws IOException {
        RecordedFiles.write(root, "proc/cpuinfo", String.format(Locale.ROOT, """
                processor\t: 0
                cpu MHz\t\t: %.3f

                processor\t: 1
                cpu MHz\t\t: %.3f
                """, first, second));
    }
}
