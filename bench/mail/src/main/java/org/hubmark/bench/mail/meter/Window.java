package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.check.MachineMeter.Keyed;
import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.BusyCycles;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.mail.document.CounterSource;
import org.hubmark.bench.mail.document.Counters;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Time between two snapshots: the growth of each counter, the figures that the catalogue makes of
 * it, and other facts that show what limited the rate. Quotients whose divisor is 0 are null.
 */
public final class Window {
    private static final double MILLION = 1e6;

    /** What a machine counts; in the document as it is. */
    private static final List<Keyed> MACHINE = List.of(
            new Keyed(Counters.MACHINE_TOTAL_TICKS, MachineCounter.TOTAL_TICKS),
            new Keyed(Counters.MACHINE_STEAL_TICKS, MachineCounter.STEAL_TICKS),
            new Keyed(Counters.THROTTLED_NS, MachineCounter.THROTTLED_NS),
            new Keyed(Counters.SERVER_CPU_NS, MachineCounter.SERVER_NS));

    /** What the device of a volume counts; likewise. */
    private static final List<DiskCounter> DISK = List.of(
            DiskCounter.WRITES,
            DiskCounter.READS,
            DiskCounter.WRITTEN_BYTES,
            DiskCounter.WRITE_MS,
            DiskCounter.WEIGHTED_MS);

    private final Snapshot from;
    private final Snapshot to;
    private final int logicalCores;
    private final int driverCores;
    private final double seconds;
    /** By it what a machine elsewhere counted is brought to the driver's time; 1 for this machine. */
    private final double machineSpan;

    /** What each volume did in between. */
    private final Map<VolumeRole, Map<DiskCounter, Double>> volumes =
            new EnumMap<>(VolumeRole.class);

    private final Repeat counted;

    /**
     * Spans two snapshots.
     *
     * @param driverCores of the machine that this runs on, and the server too unless it is elsewhere
     */
    public Window(Snapshot from, Snapshot to, int driverCores) {
        this.from = from;
        this.to = to;
        this.driverCores = driverCores;
        Integer cores = to.machine().logicalCores();
        this.logicalCores = to.elsewhere() && cores != null ? cores : driverCores;
        this.seconds = (to.nanos() - from.nanos()) / 1e9;
        this.machineSpan = to.elsewhere() ? span(from, to) : 1;
        for (VolumeRole role : VolumeRole.values()) {
            volumes.put(role, volume(role));
        }
        this.counted = count();
    }

    /**
     * Length of the window in seconds. A reading of another machine takes a while, so that its
     * window never is as long as the driver's. Its rates are by its own clock.
     */
    private static double span(Snapshot from, Snapshot to) {
        long machineNanos = to.machine().monotonicNanos() - from.machine().monotonicNanos();
        return machineNanos <= 0 ? 1 : (double) (to.nanos() - from.nanos()) / machineNanos;
    }

    /** {@return whether the server ran on another machine than the driver} */
    boolean elsewhere() {
        return to.elsewhere();
    }

    /** {@return its length} */
    public double seconds() {
        return seconds;
    }

    /** {@return messages accepted in it} */
    public long acceptedMessages() {
        return to.load().accepted() - from.load().accepted();
    }

    /** {@return how busy the driver's event loops were, percent of one core each} */
    public @Nullable Double driverThreadPercent(int threads) {
        return over(
                100.0 * (to.load().threadCpuNanos() - from.load().threadCpuNanos()),
                seconds * 1e9 * threads);
    }

    /** {@return the server's process, percent of all cores} */
    public @Nullable Double serverCpuPercent() {
        Double nanos = grown(MachineCounter.SERVER_NS);
        return nanos == null ? null : over(100 * nanos, seconds * 1e9 * logicalCores);
    }

    /** {@return how many cores the machine has} */
    int cores() {
        return logicalCores;
    }

    /** {@return how busy these cores were, percent; null when they aren't counted} */
    @Nullable
    Double busyPercent(Set<Integer> cores) {
        MachineCpu cpuBefore = from.machine().cpu();
        MachineCpu cpuAfter = to.machine().cpu();
        if (cpuBefore == null || cpuAfter == null) {
            return null;
        }
        long ticks = 0;
        for (int core : cores) {
            Long before = cpuBefore.coreTicks().get(core);
            Long after = cpuAfter.coreTicks().get(core);
            if (before == null || after == null) {
                return null;
            }
            ticks += Math.max(0, after - before);
        }
        return over(100.0 * ticks * ProcessCpu.TICK_NANOS, seconds * 1e9 * cores.size());
    }

    /** {@return what was used of the machine} */
    MachineUse machineUse() {
        return new Scenario.Repeat(counted).machineUse();
    }

