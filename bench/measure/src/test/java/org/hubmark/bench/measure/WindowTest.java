package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.assertj.core.data.Offset;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.machine.BusyCycles;
import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.ResourceLimits;
import org.hubmark.bench.machine.SyncCounters;
import org.hubmark.bench.measure.hub.HubCounters;
import org.hubmark.bench.results.Ceilings;
import org.hubmark.bench.results.Counter;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures;
import org.hubmark.bench.results.Knee;
import org.hubmark.bench.results.Measured;
import org.hubmark.bench.results.Medians;
import org.hubmark.bench.results.Remedy;
import org.hubmark.bench.results.Results;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/**
 * Proves each formula on numbers that can be checked by hand: 10 s, 1,000 messages of 57,000 bytes
 * accepted, 2 cores of 2,000 MHz.
 */
class WindowTest {
    private static final Offset<Double> CLOSE = within(1e-9);
    private static final Snapshot FROM =
            snapshot(0, 0, 0, 0, machine(0, 0), null, null, metrics(0, 0, 0));

    @Test
    void costsAreTheMachineLessTheDriver() {
        // Of 20 s of CPU time the machine was busy for 15, 3 of them in the driver.
        Window cost = window(end(null, null));
        assertThat(cost.get(Figure.MACHINE_CPU_PERCENT)).isEqualTo(75, CLOSE);
        assertThat(cost.get(Figure.DRIVER_CPU_PERCENT)).isEqualTo(15, CLOSE);
        assertThat(cost.get(Figure.CPU_PERCENT)).isEqualTo(60, CLOSE);
        assertThat(cost.get(Figure.CPU_COST_MCYCLES_PER_MSG))
                .isEqualTo(0.6 * 2 * 2000 / 100, CLOSE);
        assertThat(cost.get(Figure.CPU_COST_CYCLES_PER_MSG_BYTE)).isEqualTo(24e6 / 57_000, CLOSE);
        assertThat(cost.get(Figure.SERVER_CPU_US_PER_MSG)).isEqualTo(10_000, CLOSE);
        assertThat(cost.get(Figure.CPU_COST_PROCESS_MCYCLES_PER_MSG)).isEqualTo(20, CLOSE);
    }

    /** Of 20 s: busy for 15, of that 0.4 stolen, 3 the driver's, 10 the server's, 0.6 the kernel's. */
    @Test
    void whatNeitherServerNorDriverNorKernelUsedIsForeign() {
        Snapshot end =
                host(end(null, null), new MachineCpu(1_500, 2_000, 40, 20, Map.of()), 400_000_000L);
        Window window = new Window(FROM, end, 2);
        assertThat(window.get(Figure.STEAL_PERCENT)).isEqualTo(2, CLOSE);
        assertThat(window.get(Figure.FOREIGN_CPU_PERCENT)).isEqualTo(100 * 1.0 / 20, CLOSE);
        // Where the kernel's threads can't be seen, they can't be told from others.
        Window blind = new Window(FROM, host(end, end.machine().cpu(), null), 2);
        assertThat(blind.get(Figure.FOREIGN_CPU_PERCENT)).isNull();
        assertThat(blind.get(Figure.STEAL_PERCENT)).isEqualTo(2, CLOSE);
    }

