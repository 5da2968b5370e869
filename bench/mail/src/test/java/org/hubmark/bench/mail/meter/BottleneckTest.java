package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.bench.mail.meter.Snapshots.FROM;
import static org.hubmark.bench.mail.meter.Snapshots.disk;
import static org.hubmark.bench.mail.meter.Snapshots.end;
import static org.hubmark.bench.mail.meter.Snapshots.host;
import static org.hubmark.bench.mail.meter.Snapshots.machine;
import static org.hubmark.bench.mail.meter.Snapshots.metrics;
import static org.hubmark.bench.mail.meter.Snapshots.snapshot;
import static org.hubmark.bench.mail.meter.Snapshots.threads;
import static org.hubmark.bench.mail.meter.Snapshots.window;

import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.mail.document.Limiting;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Set;

/** Proves what limits a run, by windows that can be checked by hand. */
class BottleneckTest {
    @Test
    void aFullThreadLimitsAMachineThatIsNotBusy() {
        Snapshot end = end(null, null);
        Snapshot from = threads(FROM, Map.of("committer/7", 0L, "smtp-1/8", 0L));
        Snapshot to = threads(end, Map.of("committer/7", 9_500_000_000L, "smtp-1/8", 1L));
        Limiting limiting = new Bottleneck(
                        new Window(from, to, 2), null, 1, 0, Set.of(), null, false)
                .find(true);
        assertThat(limiting.limitingResource()).isEqualTo("cpu");
        assertThat(limiting.limitingReason()).contains("'committer' ran 95%");
        assertThat(limiting.limitingLift()).isNotBlank();
        // By the engine's counters the log is written to for half of the time only.
        assertThat(new Bottleneck(window(end), null, 1, 0, Set.of(), null, false)
                        .find(true)
                        .limitingReason())
                .contains("CPU busy 75%, log volume busy 50% of the time; none was used up");
        assertThat(new Bottleneck(window(end), null, 1, 25, Set.of(), null, false)
                        .find(true)
                        .limitingResource())
                .isEqualTo("log_volume");
    }

    @Test
    void aDriverThatEatsTheMachineIsNoLimitOfTheServer() {
        Snapshot busy = snapshot(
                10, 1_000, 4_000, 14_000, machine(1_950, 2_000), null, null, metrics(0, 0, 0));
        Limiting driver =
                new Bottleneck(window(busy), null, 4, 0, Set.of(), null, false).find(true);
        assertThat(driver.limitingResource()).isEqualTo("driver");
        assertThat(driver.limitingReason()).contains("server 20%, driver 70%");
        Snapshot other = snapshot(
                10, 1_000, 14_000, 4_000, machine(1_950, 2_000), null, null, metrics(0, 0, 0));
        assertThat(limit(window(other), null, 4, true)).isEqualTo("cpu");
    }

    /** Of 20 s: 2 the server's, 1 the driver's, 15 of others, 1.5 of the kernel. */
    @Test
    void othersAreToldFromTheKernelAndToBeStopped() {
        Snapshot busy = snapshot(
                10, 1_000, 2_000, 1_000, machine(1_950, 2_000), null, null, metrics(0, 0, 0));
        Limiting found = new Bottleneck(
                        window(host(busy, busy.machine().cpu(), 18_000_000_000L)),
                        null,
                        4,
                        0,
                        Set.of(),
                        null,
                        false)
                .find(true);
        assertThat(found.limitingReason())
                .isEqualTo(
                        "all cores together were busy 98% of the time: server 10%, driver 5%, other"
                                + " processes 75%, kernel 8%");
        assertThat(found.limitingLift()).isEqualTo("stop the other processes");
    }

    @Test
    void aHubThatIsHeldToOneCoreOfTwoIsLimitedByIt() {
        Window window = new Window(FROM, cores(5_500, 3_000, 980, 400), 2);
        Limiting held = new Bottleneck(window, null, 4, 0, Set.of(0), null, false).find(true);
        assertThat(held.limitingResource()).isEqualTo("cpu");
        assertThat(held.limitingReason())
                .isEqualTo("the 1 of 2 cores that the hub may use were busy 98% of the time");
        // The machine as a whole has room, for who may use it.
        assertThat(new Bottleneck(window, null, 4, 0, Set.of(0, 1), null, false)
                        .find(true)
                        .limitingReason())
                .startsWith("CPU busy 69%");
        Window idle = new Window(FROM, cores(5_500, 3_000, 700, 600), 2);
        assertThat(new Bottleneck(idle, null, 4, 0, Set.of(0), null, false)
                        .find(true)
                        .limitingReason())
                .startsWith("CPU busy 70%");
    }