    /** {@return a figure of the catalogue; null when it isn't known} */
    public @Nullable Double get(Column figure) {
        double value = figure.value(counted);
        return Double.isFinite(value) ? (Double) value : null;
    }

    /** {@return where the counters of the volumes come from} */
    CounterSource counterSource() {
        return new CounterSource(source(VolumeRole.LOG), source(VolumeRole.QUEUE));
    }

    /** The engine of a server that isn't ours tells nothing. */
    private @Nullable String source(VolumeRole role) {
        return device(role) != null ? "device" : to.hub() == null ? null : "engine";
    }

    /** {@return how far each counter grew, and what is known of the machines} */
    Repeat counted() {
        return counted;
    }

    private Repeat count() {
        Repeat.Builder all = Repeat.counted()
                .count(Counters.LOGICAL_CORES, logicalCores)
                .count(Counters.DRIVER_CORES, driverCores)
                .count(Counters.DRIVER_ON_MACHINE, to.elsewhere() ? 0 : 1)
                .count(Counters.MEASURED_NS, to.nanos() - from.nanos())
                .count(Counters.ACCEPTED_MSGS, acceptedMessages())
                .count(
                        Counters.ACCEPTED_BYTES,
                        to.load().acceptedBytes() - from.load().acceptedBytes())
                .count(Counters.MACHINE_BUSY_TICKS, busyTicks())
                .count(Counters.FOREIGN_CPU_NS, foreignNanos());
        MACHINE.forEach(one -> all.count(one.key(), grown(one.counter())));
        BusyCycles before = from.machine().cycles();
        BusyCycles after = to.machine().cycles();
        if (before != null && after != null) {
            all.count(
                    Counters.CLOCK_MCYCLES,
                    machineSpan * (after.megacycles() - before.megacycles()));
            all.count(Counters.CLOCK_TICKS, machineSpan * (after.ticks() - before.ticks()));
        }
        all.count(Counters.DRIVER_CPU_NS, to.driverCpuNanos() - from.driverCpuNanos());
        volumes.forEach((role, counters) ->
                DISK.forEach(one -> all.count(role.counter(one), counters.get(one))));
        Map<DiskCounter, Double> log = volumes.getOrDefault(VolumeRole.LOG, Map.of());
        return all.count(Counters.LOG_FLUSHES, log.get(DiskCounter.FLUSHES))
                .count(Counters.LOG_SYNCS, hub("hubmark_log_syncs_total"))
                .count(Counters.HUB_ACCEPTED_MSGS, hub("hubmark_messages_accepted_total"))
                .count(Counters.HUB_GROUPS, hub("hubmark_message_groups_total"))
                .count(Counters.SENT_MSGS, to.load().sent() - from.load().sent())
                .count(Counters.HUB_CHECKPOINTS, hub("hubmark_checkpoints_total"))
                .made();
    }

    /** A control group with a limit is the machine of what is in it. */
    private @Nullable Double busyTicks() {
        Double group = grown(MachineCounter.GROUP_NS);
        return group == null
                ? grown(MachineCounter.BUSY_TICKS)
                : (Double) (group / ProcessCpu.TICK_NANOS);
    }

    /** All processes less server and driver, each by its own account, so that nothing counts twice. */
    private @Nullable Double foreignNanos() {
        Double all = grown(MachineCounter.PROCESSES_NS);
        Double server = grown(MachineCounter.SERVER_NS);
        double driver = to.elsewhere() ? 0 : to.driverCpuNanos() - from.driverCpuNanos();
        return all == null || server == null ? null : (Double) Math.max(0, all - server - driver);
    }

    /** {@return by how much a counter of the machine has grown in the driver's time} */
    private @Nullable Double grown(MachineCounter counter) {
        Long grown = counter.growth(from.machine(), to.machine());
        return grown == null ? null : (Double) (machineSpan * grown);
    }

    /** {@return in what share of the time something was in flight on a volume, percent} */
    @Nullable
    Double busyPercent(VolumeRole role) {
        Double syncMillis = syncMillis(role);
        if (syncMillis != null) {
            // Several threads may wait for syncs at the same time.
            return Math.min(100, 100 * syncMillis / (seconds * 1e3));
        }
        Double busy = volumes.getOrDefault(role, Map.of()).get(DiskCounter.BUSY_MS);
        if (busy != null) {
            return over(100 * busy, seconds * 1e3);
        }
        Double writing = role == VolumeRole.LOG ? hub("hubmark_log_write_seconds_total") : null;
        return writing == null ? null : over(100 * writing, seconds);
    }