    /**
     * On the server's machine of 8 cores, 20 s passed while the driver measured 10: what it did in a second
     * is half of what it counted in 20 s, and what a message cost half of it, too.
     */
    @Test
    void countersOfAnotherMachineAreDividedByItsOwnClock() {
        DiskCounters none = new DiskCounters(0, 0, 0, 0, 0, 0, 0, 0);
        DiskCounters log = new DiskCounters(40, 0, 0, 1_000, 114_000_000, 8_000, 19_000, 30_000);
        Snapshot from =
                elsewhere(snapshot(0, 0, 0, 0, machine(0, 0), none, null, null), 5_000_000_000L);
        Snapshot to = elsewhere(
                snapshot(10, 1_000, 20_000, 3_000, machine(4_000, 16_000), log, null, null),
                25_000_000_000L);
        Window window = new Window(from, to, 2);
        assertThat(window.get(Figure.LOG_WRITES_PER_S)).isEqualTo(50, CLOSE);
        assertThat(window.get(Figure.LOG_WRITES_PER_MSG)).isEqualTo(0.5, CLOSE);
        assertThat(window.get(Figure.AVG_LOG_WRITE_LATENCY_MS)).isEqualTo(8, CLOSE);
        assertThat(window.get(Figure.AVG_LOG_DISK_QUEUE_LENGTH)).isEqualTo(1.5, CLOSE);
        assertThat(window.get(Figure.LOG_BYTES_PER_ACCEPTED_BYTE)).isEqualTo(1, CLOSE);
        assertThat(window.logBusyPercent()).isEqualTo(95, CLOSE);
        assertThat(window.get(Figure.SERVER_CPU_US_PER_MSG)).isEqualTo(10_000, CLOSE);
        // Nothing of the driver is in there, whose own machine has 2 cores.
        assertThat(window.get(Figure.MACHINE_CPU_PERCENT)).isEqualTo(25, CLOSE);
        assertThat(window.get(Figure.CPU_PERCENT)).isEqualTo(25, CLOSE);
        assertThat(window.get(Figure.DRIVER_CPU_PERCENT)).isEqualTo(15, CLOSE);
        // A quarter of 8 cores of 2,000 MHz, for 100 messages a second.
        assertThat(window.get(Figure.CPU_COST_MCYCLES_PER_MSG)).isEqualTo(40, CLOSE);
        assertThat(window.serverCpuPercent()).isEqualTo(100.0 / 8, CLOSE);
    }

    /** An exporter knows the machine and no process; what was lost is known of neither. */
    @Test
    void aMachineElsewhereTellsOfTheServerWithoutItsProcesses() {
        Snapshot from =
                elsewhere(snapshot(0, 0, null, 0, machine(0, 0), null, null, null), 1_000_000_000L);
        Snapshot to = elsewhere(
                snapshot(10, 1_000, null, 3_000, machine(1_600, 8_000), null, null, null),
                11_000_000_000L);
        Window window = new Window(from, to, 2);
        assertThat(window.get(Figure.CPU_PERCENT)).isEqualTo(20, CLOSE);
        assertThat(window.get(Figure.CPU_COST_MCYCLES_PER_MSG)).isEqualTo(32, CLOSE);
        assertThat(window.get(Figure.SERVER_CPU_US_PER_MSG)).isNull();
        assertThat(window.get(Figure.FOREIGN_CPU_PERCENT)).isNull();
        assertThat(to.tellsOfServer()).isTrue();
        Snapshot lost = with(to, MachineReading.UNKNOWN);
        Window blind = new Window(from, lost, 2);
        assertThat(blind.get(Figure.CPU_PERCENT)).isNull();
        assertThat(blind.get(Figure.THROUGHPUT_MSGS_PER_S)).isEqualTo(100, CLOSE);
        assertThat(blind.get(Figure.DRIVER_CPU_PERCENT)).isEqualTo(15, CLOSE);
        assertThat(lost.tellsOfServer()).isFalse();
    }

    private static Snapshot elsewhere(Snapshot of, long nanos) {
        MachineReading known = of.machine();
        return new Snapshot(
                of.nanos(),
                of.load(),
                of.driverCpuNanos(),
                reading(
                        nanos,
                        known.cpu(),
                        known.serverCpuNanos(),
                        Map.of(),
                        known.kernelThreadNanos(),
                        known.cycles()),
                1_000_000L,
                of.log(),
                of.queue(),
                null,
                null,
                of.hub());
    }

