package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Proves on recorded files that the clock is that of the cores while they work, over the whole time, and
 * on a recorded perf stat and a made-up perf that cycles are counted where the machine counts them.
 */
@Timeout(60)
class CycleSourceTest {
    @TempDir
    Path root;

    @Test
    void theClockIsThatOfTheBusyCores() throws IOException {
        cpuinfo(2000, 800);
        stat(100, 100);
        SampledClock clock = new SampledClock(HostFiles.at(root));
        // One second of core 0 at 3,000 MHz, beside an idle core at 800.
        cpuinfo(3000, 800);
        stat(200, 100);
        assertThat(clock.read()).isEqualTo(new BusyCycles(3000, 100));
        // The clock goes down, and core 1 does a tenth of a second.
        cpuinfo(1000, 500);
        stat(300, 110);
        assertThat(clock.read().megacycles()).isEqualTo(3000 + 1000 + 50, within(1e-9));
        assertThat(clock.read()).isEqualTo(new BusyCycles(4050, 210));
        assertThat(clock.words()).contains("/proc/cpuinfo");
    }

    @Test
    void takesTheScalingFrequencyWhereThereIsOne() throws IOException {
        cpuinfo(2000, 2000);
        String cores = "sys/devices/system/cpu/cpu";
        String file = "/cpufreq/scaling_cur_freq";
        RecordedFiles.write(root, cores + 0 + file, "3400000\n");
        RecordedFiles.write(root, cores + 1 + file, "1200000\n");
        stat(0, 0);
        SampledClock clock = new SampledClock(HostFiles.at(root));
        stat(50, 50);
        assertThat(clock.read()).isEqualTo(new BusyCycles(0.5 * 3400 + 0.5 * 1200, 100));
        assertThat(clock.words()).contains("scaling_cur_freq");
    }

    @Test
    void aMachineThatTellsNoClockHasNoCycles() throws IOException {
        RecordedFiles.write(root, "proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 243.75\n");
        stat(0, 0);
        SampledClock clock = new SampledClock(HostFiles.at(root));
        stat(50, 50);
        assertThat(clock.read()).isEqualTo(BusyCycles.NONE);
    }

    /** As perf 6.1 prints them: on a virtual machine, on a server, on one with two kinds of cores. */
    @Test
    void tellsWhetherTheMachineCounts() {
        assertThat(CountedCycles.counts("<not supported>,,cycles,0,100.00,,\n")).isFalse();
        assertThat(CountedCycles.counts("<not counted>,,cycles,0,0.00,,\n")).isFalse();
        assertThat(CountedCycles.counts("")).isFalse();
        assertThat(CountedCycles.counts("1423118,,cycles,1001544,100.00,,\n")).isTrue();
        assertThat(CountedCycles.counts("""
                        1423118,,cpu_core/cycles/,1001544,100.00,,
                        <not counted>,,cpu_atom/cycles/,0,0.00,,
                        """)).isFalse();
    }

    /** The first interval began before anyone looked at the time, and counts for nothing. */
    @Test
    void cyclesAreThoseThatPerfCounted() throws Exception {
        stat(0, 0);
        Path said = root.resolve("said");
        Files.writeString(said, "");
        List<String> perf = List.of("sh", "-c", "tail -n +1 -f '" + said + "' >&2 & cat; kill $!");
        try (CountedCycles cycles = CountedCycles.start(perf, HostFiles.at(root))) {
            stat(10, 10);
            append(said, "     0.200372,880000000,,cycles,400123,100.00,,\n# a comment\n");
            append(said, "     0.200372,<not counted>,,cycles,400123,100.00,,\n");
            // perf tells each interval while the time goes on.
            await().atMost(Duration.ofSeconds(20)).until(cycles::hasBegun);
            stat(30, 20);
            append(said, "     0.400741,900000000,,cycles,400123,100.00,,\n");
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(
                            () -> assertThat(cycles.read()).isEqualTo(new BusyCycles(900, 30)));
            assertThat(cycles.words()).contains("perf stat");
        }
    }

    /** Started by a test, in a JVM of its own. */
    static final class Opened {
        private Opened() {}

        public static void main(String[] arguments) throws IOException {
            try (CycleSource source = CycleSource.open()) {
                System.out.println(source.words());
            }
        }
    }

    @Test
    void countsWhereTheMachineDoesAndSamplesElsewhere() throws Exception {
        Path tools = Files.createDirectory(root.resolve("tools"));
        assertThat(opened(tools)).contains("sampled once a second");
        Path perf = Files.writeString(tools.resolve("perf"), """
                #!/bin/sh
                echo '1423118,,cycles,1001544,100.00,,' >&2
                read until_the_end || true
                """);
        Files.setPosixFilePermissions(perf, PosixFilePermissions.fromString("rwx------"));
        assertThat(opened(tools)).contains("counted by the hardware");
    }

    /** {@return where cycles come from in a process that finds no other tools than these} */
    private static String opened(Path tools) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Opened.class.getName())
                .redirectErrorStream(true);
        builder.environment().put("PATH", tools.toString());
        Process child = builder.start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(said).isZero();
        return said;
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.APPEND);
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
