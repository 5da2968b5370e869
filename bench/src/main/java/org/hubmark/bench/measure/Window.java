package org.hubmark.bench.measure;

import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.SyncCounters;
import org.hubmark.bench.measure.hub.HubMetrics;
import org.hubmark.bench.results.Figures.Cost;
import org.hubmark.bench.results.Figures.Disk;
import org.hubmark.bench.results.Results.CounterSource;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What happened between two snapshots, and the figures made of it; docs/measurement.md states each
 * formula. Quotients whose divisor is 0 are null.
 */
public final class Window {
    private static final double MILLION = 1e6;
    private static final String ENGINE = "engine";

    private final Snapshot from;
    private final Snapshot to;
    private final int logicalCores;
    private final @Nullable Double clockMhz;
    private final double seconds;
    private final long accepted;

    /** Spans two snapshots. */
    public Window(Snapshot from, Snapshot to, int logicalCores, @Nullable Double clockMhz) {
        this.from = from;
        this.to = to;
        this.logicalCores = logicalCores;
        this.clockMhz = clockMhz;
        this.seconds = (to.nanos() - from.nanos()) / 1e9;
        this.accepted = to.load().accepted() - from.load().accepted();
    }

    /** {@return its length} */
    public double seconds() {
        return seconds;
    }

    /** {@return messages accepted in it} */
    public long acceptedMessages() {
        return accepted;
    }

    /** {@return messages accepted a second} */
    public @Nullable Double throughput() {
        return over((double) accepted, seconds);
    }

    /** {@return the whole machine, percent of all cores} */
    public @Nullable Double machineCpuPercent() {
        double total = to.machine().totalTicks() - from.machine().totalTicks();
        double busy = to.machine().busyTicks() - from.machine().busyTicks();
        return over(100 * busy, total);
    }