    @Test
    void theClockIsThatOfTheWholeTime() {
        Snapshot end = end(null, null);
        assertThat(window(end).get(Figure.CPU_CLOCK_MHZ)).isEqualTo(2_000, CLOSE);
        Figures.Clock clock =
                new Figures.Clock(null, null, "x").with(2_000.0).with(null).with(1_900.0);
        assertThat(clock).isEqualTo(new Figures.Clock(1_900.0, 2_000.0, "x"));
    }

    @Test
    void engineCountsWhereADeviceIsShared() {
        Window disk = window(end(null, null));
        assertThat(disk.counterSource().log()).isEqualTo("engine");
        assertThat(disk.get(Figure.LOG_WRITES_PER_S)).isEqualTo(25, CLOSE);
        assertThat(disk.get(Figure.LOG_WRITES_PER_MSG)).isEqualTo(0.25, CLOSE);
        assertThat(disk.get(Figure.AVG_LOG_WRITE_LATENCY_MS)).isEqualTo(20, CLOSE);
        assertThat(disk.get(Figure.AVG_LOG_DISK_QUEUE_LENGTH)).isNull();
        assertThat(disk.get(Figure.QUEUE_WRITES_PER_S)).isNull();
        assertThat(disk.get(Figure.MSGS_PER_GROUP_MEAN)).isEqualTo(4, CLOSE);
    }

    @Test
    void devicesCountWhereTheyAreOurs() {
        DiskCounters log = new DiskCounters(20, 0, 0, 500, 57_000_000, 4_000, 9_500, 15_000);
        Window window = new Window(
                snapshot(
                        0,
                        0,
                        0,
                        0,
                        machine(0, 0),
                        new DiskCounters(0, 0, 0, 0, 0, 0, 0, 0),
                        null,
                        metrics(0, 0, 0)),
                end(log, null),
                2);
        Window disk = window;
        assertThat(disk.counterSource().log()).isEqualTo("device");
        assertThat(disk.get(Figure.LOG_WRITES_PER_S)).isEqualTo(50, CLOSE);
        assertThat(disk.get(Figure.LOG_READS_PER_S)).isEqualTo(2, CLOSE);
        assertThat(disk.get(Figure.AVG_LOG_WRITE_LATENCY_MS)).isEqualTo(8, CLOSE);
        assertThat(disk.get(Figure.AVG_LOG_DISK_QUEUE_LENGTH)).isEqualTo(1.5, CLOSE);
        assertThat(disk.get(Figure.LOG_BYTES_PER_ACCEPTED_BYTE)).isEqualTo(1, CLOSE);
        assertThat(window.logBusyPercent()).isEqualTo(95, CLOSE);
        assertThat(limit(window, null, 1, true)).isEqualTo("log_volume");
        assertThat(limit(window, 100.0, 1, true)).isEqualTo("rate");
    }

    @Test
    void aFullThreadLimitsAMachineThatIsNotBusy() {
        Snapshot end = end(null, null);
        Snapshot from = threads(FROM, Map.of("committer/7", 0L, "smtp-1/8", 0L));
        Snapshot to = threads(end, Map.of("committer/7", 9_500_000_000L, "smtp-1/8", 1L));
        Figures.Limiting limiting =
                new Bottleneck(new Window(from, to, 2), null, 1, null, null).find(true);
        assertThat(limiting.limitingResource()).isEqualTo("cpu");
        assertThat(limiting.limitingReason()).contains("'committer' ran 95%");
        assertThat(limiting.limitingLift()).isNotBlank();
        // By the engine's counters the log is written to for half of the time only.
        assertThat(new Bottleneck(window(end), null, 1, null, null).find(true).limitingReason())
                .contains("nothing was used up: cpu 75%, log volume 50%");
        Results.AcceptLatency latency = new Results.AcceptLatency(25, 25, 25, 25, 25, 25);
        assertThat(new Bottleneck(window(end), null, 1, latency, null)
                        .find(true)
                        .limitingResource())
                .isEqualTo("log_volume");
    }

