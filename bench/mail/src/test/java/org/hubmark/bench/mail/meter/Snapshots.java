package org.hubmark.bench.mail.meter;

import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.machine.BusyCycles;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;

/** Snapshots to measure between: 10 s, messages of 57,000 bytes, 2 cores of 2,000 MHz. */
final class Snapshots {
    static final Snapshot FROM = snapshot(0, 0, 0, 0, machine(0, 0), null, null, metrics(0, 0, 0));

    private Snapshots() {}

    static Snapshot threads(Snapshot of, Map<String, Long> threads) {
        MachineReading known = of.machine();
        return with(
                of,
                reading(
                        known.monotonicNanos(),
                        known.cpu(),
                        known.get(MachineCounter.SERVER_NS),
                        threads,
                        known.get(MachineCounter.PROCESSES_NS),
                        known.cycles()));
    }

    static Snapshot host(Snapshot of, @Nullable MachineCpu machine, @Nullable Long processNanos) {
        MachineReading known = of.machine();
        return with(
                of,
                reading(
                        known.monotonicNanos(),
                        machine,
                        known.get(MachineCounter.SERVER_NS),
                        known.serverThreads(),
                        processNanos,
                        known.cycles()));
    }

    static Snapshot with(Snapshot of, MachineReading machine) {
        return new Snapshot(
                of.nanos(),
                of.load(),
                of.driverCpuNanos(),
                machine,
                of.elsewhere(),
                of.disks(),
                Map.of(),
                of.hub());
    }

    static Snapshot syncs(Snapshot of, DiskCounters log, SyncEmulation.Counters syncs) {
        return new Snapshot(
                of.nanos(),
                of.load(),
                of.driverCpuNanos(),
                of.machine(),
                false,
                Map.of(VolumeRole.LOG, log),
                Map.of(VolumeRole.LOG, syncs),
                of.hub());
    }

    static MachineReading reading(
            long nanos,
            @Nullable MachineCpu cpu,
            @Nullable Long serverCpuNanos,
            Map<String, Long> threads,
            @Nullable Long processNanos,
            @Nullable BusyCycles cycles) {
        Map<MachineCounter, Long> counters = new EnumMap<>(MachineCounter.class);
        if (serverCpuNanos != null) {
            counters.put(MachineCounter.SERVER_NS, serverCpuNanos);
        }
        if (processNanos != null) {
            counters.put(MachineCounter.PROCESSES_NS, processNanos);
        }
        return new MachineReading(nanos, cpu, 8, counters, threads, cycles, Map.of());
    }

    /** The same in a control group with a limit. */
    static Snapshot limited(Snapshot of, long usageMillis, long throttledMillis) {
        return with(
                of,
                Map.of(
                        MachineCounter.GROUP_NS, usageMillis * 1_000_000,
                        MachineCounter.THROTTLED_NS, throttledMillis * 1_000_000));
    }

    private static Snapshot with(Snapshot of, Map<MachineCounter, Long> more) {
        MachineReading known = of.machine();
        Map<MachineCounter, Long> counters = new EnumMap<>(MachineCounter.class);
        counters.putAll(known.counters());
        counters.putAll(more);
        return with(
                of,
                new MachineReading(
                        known.monotonicNanos(),
                        known.cpu(),
                        known.logicalCores(),
                        counters,
                        Map.of(),
                        known.cycles(),
                        Map.of()));
    }

    static MachineCpu machine(long busyTicks, long totalTicks) {
        return new MachineCpu(busyTicks, totalTicks, 0, Map.of(0, 0L, 1, 0L));
    }

    static Window window(Snapshot to) {
        return new Window(FROM, to, 2);
    }

    static Snapshot end(@Nullable DiskCounters log, @Nullable DiskCounters queue) {
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

    /** {@return what a device did, in the order of the kernel's line} */
    static DiskCounters disk(long... counts) {
        Map<DiskCounter, Long> values = new EnumMap<>(DiskCounter.class);
        Iterator<DiskCounter> counters = Arrays.asList(DiskCounter.values()).iterator();
        for (long count : counts) {
            values.put(counters.next(), count);
        }
        return new DiskCounters(values);
    }

    static HubCounters metrics(long accepted, long delivered, long queued) {
        return HubCounters.parse(String.join(
                "\n",
                "hubmark_messages_accepted_total " + accepted,
                "hubmark_messages_delivered_total " + delivered,
                "hubmark_queue_messages " + queued,
                "hubmark_message_groups_total " + accepted / 4,
                "hubmark_log_writes_total " + accepted / 4,
                "hubmark_log_syncs_total " + accepted / 2,
                "hubmark_log_write_seconds_total " + accepted / 200.0));
    }

    static Snapshot snapshot(
            long seconds,
            long accepted,
            @Nullable Integer serverMillis,
            long driverMillis,
            MachineCpu machine,
            @Nullable DiskCounters log,
            @Nullable DiskCounters queue,
            @Nullable HubCounters hub) {
        Long server = serverMillis == null ? null : serverMillis * 1_000_000L;
        Map<VolumeRole, DiskCounters> disks = new EnumMap<>(VolumeRole.class);
        if (log != null) {
            disks.put(VolumeRole.LOG, log);
        }
        if (queue != null) {
            disks.put(VolumeRole.QUEUE, queue);
        }
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
                false,
                disks,
                Map.of(),
                hub);
    }
}
