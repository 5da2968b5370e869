package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hubmark.bench.mail.meter.Snapshots.FROM;
import static org.hubmark.bench.mail.meter.Snapshots.disk;
import static org.hubmark.bench.mail.meter.Snapshots.end;
import static org.hubmark.bench.mail.meter.Snapshots.host;
import static org.hubmark.bench.mail.meter.Snapshots.limited;
import static org.hubmark.bench.mail.meter.Snapshots.machine;
import static org.hubmark.bench.mail.meter.Snapshots.metrics;
import static org.hubmark.bench.mail.meter.Snapshots.reading;
import static org.hubmark.bench.mail.meter.Snapshots.snapshot;
import static org.hubmark.bench.mail.meter.Snapshots.syncs;
import static org.hubmark.bench.mail.meter.Snapshots.window;
import static org.hubmark.bench.mail.meter.Snapshots.with;

import org.HdrHistogram.Histogram;
import org.assertj.core.data.Offset;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Counters;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Limiting;
import org.hubmark.bench.mail.document.MadeResults;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Proves each formula on numbers that can be checked by hand: 10 s, 1,000 messages of 57,000 bytes
 * accepted, 2 cores of 2,000 MHz.
 */
class WindowTest {
    private static final Offset<Double> CLOSE = within(1e-9);

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

    /**
     * Of 20 s: busy for 15, of that 0.4 stolen, 3 the driver's, 10 the server's, 1 of other processes.
     * Interrupts have 2 s of the machine's ticks, and where the kernel accounts by ticks they are in those of
     * the processes as well.
     */
    @Test
    void whatNeitherServerNorDriverUsedIsForeignAndInterruptsCountOnce() {
        Snapshot end = host(
                end(null, null),
                new MachineCpu(1_500, 2_000, 40, Map.of(0, 0L, 1, 0L)),
                14_000_000_000L);
        Window window = new Window(FROM, end, 2);
        assertThat(window.get(Figure.STEAL_PERCENT)).isEqualTo(2, CLOSE);
        assertThat(window.get(Figure.FOREIGN_CPU_PERCENT)).isEqualTo(100 * 1.0 / 20, CLOSE);
        // Where not all processes can be seen, nobody knows.
        Window blind = new Window(FROM, host(end, end.machine().cpu(), null), 2);
        assertThat(blind.get(Figure.FOREIGN_CPU_PERCENT)).isNull();
        assertThat(blind.get(Figure.STEAL_PERCENT)).isEqualTo(2, CLOSE);
    }

    /** Neighbours have the rest of the machine: 15 of 20 s, where the group used 6. */
    @Test
    void aControlGroupWithALimitIsTheMachine() {
        Snapshot from = limited(FROM, 1_000, 500);
        Snapshot to = limited(
                snapshot(10, 1_000, 4_000, 1_500, machine(1_500, 2_000), null, null, null),
                7_000,
                700);
        Window window = new Window(from, to, 2);
        assertThat(window.get(Figure.MACHINE_CPU_PERCENT)).isEqualTo(100 * 6.0 / 20, CLOSE);
        assertThat(window.get(Figure.CPU_PERCENT)).isEqualTo(100 * 4.5 / 20, CLOSE);
        assertThat(window.get(Figure.FOREIGN_CPU_PERCENT)).isEqualTo(100 * 0.5 / 20, CLOSE);
        assertThat(window.get(Figure.THROTTLED_PERCENT)).isEqualTo(2, CLOSE);
    }

    /** A node that starts anew, and times of 32 bits that begin again at 0. */
    @Test
    void countersThatBeginAnewAreUnknown() {
        long most = (1L << 32) - 1;
        DiskCounters before = disk(20, 0, 0, 100, 0, most - 999, 0, most - 4_999);
        DiskCounters after = disk(20, 0, 0, 600, 57_000_000, 3_000, 9_500, 10_000);
        Snapshot from = snapshot(0, 0, 0, 0, machine(0, 0), before, null, null);
        Window wrapped = new Window(from, end(after, null), 2);
        assertThat(wrapped.get(Figure.AVG_LOG_WRITE_LATENCY_MS)).isNull();
        assertThat(wrapped.get(Figure.AVG_LOG_DISK_QUEUE_LENGTH)).isNull();
        DiskCounters anew = disk(1, 0, 0, 50, 57_000, 30, 95, 100);
        Window restarted = new Window(
                host(from, machine(9_000, 9_000), null),
                snapshot(10, 1_000, 10_000, 3_000, machine(1_500, 2_000), anew, null, null),
                2);
        assertThat(restarted.get(Figure.LOG_WRITES_PER_S)).isNull();
        assertThat(restarted.get(Figure.AVG_LOG_DISK_QUEUE_LENGTH)).isNull();
        assertThat(restarted.get(Figure.MACHINE_CPU_PERCENT)).isNull();
        assertThat(restarted.busyPercent(VolumeRole.LOG)).isNull();
    }