    @Test
    void aDriverThatEatsTheMachineIsNoLimitOfTheServer() {
        Snapshot busy = snapshot(
                10, 1_000, 4_000, 14_000, machine(1_950, 2_000), null, null, metrics(0, 0, 0));
        Figures.Limiting driver = new Bottleneck(window(busy), null, 4, null, null).find(true);
        assertThat(driver.limitingResource()).isEqualTo("driver");
        assertThat(driver.limitingReason()).contains("server 20%, driver 70%");
        Snapshot other = snapshot(
                10, 1_000, 14_000, 4_000, machine(1_950, 2_000), null, null, metrics(0, 0, 0));
        assertThat(limit(window(other), null, 4, true)).isEqualTo("cpu");
    }

    @Test
    void aDriverThatIsTheBottleneckMakesARepeatInvalid() {
        Figures.Limiting driver = new Figures.Limiting("driver", "it was busy", "another machine");
        assertThat(reasons(driver, new Histogram(3)))
                .containsExactly("the driver is the bottleneck: it was busy");
    }

    /** Of 1,000 sends 11 may not be late by more than 10 ms. */
    @Test
    void soDoesOneThatSendsLate() {
        Histogram lateness = new Histogram(3);
        lateness.recordValueWithCount(1_000, 991);
        lateness.recordValueWithCount(25_000_000, 9);
        assertThat(reasons(Figures.Limiting.UNKNOWN, lateness)).isEmpty();
        lateness.recordValueWithCount(25_000_000, 2);
        assertThat(reasons(Figures.Limiting.UNKNOWN, lateness))
                .containsExactly("the driver is the bottleneck: it sent late by 25.0 ms (p99; at"
                        + " most 10 ms)");
    }

    private static List<String> reasons(Figures.Limiting limiting, Histogram lateness) {
        Snapshot end = end(null, null);
        Figures.Counts counts = new Figures.Counts(1_000, 1_000, 0, 0, 1_000L, 0L, 0L);
        return Validity.reasons(counts, end.load(), window(end), limiting, lateness, false);
    }

    @Test
    void aHubThatIsHeldToOneCoreOfTwoIsLimitedByIt() {
        ResourceLimits one = new ResourceLimits("0", null, null, null);
        ResourceLimits all = new ResourceLimits("0-1", null, null, null);
        Window window = new Window(FROM, cores(5_500, 3_000, 980, 400), 2);
        assertThat(held(window, one, all)).isEqualTo("cpu");
        assertThat(new Bottleneck(window, null, 4, null, new HeldServer(one, all))
                        .find(true)
                        .limitingReason())
                .isEqualTo("the cores that the hub may use (0, 1 of 2) were busy 98% of the time;"
                        + " the hub itself used 55% of it");
        // The machine as a whole has room, for who may use it.
        assertThat(new Bottleneck(window, null, 4, null, new HeldServer(all, all))
                        .find(true)
                        .limitingReason())
                .startsWith("nothing was used up: cpu 69%");
        // The driver beside it, with nowhere else to go, ate more of the core.
        Window shared = new Window(FROM, cores(3_000, 6_500, 980, 10), 2);
        assertThat(held(shared, one, one)).isEqualTo("driver");
        assertThat(held(shared, one, all)).isEqualTo("cpu");
        Window idle = new Window(FROM, cores(5_500, 3_000, 700, 600), 2);
        assertThat(new Bottleneck(idle, null, 4, null, new HeldServer(one, all))
                        .find(true)
                        .limitingReason())
                .startsWith("nothing was used up: cpu 70%");
    }

    @Test
    void aHubThatHasUsedItsQuotaIsLimitedByIt() {
        ResourceLimits half = new ResourceLimits("0-1", null, 0.5, null);
        ResourceLimits free = new ResourceLimits("0-1", null, null, null);
        Window window = new Window(FROM, cores(4_900, 3_000, 500, 500), 2);
        assertThat(held(window, half, free)).isEqualTo("cpu");
        assertThat(held(new Window(FROM, cores(2_500, 2_400, 500, 500), 2), half, half))
                .as("hub and driver in one group")
                .isEqualTo("cpu");
        assertThat(new Bottleneck(window, null, 4, null, new HeldServer(half, free))
                        .find(true)
                        .limitingReason())
                .isEqualTo("98% of the CPU time was used that the hub's control group allows, 0.50"
                        + " cores");
    }