    /** {@return the driver's process, percent of all cores} */
    public @Nullable Double driverCpuPercent() {
        return over(
                100.0 * (to.driverCpuNanos() - from.driverCpuNanos()),
                seconds * 1e9 * logicalCores);
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

    /** {@return the costs; null throughout when the server isn't ours, but for the driver's} */
    public Cost cost() {
        Double server = serverCpuNanos();
        Double machine = machineCpuPercent();
        Double driver = driverCpuPercent();
        Double throughput = throughput();
        if (server == null) {
            return new Cost(null, null, null, machine, driver, null, null);
        }
        Double percent = machine == null || driver == null ? null : Math.max(0, machine - driver);
        Double cycles = percent == null || clockMhz == null || throughput == null
                ? null
                : over(percent / 100 * logicalCores * clockMhz, throughput);
        Double bytesPerMessage = over(acceptedBytes(), (double) accepted);
        Double serverMicros = over(server / 1e3, (double) accepted);
        return new Cost(
                percent,
                cycles,
                cycles == null || bytesPerMessage == null
                        ? null
                        : over(cycles * MILLION, bytesPerMessage),
                machine,
                driver,
                serverMicros == null || clockMhz == null ? null : serverMicros * clockMhz / MILLION,
                serverMicros);
    }

    /** {@return the writes and reads of the volumes} */
    public Disk disk() {
        Side log = log();
        Side queue = queue();
        Double grouped = grouped();
        Double groups = groups();
        return new Disk(
                perSecond(log.writes),
                perSecond(queue.writes),
                perMessage(log.writes),
                perMessage(queue.writes),
                log.latencyMillis(),
                queue.latencyMillis(),
                log.queueLength(seconds),
                queue.queueLength(seconds),
                perSecond(log.reads),
                perSecond(queue.reads),
                log.bytes == null ? null : over(log.bytes, acceptedBytes()),
                queue.bytes == null ? null : over(queue.bytes, acceptedBytes()),
                perMessage(syncs()),
                grouped == null || groups == null ? null : over(grouped, groups),
                new CounterSource(source(log), source(queue)));
    }

    /**
     * {@return all that the figures are made of, in the order of {@link Samples#COUNTERS}: how far each
     * counter grew; null where it isn't known}
     */
    List<@Nullable Double> counters() {
        List<@Nullable Double> all = new ArrayList<>(Arrays.asList(
                (double) (to.nanos() - from.nanos()),
                (double) accepted,
                acceptedBytes(),
                (double) (to.machine().busyTicks() - from.machine().busyTicks()),
                (double) (to.machine().totalTicks() - from.machine().totalTicks()),
                (double) (to.driverCpuNanos() - from.driverCpuNanos()),
                serverCpuNanos()));
        log().counters().forEach(all::add);
        queue().counters().forEach(all::add);
        all.addAll(Arrays.asList(syncs(), grouped(), groups()));
        all.add((double) (to.load().sent() - from.load().sent()));
        return all;
    }

    /** {@return in what share of the time something was in flight on the log volume, percent} */
    public @Nullable Double logBusyPercent() {
        Double busy = busyPercent(from.log(), to.log(), syncMillis(from.logSyncs(), to.logSyncs()));
        if (busy != null) {
            return busy;
        }
        Double writing = hub("hubmark_log_write_seconds_total");
        return writing == null ? null : over(100 * writing, seconds);
    }

    /** {@return in what share of the time something was in flight on the queue volume, percent} */
    public @Nullable Double queueBusyPercent() {
        return busyPercent(
                from.queue(), to.queue(), syncMillis(from.queueSyncs(), to.queueSyncs()));
    }

    private @Nullable Double busyPercent(
            @Nullable DiskCounters before,
            @Nullable DiskCounters after,
            @Nullable Double syncMillis) {
        if (syncMillis != null) {
            // Several threads may wait for syncs at the same time.
            return Math.min(100, 100 * syncMillis / (seconds * 1e3));
        }
        return before == null || after == null
                ? null
                : over(100.0 * (after.busyMillis() - before.busyMillis()), seconds * 1e3);
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
        for (Map.Entry<String, Long> thread : to.serverThreads().entrySet()) {
            Long before = from.serverThreads().get(thread.getKey());
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
            @Nullable Double weightedMillis) {
        @Nullable
        Double latencyMillis() {
            return writes == null || writeMillis == null ? null : over(writeMillis, writes);
        }

        @Nullable
        Double queueLength(double seconds) {
            return weightedMillis == null ? null : over(weightedMillis, seconds * 1e3);
        }

        /** With an emulated device, whose syncs answer for the writes before them. */
        Side delayed(@Nullable Double syncMillis) {
            return syncMillis == null
                    ? this
                    : new Side(source, writes, reads, bytes, syncMillis, syncMillis);
        }

        Stream<@Nullable Double> counters() {
            return Stream.of(writes, reads, bytes, writeMillis, weightedMillis);
        }
    }

    /** The engine of a server that isn't ours tells nothing. */
    private @Nullable String source(Side side) {
        return to.hub() == null && side.source.equals(ENGINE) ? null : side.source;
    }

    private Side log() {
        DiskCounters before = from.log();
        DiskCounters after = to.log();
        Side side = before != null && after != null ? device(before, after) : engine("log");
        return side.delayed(syncMillis(from.logSyncs(), to.logSyncs()));
    }

    private Side queue() {
        DiskCounters before = from.queue();
        DiskCounters after = to.queue();
        Side side = before != null && after != null ? device(before, after) : engine("queue");
        return side.delayed(syncMillis(from.queueSyncs(), to.queueSyncs()));
    }

    private static @Nullable Double syncMillis(
            @Nullable SyncCounters before, @Nullable SyncCounters after) {
        return before == null || after == null ? null : (after.nanos() - before.nanos()) / MILLION;
    }

    private static Side device(DiskCounters before, DiskCounters after) {
        return new Side(
                "device",
                (double) (after.writes() - before.writes()),
                (double) (after.reads() - before.reads()),
                (double) (after.writtenBytes() - before.writtenBytes()),
                (double) (after.writeMillis() - before.writeMillis()),
                (double) (after.weightedMillis() - before.weightedMillis()));
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
                null);
    }

    private @Nullable Double syncs() {
        return hub("hubmark_log_syncs_total");
    }

    private @Nullable Double grouped() {
        return hub("hubmark_messages_accepted_total");
    }

    private @Nullable Double groups() {
        return hub("hubmark_message_groups_total");
    }

    private @Nullable Double hub(String name) {
        HubMetrics before = from.hub();
        HubMetrics after = to.hub();
        return before == null || after == null ? null : after.since(before, name);
    }

    private @Nullable Double serverCpuNanos() {
        Long before = from.serverCpuNanos();
        Long after = to.serverCpuNanos();
        return before == null || after == null ? null : (double) (after - before);
    }

    /** {@return what was written to the log volume, or else to the queue volume, MB a second} */
    @Nullable
    Double megabytesPerSecond(boolean log) {
        Disk disk = disk();
        Double each = log ? disk.logBytesPerAcceptedByte() : disk.queueBytesPerAcceptedByte();
        return each == null ? null : over(each * acceptedBytes() / MILLION, seconds());
    }

    private double acceptedBytes() {
        return (double) (to.load().acceptedBytes() - from.load().acceptedBytes());
    }

    private @Nullable Double perSecond(@Nullable Double count) {
        return count == null ? null : over(count, seconds);
    }

    private @Nullable Double perMessage(@Nullable Double count) {
        return count == null ? null : over(count, (double) accepted);
    }

    private static @Nullable Double over(double dividend, double divisor) {
        return divisor == 0 ? null : dividend / divisor;
    }
}