    /**
     * On the server's machine of 8 cores, 20 s passed while the driver measured 10: what it did in a second
     * is half of what it counted in 20 s, and what a message cost half of it, too.
     */
    @Test
    void countersOfAnotherMachineAreDividedByItsOwnClock() {
        DiskCounters none = disk(0, 0, 0, 0, 0, 0, 0, 0);
        DiskCounters log = disk(40, 0, 0, 1_000, 114_000_000, 8_000, 19_000, 30_000);
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
        assertThat(window.busyPercent(VolumeRole.LOG)).isEqualTo(95, CLOSE);
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
                        known.get(MachineCounter.SERVER_NS),
                        Map.of(),
                        known.get(MachineCounter.PROCESSES_NS),
                        known.cycles()),
                true,
                of.disks(),
                Map.of(),
                of.hub());
    }

    @Test
    void theClockIsThatOfTheWholeTime() {
        Snapshot end = end(null, null);
        assertThat(window(end).get(Figure.CPU_CLOCK_MHZ)).isEqualTo(2_000, CLOSE);
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
        DiskCounters log = disk(20, 0, 0, 500, 57_000_000, 4_000, 9_500, 15_000);
        Window window = new Window(
                snapshot(
                        0,
                        0,
                        0,
                        0,
                        machine(0, 0),
                        disk(0, 0, 0, 0, 0, 0, 0, 0),
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
        assertThat(window.busyPercent(VolumeRole.LOG)).isEqualTo(95, CLOSE);
        assertThat(limit(window, null, 1, true)).isEqualTo("log_volume");
        assertThat(limit(window, 100.0, 1, true)).isEqualTo("rate");
    }

    /** The kernel counts a flush without content as a write: 500 syncs, and 20 flushes of the journal. */
    @Test
    void flushesAreCountedApartFromWrites() {
        DiskCounters before = disk(1, 0, 0, 1_000, 0, 5_000, 0, 0, 700, 4_500);
        DiskCounters after = disk(1, 0, 0, 2_020, 0, 9_660, 0, 0, 1_220, 8_660);
        Snapshot from = snapshot(0, 0, 0, 0, machine(0, 0), before, null, metrics(0, 0, 0));
        Window window = new Window(from, end(after, null), 2);
        assertThat(window.get(Figure.LOG_WRITES_PER_S)).isEqualTo(52, CLOSE);
        assertThat(window.get(Figure.AVG_LOG_WRITE_LATENCY_MS)).isEqualTo(660 / 520.0, CLOSE);
        assertThat(window.get(Figure.LOG_FLUSHES_PER_MSG)).isEqualTo(0.52, CLOSE);
    }

    @Test
    void aDriverThatIsTheBottleneckMakesARepeatInvalid() {
        Limiting driver = new Limiting("driver", "it was busy", "another machine");
        assertThat(reasons(driver, new Histogram(3)))
                .containsExactly(
                        new Reason(Case.DRIVER, "the driver is the bottleneck: it was busy"));
    }

    /** Of 1,000 sends 11 may not be late by more than 10 ms. */
    @Test
    void soDoesOneThatSendsLate() {
        Histogram lateness = new Histogram(3);
        lateness.recordValueWithCount(1_000, 991);
        lateness.recordValueWithCount(25_000_000, 9);
        assertThat(reasons(Limiting.UNKNOWN, lateness)).isEmpty();
        lateness.recordValueWithCount(25_000_000, 2);
        assertThat(reasons(Limiting.UNKNOWN, lateness))
                .extracting(Reason::words)
                .containsExactly("the driver is the bottleneck: it sent late by 25.0 ms (p99; at"
                        + " most 10 ms)");
    }

    private static List<Reason> reasons(Limiting limiting, Histogram lateness) {
        Snapshot end = end(null, null);
        Accounts counts = new Accounts(1_000, 1_000, 0, 0, 1_000L, 0L, 0L);
        return ValidityRules.reasons(counts, end.load(), window(end), limiting, lateness, 0, false);
    }

    @Test
    void aDeviceThatCountsNoTimesHasNone() {
        DiskCounters before = disk(0, 0, 0, 5_000, 0, 0, 0, 0);
        DiskCounters after = disk(0, 0, 0, 5_500, 57_000_000, 0, 0, 0);
        Snapshot from = snapshot(0, 0, 0, 0, machine(0, 0), before, null, metrics(0, 0, 0));
        Window window = new Window(from, end(after, null), 2);
        assertThat(window.counterSource().log()).isEqualTo("device");
        assertThat(window.get(Figure.LOG_WRITES_PER_S)).isEqualTo(50, CLOSE);
        assertThat(window.get(Figure.AVG_LOG_WRITE_LATENCY_MS)).isNull();
        assertThat(window.get(Figure.AVG_LOG_DISK_QUEUE_LENGTH)).isNull();
        // Without the device's word the committer's counts.
        assertThat(window.busyPercent(VolumeRole.LOG)).isEqualTo(50, CLOSE);
    }

    @Test
    void anEmulatedDeviceTellsItsOwnTimes() {
        DiskCounters none = disk(0, 0, 0, 0, 0, 0, 0, 0);
        DiskCounters log = disk(0, 0, 0, 500, 57_000_000, 40, 95, 150);
        Snapshot from = syncs(FROM, none, new SyncEmulation.Counters(0, 0, 0, 0));
        Snapshot to =
                syncs(end(log, null), log, new SyncEmulation.Counters(500, 5_000_000_000L, 0, 0));
        Window window = new Window(from, to, 2);
        assertThat(window.get(Figure.LOG_WRITES_PER_S)).isEqualTo(50, CLOSE);
        assertThat(window.get(Figure.AVG_LOG_WRITE_LATENCY_MS)).isEqualTo(10, CLOSE);
        assertThat(window.get(Figure.AVG_LOG_DISK_QUEUE_LENGTH)).isEqualTo(0.5, CLOSE);
        assertThat(window.busyPercent(VolumeRole.LOG)).isEqualTo(50, CLOSE);
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
        Accounts counts = Accounts.of(FROM, end, true);
        assertThat(counts.delivered()).isEqualTo(900);
        assertThat(counts.left()).isEqualTo(98);
        assertThat(counts.lost()).isEqualTo(2);
        assertThat(Accounts.of(FROM, end, false).lost()).isZero();
        assertThat(reasons(counts, end))
                .containsExactly(new Reason(Case.MAIL, "2 accepted messages are lost"));
    }

    @Test
    void tellsEveryCounterThatTheFiguresAreMadeOf() {
        Map<String, Double> counters = window(end(null, null)).counted().counters();
        assertThat(counters)
                .containsEntry(Counters.ACCEPTED_MSGS.key(), 1_000.0)
                .containsEntry(Counters.LOG_WRITE_MS.key(), 5_000.0)
                .doesNotContainKey(Counters.QUEUE_WRITES.key())
                .containsEntry(Counters.HUB_GROUPS.key(), 250.0);
    }

    @Test
    void mediansSumsAndTheMostFrequent() {
        Scenario merged = MadeResults.scenario(
                "57kb",
                57,
                Conditions.UNKNOWN,
                List.of(repeat("cpu", 5), repeat("rate", 7), repeat("cpu", 1)));
        assertThat(merged.limiting().limitingResource()).isEqualTo("cpu");
        assertThat(merged.limiting().limitingReason()).isEqualTo("cpu it is");
        assertThat(merged.get(Figure.ACCOUNTS.getFirst())).isEqualTo(13);
        assertThat(merged.get(Figure.LOST)).isNull();
        assertThat(merged.get(Figure.QUEUE_LENGTH_MAX)).isEqualTo(5);
        assertThat(merged.get(Figure.ACCEPT_P99)).isNull();
    }

    private static Repeat repeat(String limit, long count) {
        Repeat.Builder counted = MadeResults.repeat(1)
                .count(Counters.ALL_SENT_MSGS, count)
                .count(Counters.QUEUE_MAX_MSGS, count);
        MadeResults.name(counted, new Limiting(limit, limit + " it is", null));
        return counted.made();
    }

    private static @Nullable String limit(
            Window window, @Nullable Double rate, int threads, boolean local) {
        return new Bottleneck(window, rate, threads, 0, Set.of(), null, false)
                .find(local)
                .limitingResource();
    }

    private static List<Reason> reasons(Accounts counts, Snapshot end) {
        return ValidityRules.reasons(
                counts, end.load(), window(end), Limiting.UNKNOWN, new Histogram(3), 0, false);
    }
}