    private static @Nullable String held(
            Window window, ResourceLimits server, ResourceLimits driver) {
        return new Bottleneck(window, null, 4, null, new HeldServer(server, driver))
                .find(true)
                .limitingResource();
    }

    /** {@return the end of 10 s, in which server and driver used so much and two cores were so busy} */
    private static Snapshot cores(
            int serverMillis, long driverMillis, long firstTicks, long secondTicks) {
        MachineCpu machine = new MachineCpu(
                firstTicks + secondTicks, 2_000, 0, 0, Map.of(0, firstTicks, 1, secondTicks));
        return snapshot(10, 1_000, serverMillis, driverMillis, machine, null, null, null);
    }

    @Test
    void aDeviceWithOneWaiterIsNotCalledSaturated() {
        assertThat(busyLog(11_000).limitingReason())
                .contains("under way 95% of the time", "one at a time")
                .doesNotContain("saturated");
        assertThat(busyLog(40_000).limitingReason())
                .contains("4.0 were in flight on average: the device is saturated");
    }

    /** {@return what limits where a device was busy for 9.5 of 10 s} */
    private static Figures.Limiting busyLog(long weightedMillis) {
        DiskCounters none = new DiskCounters(0, 0, 0, 0, 0, 0, 0, 0);
        DiskCounters log =
                new DiskCounters(20, 0, 0, 500, 57_000_000, 4_000, 9_500, weightedMillis);
        Snapshot from = snapshot(0, 0, 0, 0, machine(0, 0), none, null, metrics(0, 0, 0));
        Window window = new Window(from, end(log, null), 2);
        return new Bottleneck(window, null, 1, null, null).find(true);
    }

    @Test
    void theShareOfACeilingDecides() {
        Figures.Limiting cpu = new Figures.Limiting("cpu", "all cores were busy", "cores");
        Figures.Limiting log = new Figures.Limiting("log_volume", "it was busy", "a device");
        assertThat(Bottleneck.beside(cpu, (Ceilings) null)).isEqualTo(cpu);
        assertThat(Bottleneck.beside(cpu, log(60))).isEqualTo(cpu);
        assertThat(Bottleneck.beside(cpu, log(97)).limitingResource()).isEqualTo("log_volume");
        assertThat(Bottleneck.beside(cpu, log(97)).limitingReason())
                .contains("97% of what the log device holds", "besides: all cores were busy");
        assertThat(Bottleneck.beside(log, log(40)).limitingReason())
                .isEqualTo("it was busy; the rate is 40% of what the device holds by itself");
        Figures.Limiting rate = new Figures.Limiting("rate", "kept", "more");
        assertThat(Bottleneck.beside(rate, log(97))).isEqualTo(rate);
    }

    /** On a machine that was busy just then; several percent more than all of it can be. */
    @Test
    void aCeilingBelowTheRunItselfDecidesNothing() {
        Figures.Limiting cpu = new Figures.Limiting("cpu", "all cores were busy", "cores");
        Figures.Limiting log = new Figures.Limiting("log_volume", "it was busy", "a device");
        assertThat(Bottleneck.beside(cpu, log(381))).isEqualTo(cpu);
        assertThat(Bottleneck.beside(log, log(381))).isEqualTo(log);
        assertThat(Bottleneck.beside(cpu, log(108)).limitingResource()).isEqualTo("log_volume");
    }