    /** {@return what was written to a volume, MB a second} */
    @Nullable
    Double megabytesPerSecond(VolumeRole role) {
        Double bytes = volumes.getOrDefault(role, Map.of()).get(DiskCounter.WRITTEN_BYTES);
        return bytes == null ? null : over(bytes / MILLION, seconds);
    }

    /**
     * The thread of our hub that ran most.
     *
     * @param percent of one core
     */
    record Busiest(String name, double percent) {}

    /** {@return it, or null when the threads aren't known} */
    @Nullable
    Busiest busiestThread() {
        Busiest busiest = null;
        for (Map.Entry<String, Long> thread : to.machine().serverThreads().entrySet()) {
            Long before = from.machine().serverThreads().get(thread.getKey());
            double percent =
                    100.0 * (thread.getValue() - (before == null ? 0 : before)) / (seconds * 1e9);
            if (busiest == null || percent > busiest.percent()) {
                String name = thread.getKey();
                busiest = new Busiest(name.substring(0, name.lastIndexOf('/')), percent);
            }
        }
        return busiest;
    }

    private Map<DiskCounter, Double> volume(VolumeRole role) {
        DiskCounters device = device(role);
        Map<DiskCounter, Double> volume = device == null ? engine(role) : spanned(role, device);
        Double syncMillis = syncMillis(role);
        if (syncMillis != null) {
            // The syncs of an emulated device answer for the writes before them.
            volume.put(DiskCounter.WRITE_MS, syncMillis);
            volume.put(DiskCounter.WEIGHTED_MS, syncMillis);
        }
        return volume;
    }

    /** {@return what the device of a volume did; null for none, or for one that began to count anew} */
    private @Nullable DiskCounters device(VolumeRole role) {
        DiskCounters before = from.disks().get(role);
        DiskCounters after = to.disks().get(role);
        return before == null || after == null ? null : after.growth(before);
    }

    private @Nullable Double syncMillis(VolumeRole role) {
        SyncEmulation.Counters before = from.syncs().get(role);
        SyncEmulation.Counters after = to.syncs().get(role);
        return before == null || after == null ? null : (after.nanos() - before.nanos()) / MILLION;
    }

    private Map<DiskCounter, Double> spanned(VolumeRole role, DiskCounters device) {
        Map<DiskCounter, Double> volume = new EnumMap<>(DiskCounter.class);
        device.values().forEach((counter, value) -> volume.put(counter, machineSpan * value));
        DiskCounters after = to.disks().get(role);
        if (after != null && !after.timed()) {
            volume.keySet()
                    .removeAll(Set.of(
                            DiskCounter.WRITE_MS, DiskCounter.WEIGHTED_MS, DiskCounter.BUSY_MS));
        }
        if (role == VolumeRole.LOG) {
            removeFlushes(volume);
        }
        return volume;
    }

    /**
     * Removes the writes that are none: for each sync of a file that is overwritten the kernel counts a flush
     * without content, and that as a write too. How many of the flushes a journal or a database sends have
     * content, nobody tells, so that this is for the log alone.
     */
    private void removeFlushes(Map<DiskCounter, Double> log) {
        Double writes = log.get(DiskCounter.WRITES);
        Double flushes = log.get(DiskCounter.FLUSHES);
        Double flushMillis = log.get(DiskCounter.FLUSH_MS);
        Double syncs = hub("hubmark_log_syncs_total");
        if (writes == null || flushes == null || flushMillis == null || syncs == null) {
            return;
        }
        double empty = Math.min(Math.min(flushes, syncs), writes);
        double emptyMillis = flushes == 0 ? 0 : flushMillis * empty / flushes;
        log.put(DiskCounter.WRITES, writes - empty);
        log.computeIfPresent(
                DiskCounter.WRITE_MS, (key, millis) -> Math.max(0, millis - emptyMillis));
    }

    /** The engine doesn't know how long the device's queue is, nor how long a queue write takes. */
    private Map<DiskCounter, Double> engine(VolumeRole role) {
        Map<DiskCounter, Double> volume = new EnumMap<>(DiskCounter.class);
        for (DiskCounter counter :
                List.of(DiskCounter.WRITES, DiskCounter.READS, DiskCounter.WRITTEN_BYTES)) {
            Double grown = hub("hubmark_" + role.key() + "_" + counter.key() + "_total");
            if (grown != null) {
                volume.put(counter, grown);
            }
        }
        Double writing = hub("hubmark_" + role.key() + "_write_seconds_total");
        if (writing != null) {
            volume.put(DiskCounter.WRITE_MS, writing * 1e3);
        }
        return volume;
    }

    private @Nullable Double hub(String name) {
        return to.hubSince(from, name);
    }

    private static @Nullable Double over(double dividend, double divisor) {
        return divisor == 0 ? null : dividend / divisor;
    }
}