    /** {@return the end of 10 s, in which server and driver used so much and two cores were so busy} */
    private static Snapshot cores(
            int serverMillis, long driverMillis, long firstTicks, long secondTicks) {
        MachineCpu machine = new MachineCpu(
                firstTicks + secondTicks, 2_000, 0, Map.of(0, firstTicks, 1, secondTicks));
        return snapshot(10, 1_000, serverMillis, driverMillis, machine, null, null, null);
    }

    @Test
    void aDeviceWithOneWaiterIsNotCalledSaturated() {
        assertThat(busyLog(11_000).limitingReason())
                .contains("busy 95% of the time", "its latency sets the pace")
                .doesNotContain("saturated");
        assertThat(busyLog(40_000).limitingReason())
                .contains("4.0 requests were in flight: it is saturated");
    }

    /** {@return what limits where a device was busy for 9.5 of 10 s} */
    private static Limiting busyLog(long weightedMillis) {
        DiskCounters none = disk(0, 0, 0, 0, 0, 0, 0, 0);
        DiskCounters log = disk(20, 0, 0, 500, 57_000_000, 4_000, 9_500, weightedMillis);
        Snapshot from = snapshot(0, 0, 0, 0, machine(0, 0), none, null, metrics(0, 0, 0));
        Window window = new Window(from, end(log, null), 2);
        return new Bottleneck(window, null, 1, 0, Set.of(), null, false).find(true);
    }

    /** 618 MB in 10 s. */
    @Test
    void theThroughputOfAnEmulatedDeviceLimitsThoughTheCoresAreBusy() {
        Limiting found = emulated(DeviceProfile.SATA_7200_CACHE);
        assertThat(found.limitingResource()).isEqualTo("log_volume");
        assertThat(found.limitingReason())
                .isEqualTo("61.8 MB/s were written, of the 62 MB/s that the emulated"
                        + " sata-7200-cache takes");
        assertThat(emulated(DeviceProfile.SCSI_15K_BBWC).limitingReason()).contains("CPU busy 75%");
        assertThat(emulated(null).limitingReason()).contains("CPU busy 75%");
    }

    private static Limiting emulated(@Nullable DeviceProfile device) {
        DiskCounters none = disk(0, 0, 0, 0, 0, 0, 0, 0);
        DiskCounters log = disk(20, 0, 0, 500, 618_000_000, 4_000, 200, 200);
        Snapshot from = snapshot(0, 0, 0, 0, machine(0, 0), none, null, metrics(0, 0, 0));
        Window window = new Window(from, end(log, null), 2);
        return new Bottleneck(window, null, 1, 0, Set.of(), device, false).find(true);
    }

    @Test
    void theShareOfACeilingDecides() {
        Limiting cpu = new Limiting("cpu", "all cores were busy", "cores");
        Limiting log = new Limiting("log_volume", "it was busy", "a device");
        assertThat(cpu.beside(null)).isEqualTo(cpu);
        assertThat(cpu.beside(60.0)).isEqualTo(cpu);
        assertThat(cpu.beside(97.0).limitingResource()).isEqualTo("log_volume");
        assertThat(cpu.beside(97.0).limitingReason()).contains("97% of what the log device holds");
        assertThat(log.beside(40.0).limitingReason())
                .isEqualTo("it was busy; the rate is 40% of what the device holds by itself");
        Limiting rate = new Limiting("rate", "kept", "more");
        assertThat(rate.beside(97.0)).isEqualTo(rate);
    }

    /** On a machine that was busy just then; several percent more than all of it can be. */
    @Test
    void aCeilingBelowTheRunItselfDecidesNothing() {
        Limiting cpu = new Limiting("cpu", "all cores were busy", "cores");
        Limiting log = new Limiting("log_volume", "it was busy", "a device");
        assertThat(cpu.beside(381.0)).isEqualTo(cpu);
        assertThat(log.beside(381.0)).isEqualTo(log);
        assertThat(cpu.beside(108.0).limitingResource()).isEqualTo("log_volume");
    }

    private static @Nullable String limit(
            Window window, @Nullable Double rate, int threads, boolean local) {
        return new Bottleneck(window, rate, threads, 0, Set.of(), null, false)
                .find(local)
                .limitingResource();
    }
}