    @Test
    void aDeviceWhoseQueueGrowsAtTheKneeLimitsWhereNothingWasUsedUp() {
        Figures.Limiting nothing =
                new Figures.Limiting("cpu", "nothing was used up: cpu 60%", "connections");
        Figures.Limiting found = Bottleneck.beside(nothing, knee(1.0, 4.5));
        assertThat(found.limitingResource()).isEqualTo("log_volume");
        assertThat(found.limitingReason())
                .isEqualTo("waiting sets in between 700 and 800 msg/s, where the device's queue"
                        + " grows to 4.5 requests; besides: nothing was used up: cpu 60%");
        // It was as long before, or stays short: where waiting sets in is said, and no more.
        for (Knee other : List.of(knee(3, 4.5), knee(1.0, 1.5))) {
            assertThat(Bottleneck.beside(nothing, other))
                    .isEqualTo(new Figures.Limiting(
                            "cpu",
                            "nothing was used up: cpu 60%; waiting sets in between 700 and 800"
                                    + " msg/s",
                            "connections"));
        }
        Figures.Limiting cpu = new Figures.Limiting("cpu", "all cores were busy", "cores");
        assertThat(Bottleneck.beside(cpu, knee(1.0, 4.5)).limitingResource()).isEqualTo("cpu");
        assertThat(Bottleneck.beside(nothing, (Knee) null)).isEqualTo(nothing);
    }

    private static Knee knee(double lengthBefore, double lengthAfter) {
        return Knee.of(List.of(
                new Knee.At(0.5, 500, 500.0, 2.0, null, 40.0, 0.1, null),
                new Knee.At(0.7, 700, 700.0, 2.0, null, 50.0, lengthBefore, null),
                new Knee.At(0.8, 800, 800.0, 9.0, null, 60.0, lengthAfter, null)));
    }

    private static Ceilings log(double percent) {
        return new Ceilings(null, null, 1_000.0, percent, null, null);
    }

    @Test
    void aDeviceThatCountsNoTimesHasNone() {
        DiskCounters before = new DiskCounters(0, 0, 0, 5_000, 0, 0, 0, 0);
        DiskCounters after = new DiskCounters(0, 0, 0, 5_500, 57_000_000, 0, 0, 0);
        Snapshot from = snapshot(0, 0, 0, 0, machine(0, 0), before, null, metrics(0, 0, 0));
        Window window = new Window(from, end(after, null), 2);
        assertThat(window.counterSource().log()).isEqualTo("device");
        assertThat(window.get(Figure.LOG_WRITES_PER_S)).isEqualTo(50, CLOSE);
        assertThat(window.get(Figure.AVG_LOG_WRITE_LATENCY_MS)).isNull();
        assertThat(window.get(Figure.AVG_LOG_DISK_QUEUE_LENGTH)).isNull();
        // Without the device's word the committer's counts.
        assertThat(window.logBusyPercent()).isEqualTo(50, CLOSE);
    }

    @Test
    void anEmulatedDeviceTellsItsOwnTimes() {
        DiskCounters none = new DiskCounters(0, 0, 0, 0, 0, 0, 0, 0);
        DiskCounters log = new DiskCounters(0, 0, 0, 500, 57_000_000, 40, 95, 150);
        Snapshot from = syncs(FROM, none, new SyncCounters(0, 0));
        Snapshot to = syncs(end(log, null), log, new SyncCounters(500, 5_000_000_000L));
        Window window = new Window(from, to, 2);
        assertThat(window.get(Figure.LOG_WRITES_PER_S)).isEqualTo(50, CLOSE);
        assertThat(window.get(Figure.AVG_LOG_WRITE_LATENCY_MS)).isEqualTo(10, CLOSE);
        assertThat(window.get(Figure.AVG_LOG_DISK_QUEUE_LENGTH)).isEqualTo(0.5, CLOSE);
        assertThat(window.logBusyPercent()).isEqualTo(50, CLOSE);
    }

