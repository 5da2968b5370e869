package org.hubmark.bench.mail.meter;

import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.BusyCycles;
import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.GroupCpu;
import org.hubmark.bench.machine.Growth;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.machine.SyncCounters;
import org.hubmark.bench.machine.SystemCounters;
import org.hubmark.bench.mail.document.CounterSource;
import org.hubmark.bench.mail.document.Counters;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Time between two snapshots: the growth of each counter, the figures that the catalogue makes of
 * it, and other facts that show what limited the rate. Quotients whose divisor is 0 are null.
 */
public final class Window {
    private static final double MILLION = 1e6;
    private static final String ENGINE = "engine";

    private final Snapshot from;
    private final Snapshot to;
    /** What the devices did in between; null for none, or for one that began to count anew. */
    private final @Nullable DiskCounters logGrown;

    private final @Nullable DiskCounters queueGrown;
    private final int logicalCores;
    private final int driverCores;
    private final double seconds;
    /** By it what a machine elsewhere counted is brought to the driver's time; 1 for this machine. */
    private final double machineSpan;

    private final long accepted;
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
        this.logGrown = grown(from.log(), to.log());
        this.queueGrown = grown(from.queue(), to.queue());
        this.accepted = to.load().accepted() - from.load().accepted();
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

    /** {@return whether the server is a hub of our own} */
    boolean isOurs() {
        return to.hub() != null;
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
        return accepted;
    }

    /** {@return how busy the driver's event loops were, percent of one core each} */
    public @Nullable Double driverThreadPercent(int threads) {
        return over(
                100.0 * (to.load().threadCpuNanos() - from.load().threadCpuNanos()),
                seconds * 1e9 * threads);
    }

    /** {@return the server's process, percent of all cores} */
    public @Nullable Double serverCpuPercent() {
        Double nanos = serverCpuNanos();
        return nanos == null ? null : over(100 * nanos, seconds * 1e9 * logicalCores);
    }

    /** {@return CPU time of the server's process / time} */
    @Nullable
    Double serverCoresUsed() {
        Double nanos = serverCpuNanos();
        return nanos == null ? null : over(nanos, seconds * 1e9);
    }

    /** {@return CPU time of the driver's process / time} */
    @Nullable
    Double driverCoresUsed() {
        return over((double) (to.driverCpuNanos() - from.driverCpuNanos()), seconds * 1e9);
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
        return new CounterSource(source(log()), source(queue()));
    }

    /** {@return how far each counter grew, and what is known of the machines} */
    Repeat counted() {
        return counted;
    }

    private Repeat count() {
        Repeat.Builder all = machines();
        all.count(Counters.MEASURED_NS, (double) (to.nanos() - from.nanos()));
        all.count(Counters.ACCEPTED_MSGS, (double) accepted);
        all.count(Counters.ACCEPTED_BYTES, acceptedBytes());
        if (from.machine().cpu() != null && to.machine().cpu() != null) {
            Double group = groupNanos(GroupCpu::usageNanos);
            all.count(
                    Counters.MACHINE_BUSY_TICKS,
                    group == null
                            ? ticks(MachineCpu::busyTicks)
                            : (Double) (group / ProcessCpu.TICK_NANOS));
            all.count(Counters.MACHINE_TOTAL_TICKS, ticks(MachineCpu::totalTicks));
            all.count(Counters.MACHINE_STEAL_TICKS, ticks(MachineCpu::stealTicks));
        }
        all.count(Counters.FOREIGN_CPU_NS, foreignNanos());
        all.count(Counters.THROTTLED_NS, groupNanos(GroupCpu::throttledNanos));
        all.count(
                Counters.CPU_PRESSURE_NS,
                grown(from.machine().pressureNanos(), to.machine().pressureNanos()));
        all.count(Counters.NETWORK_RECEIVED_BYTES, network(SystemCounters::receivedBytes));
        all.count(Counters.NETWORK_SENT_BYTES, network(SystemCounters::sentBytes));
        BusyCycles before = from.machine().cycles();
        BusyCycles after = to.machine().cycles();
        if (before != null && after != null) {
            all.count(
                    Counters.CLOCK_MCYCLES,
                    machineSpan * (after.megacycles() - before.megacycles()));
            all.count(Counters.CLOCK_TICKS, machineSpan * (after.ticks() - before.ticks()));
        }
        all.count(Counters.DRIVER_CPU_NS, (double) (to.driverCpuNanos() - from.driverCpuNanos()));
        all.count(Counters.SERVER_CPU_NS, serverCpuNanos());
        Side log = log();
        all.count(Counters.LOG_WRITES, log.writes);
        all.count(Counters.LOG_READS, log.reads);
        all.count(Counters.LOG_WRITTEN_BYTES, log.bytes);
        all.count(Counters.LOG_WRITE_MS, log.writeMillis);
        all.count(Counters.LOG_WEIGHTED_MS, log.weightedMillis);
        all.count(Counters.LOG_FLUSHES, log.flushes);
        all.count(Counters.LOG_FLUSH_MS, log.flushMillis);
        all.count(Counters.LOG_DISCARDS, log.discards);
        Side queue = queue();
        all.count(Counters.QUEUE_WRITES, queue.writes);
        all.count(Counters.QUEUE_READS, queue.reads);
        all.count(Counters.QUEUE_WRITTEN_BYTES, queue.bytes);
        all.count(Counters.QUEUE_WRITE_MS, queue.writeMillis);
        all.count(Counters.QUEUE_WEIGHTED_MS, queue.weightedMillis);
        all.count(Counters.QUEUE_FLUSHES, queue.flushes);
        all.count(Counters.QUEUE_FLUSH_MS, queue.flushMillis);
        all.count(Counters.QUEUE_DISCARDS, queue.discards);
        all.count(Counters.LOG_SYNCS, hub("hubmark_log_syncs_total"));
        all.count(Counters.HUB_ACCEPTED_MSGS, hub("hubmark_messages_accepted_total"));
        all.count(Counters.HUB_GROUPS, hub("hubmark_message_groups_total"));
        all.count(Counters.SENT_MSGS, (double) (to.load().sent() - from.load().sent()));
        all.count(Counters.HUB_CHECKPOINTS, hub(CheckpointFit.CHECKPOINTS));
        return all.made();
    }