    @Test
    void withoutAServerOfOursItsFiguresAreUnknown() {
        Snapshot from = snapshot(0, 0, null, 0, machine(0, 0), null, null, null);
        Snapshot to = snapshot(10, 1_000, null, 9_800, machine(1_500, 2_000), null, null, null);
        Window window = new Window(from, to, 2);
        assertThat(window.get(Figure.CPU_PERCENT)).isNull();
        assertThat(window.get(Figure.CPU_COST_MCYCLES_PER_MSG)).isNull();
        assertThat(window.counterSource().log()).isNull();
        assertThat(limit(window, null, 1, false)).isEqualTo("driver");
        assertThat(limit(window, 200.0, 1, false)).isEqualTo("driver");
        assertThat(limit(new Window(from, to, 2), null, 2, false)).isNull();
    }

    @Test
    void nothingAcceptedDividesNothing() {
        Snapshot to = snapshot(10, 0, 0, 0, machine(0, 0), null, null, metrics(0, 0, 0));
        Window window = window(to);
        assertThat(window.get(Figure.CPU_COST_MCYCLES_PER_MSG)).isNull();
        assertThat(window.get(Figure.LOG_WRITES_PER_MSG)).isNull();
        assertThat(window.get(Figure.THROUGHPUT_MSGS_PER_S)).isEqualTo(0, CLOSE);
    }

    @Test
    void accountsForEveryMessage() {
        Snapshot end = end(null, null);
        Figures.Counts counts = Accounts.of(FROM, end, true);
        assertThat(counts.deliveredMsgs()).isEqualTo(900);
        assertThat(counts.leftInQueueMsgs()).isEqualTo(98);
        assertThat(counts.lostMsgs()).isEqualTo(2);
        assertThat(Accounts.of(FROM, end, false).lostMsgs()).isZero();
        assertThat(reasons(counts, end)).containsExactly("2 accepted messages are lost");
    }

    @Test
    void tellsEveryCounterThatTheFiguresAreMadeOf() {
        Map<Counter, Double> counters = window(end(null, null)).counters();
        assertThat(counters)
                .containsEntry(Counter.ACCEPTED_MSGS, 1_000.0)
                .containsEntry(Counter.LOG_WRITE_MS, 5_000.0)
                .doesNotContainKey(Counter.QUEUE_WRITES)
                .containsEntry(Counter.HUB_GROUPS, 250.0);
    }

    @Test
    void mediansSumsAndTheMostFrequent() {
        Figures merged = Medians.of(
                List.of(
                        figures("cpu", 100.0, 5),
                        figures("rate", null, 7),
                        figures("cpu", 300.0, 1)),
                fact -> null,
                null,
                null,
                null);
        assertThat(merged.limiting().limitingResource()).isEqualTo("cpu");
        assertThat(merged.limiting().limitingReason()).isEqualTo("cpu it is");
        assertThat(merged.get(Figure.THROUGHPUT_MSGS_PER_S)).isEqualTo(200, CLOSE);
        assertThat(merged.counts().sentMsgs()).isEqualTo(13);
        assertThat(merged.counts().lostMsgs()).isNull();
        assertThat(merged.aggregateQueueLengthMaxMsgs()).isEqualTo(5);
        assertThat(merged.acceptLatencyMs()).isNull();
    }

    private static @Nullable String limit(
            Window window, @Nullable Double rate, int threads, boolean local) {
        return new Bottleneck(window, rate, threads, null, null).find(local).limitingResource();
    }

    private static List<String> reasons(Figures.Counts counts, Snapshot end) {
        List<String> reasons = Validity.reasons(
                counts, end.load(), window(end), Figures.Limiting.UNKNOWN, new Histogram(3), false);
        assertThat(reasons)
                .allSatisfy(reason ->
                        assertThat(Remedy.of(List.of(reason))).as(reason).hasSize(1));
        return reasons;
    }

    private static Figures figures(String limit, @Nullable Double throughput, long count) {
        return new Figures(
                new Figures.Limiting(limit, limit + " it is", null),
                new Measured(
                        throughput == null
                                ? Map.of()
                                : Map.of(Figure.THROUGHPUT_MSGS_PER_S, throughput)),
                count,
                null,
                new Results.CounterSource(null, null),
                null,
                null,
                null,
                null,
                null,
                null,
                new Figures.Counts(count, 0, 0, 0, null, null, null),
                Figures.Clock.UNKNOWN);
    }

    private static Snapshot threads(Snapshot of, Map<String, Long> threads) {
        MachineReading known = of.machine();
        return with(
                of,
                reading(
                        known.monotonicNanos(),
                        known.cpu(),
                        known.serverCpuNanos(),
                        threads,
                        known.kernelThreadNanos(),
                        known.cycles()));
    }

    private static Snapshot host(
            Snapshot of, @Nullable MachineCpu machine, @Nullable Long kernelThreadNanos) {
        MachineReading known = of.machine();
        return with(
                of,
                reading(
                        known.monotonicNanos(),
                        machine,
                        known.serverCpuNanos(),
                        known.serverThreads(),
                        kernelThreadNanos,
                        known.cycles()));
    }

    private static Snapshot with(Snapshot of, MachineReading machine) {
        return new Snapshot(
                of.nanos(),
                of.load(),
                of.driverCpuNanos(),
                machine,
                of.roundTripNanos(),
                of.log(),
                of.queue(),
                null,
                null,
                of.hub());
    }

    private static Snapshot syncs(Snapshot of, DiskCounters log, SyncCounters syncs) {
        return new Snapshot(
                of.nanos(),
                of.load(),
                of.driverCpuNanos(),
                of.machine(),
                null,
                log,
                of.queue(),
                syncs,
                null,
                of.hub());
    }

    private static MachineReading reading(
            long nanos,
            @Nullable MachineCpu cpu,
            @Nullable Long serverCpuNanos,
            Map<String, Long> threads,
            @Nullable Long kernelThreadNanos,
            @Nullable BusyCycles cycles) {
        return new MachineReading(
                nanos,
                0,
                cpu,
                8,
                serverCpuNanos,
                threads,
                kernelThreadNanos,
                cycles,
                Map.of(),
                null,
                null);
    }

    private static MachineCpu machine(long busyTicks, long totalTicks) {
        return new MachineCpu(busyTicks, totalTicks, 0, 0, Map.of(0, 0L, 1, 0L));
    }

    private static Window window(Snapshot to) {
        return new Window(FROM, to, 2);
    }

    private static Snapshot end(@Nullable DiskCounters log, @Nullable DiskCounters queue) {
        return snapshot(
                10,
                1_000,
                10_000,
                3_000,
                machine(1_500, 2_000),
                log,
                queue,
                metrics(1_000, 900, 98));
    }

    private static HubCounters metrics(long accepted, long delivered, long queued) {
        return HubCounters.parse(String.join(
                "\n",
                "hubmark_messages_accepted_total " + accepted,
                "hubmark_messages_delivered_total " + delivered,
                "hubmark_queue_messages " + queued,
                "hubmark_message_groups_total " + accepted / 4,
                "hubmark_log_writes_total " + accepted / 4,
                "hubmark_log_write_seconds_total " + accepted / 200.0));
    }

    private static Snapshot snapshot(
            long seconds,
            long accepted,
            @Nullable Integer serverMillis,
            long driverMillis,
            MachineCpu machine,
            @Nullable DiskCounters log,
            @Nullable DiskCounters queue,
            @Nullable HubCounters hub) {
        Long server = serverMillis == null ? null : serverMillis * 1_000_000L;
        return new Snapshot(
                seconds * 1_000_000_000L,
                new LoadSnapshot(
                        accepted,
                        accepted,
                        accepted * 57_000,
                        0,
                        0,
                        0,
                        0,
                        driverMillis * 1_000_000,
                        null),
                driverMillis * 1_000_000,
                reading(
                        seconds * 1_000_000_000L,
                        machine,
                        server,
                        Map.of(),
                        0L,
                        new BusyCycles(machine.busyTicks() * 20.0, machine.busyTicks())),
                null,
                log,
                queue,
                null,
                null,
                hub);
    }
}