    private @Nullable Double network(Function<SystemCounters, @Nullable Long> octets) {
        SystemCounters before = from.machine().system();
        SystemCounters after = to.machine().system();
        return before == null || after == null
                ? null
                : grown(octets.apply(before), octets.apply(after));
    }

    /** {@return what is known of the machines} */
    private Repeat.Builder machines() {
        SystemCounters system = to.machine().system();
        return Repeat.counted()
                .count(
                        Counters.NETWORK_LINK_BYTES_PER_S,
                        system == null ? null : system.linkBytesPerS())
                .count(Counters.LOGICAL_CORES, logicalCores)
                .count(Counters.DRIVER_CORES, driverCores)
                .count(Counters.DRIVER_ON_MACHINE, to.elsewhere() ? 0 : 1);
    }

    /** {@return in what share of the time something was in flight on the log volume, percent} */
    public @Nullable Double logBusyPercent() {
        Double busy = busyPercent(logGrown, to.log(), syncMillis(from.logSyncs(), to.logSyncs()));
        if (busy != null) {
            return busy;
        }
        Double writing = hub("hubmark_log_write_seconds_total");
        return writing == null ? null : over(100 * writing, seconds);
    }

    /** {@return in what share of the time something was in flight on the queue volume, percent} */
    public @Nullable Double queueBusyPercent() {
        return busyPercent(queueGrown, to.queue(), syncMillis(from.queueSyncs(), to.queueSyncs()));
    }

    private @Nullable Double busyPercent(
            @Nullable DiskCounters grown,
            @Nullable DiskCounters after,
            @Nullable Double syncMillis) {
        if (syncMillis != null) {
            // Several threads may wait for syncs at the same time.
            return Math.min(100, 100 * syncMillis / (seconds * 1e3));
        }
        return grown == null || after == null || !after.timed()
                ? null
                : over(100.0 * spanned(grown.busyMillis()), seconds * 1e3);
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
        for (Map.Entry<String, Long> thread :
                to.machine().processes().serverThreads().entrySet()) {
            Long before = from.machine().processes().serverThreads().get(thread.getKey());
            double percent =
                    100.0 * (thread.getValue() - (before == null ? 0 : before)) / (seconds * 1e9);
            if (busiest == null || percent > busiest.percent()) {
                String name = thread.getKey();
                busiest = new Busiest(name.substring(0, name.lastIndexOf('/')), percent);
            }
        }
        return busiest;
    }

    /** A volume's counters, as they grew. Times in milliseconds. */
    private record Side(
            String source,
            @Nullable Double writes,
            @Nullable Double reads,
            @Nullable Double bytes,
            @Nullable Double writeMillis,
            @Nullable Double weightedMillis,
            @Nullable Double flushes,
            @Nullable Double flushMillis,
            @Nullable Double discards) {
        /**
         * Without the writes that are none: for each sync of a file that is overwritten the kernel counts
         * a flush without content, and that as a write too. How many of the flushes a journal or a
         * database sends have content, nobody tells, so that this is for the log alone.
         */
        Side withoutFlushes(@Nullable Double syncs) {
            if (writes == null || flushes == null || flushMillis == null || syncs == null) {
                return this;
            }
            double empty = Math.min(Math.min(flushes, syncs), writes);
            double emptyMillis = flushes == 0 ? 0 : flushMillis * empty / flushes;
            return new Side(
                    source,
                    writes - empty,
                    reads,
                    bytes,
                    writeMillis == null ? null : (Double) Math.max(0, writeMillis - emptyMillis),
                    weightedMillis,
                    flushes,
                    flushMillis,
                    discards);
        }

        /** Makes the side of an emulated device, whose syncs answer for the writes before them. */
        Side delayed(@Nullable Double syncMillis) {
            return syncMillis == null
                    ? this
                    : new Side(
                            source,
                            writes,
                            reads,
                            bytes,
                            syncMillis,
                            syncMillis,
                            flushes,
                            flushMillis,
                            discards);
        }
    }

    /** The engine of a server that isn't ours tells nothing. */
    private @Nullable String source(Side side) {
        return to.hub() == null && side.source.equals(ENGINE) ? null : side.source;
    }

    private Side log() {
        DiskCounters after = to.log();
        Side side = logGrown != null && after != null
                ? device(logGrown, after).withoutFlushes(hub("hubmark_log_syncs_total"))
                : engine("log");
        return side.delayed(syncMillis(from.logSyncs(), to.logSyncs()));
    }

    private Side queue() {
        DiskCounters after = to.queue();
        Side side =
                queueGrown != null && after != null ? device(queueGrown, after) : engine("queue");
        return side.delayed(syncMillis(from.queueSyncs(), to.queueSyncs()));
    }

    private static @Nullable Double syncMillis(
            @Nullable SyncCounters before, @Nullable SyncCounters after) {
        return before == null || after == null ? null : (after.nanos() - before.nanos()) / MILLION;
    }

    private Side device(DiskCounters grown, DiskCounters after) {
        boolean timed = after.timed();
        return new Side(
                "device",
                spanned(grown.writes()),
                spanned(grown.reads()),
                spanned(grown.writtenBytes()),
                timed ? spanned(grown.writeMillis()) : null,
                timed ? spanned(grown.weightedMillis()) : null,
                grown.flushes() == null
                        ? null
                        : (Double) spanned(grown.flushes().count()),
                grown.flushes() == null
                        ? null
                        : (Double) spanned(grown.flushes().millis()),
                grown.discards() == null
                        ? null
                        : (Double) spanned(grown.discards().count()));
    }

    /** {@return by how much a counter of the machine has grown in the driver's time} */
    private @Nullable Double grown(@Nullable Long before, @Nullable Long after) {
        Long grown = Growth.of(before, after);
        return grown == null ? null : (Double) spanned(grown);
    }

    private @Nullable Double ticks(ToLongFunction<MachineCpu> counter) {
        Long grown = MachineCpu.growth(from.machine().cpu(), to.machine().cpu(), counter);
        return grown == null ? null : (Double) spanned(grown);
    }

    private static @Nullable DiskCounters grown(
            @Nullable DiskCounters before, @Nullable DiskCounters after) {
        return before == null || after == null ? null : after.since(before);
    }

    private double spanned(long grown) {
        return machineSpan * grown;
    }

    private @Nullable Double groupNanos(Function<GroupCpu, @Nullable Long> counter) {
        GroupCpu before = from.machine().group();
        GroupCpu after = to.machine().group();
        return before == null || after == null
                ? null
                : grown(counter.apply(before), counter.apply(after));
    }

    /** The engine doesn't know how long the device's queue is, nor how long a queue write takes. */
    private Side engine(String volume) {
        Double time = hub("hubmark_" + volume + "_write_seconds_total");
        return new Side(
                ENGINE,
                hub("hubmark_" + volume + "_writes_total"),
                hub("hubmark_" + volume + "_reads_total"),
                hub("hubmark_" + volume + "_written_bytes_total"),
                time == null ? null : time * 1e3,
                null,
                null,
                null,
                null);
    }

    private @Nullable Double hub(String name) {
        HubCounters before = from.hub();
        HubCounters after = to.hub();
        return before == null || after == null ? null : after.since(before, name);
    }

    /** All processes less server and driver, each by its own account, so that nothing counts twice. */
    private @Nullable Double foreignNanos() {
        Double all = groupNanos(GroupCpu::usageNanos);
        if (all == null) {
            all = grown(
                    from.machine().processes().processNanos(),
                    to.machine().processes().processNanos());
        }
        Double server = serverCpuNanos();
        double driver = to.elsewhere() ? 0 : to.driverCpuNanos() - from.driverCpuNanos();
        return all == null || server == null ? null : (Double) Math.max(0, all - server - driver);
    }

    private @Nullable Double serverCpuNanos() {
        return grown(from.serverCpuNanos(), to.serverCpuNanos());
    }

    /** {@return what was written to the log volume, or else to the queue volume, MB a second} */
    @Nullable
    Double megabytesPerSecond(boolean log) {
        double bytes =
                counted.count(log ? Counters.LOG_WRITTEN_BYTES : Counters.QUEUE_WRITTEN_BYTES);
        return Double.isNaN(bytes) ? null : over(bytes / MILLION, seconds);
    }

    private double acceptedBytes() {
        return (double) (to.load().acceptedBytes() - from.load().acceptedBytes());
    }

    private static @Nullable Double over(double dividend, double divisor) {
        return divisor == 0 ? null : dividend / divisor;
    }
}
