package org.hubmark.bench.mail.meter;

import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;

/**
 * All counters at one moment.
 *
 * @param nanos by the {@link Clock} of the measurement
 * @param load what the driver did
 * @param driverCpuNanos CPU time of this process
 * @param machine what the server's machine did, as far as it is known
 * @param elsewhere whether that is another one than this
 * @param disks devices of the volumes, of those that have one of their own
 * @param syncs emulated devices of the volumes, likewise
 * @param hub what the hub exports, or null when the server isn't ours
 */
public record Snapshot(
        long nanos,
        LoadSnapshot load,
        long driverCpuNanos,
        MachineReading machine,
        boolean elsewhere,
        Map<VolumeRole, DiskCounters> disks,
        Map<VolumeRole, SyncEmulation.Counters> syncs,
        @Nullable HubCounters hub) {
    /** {@return CPU time of the server; null when it isn't known} */
    public @Nullable Long serverCpuNanos() {
        return machine.get(MachineCounter.SERVER_NS);
    }

    /** {@return whether what is known of a machine is known of the server's} */
    boolean tellsOfServer() {
        return serverCpuNanos() != null || (elsewhere && machine.cpu() != null);
    }

    /** {@return a counter of our hub; null when it isn't known} */
    @Nullable
    Double hub(String name) {
        return hub == null ? null : hub.get(name);
    }

    /** {@return by how much one has grown since an earlier moment; null when it isn't known} */
    @Nullable
    Double hubSince(Snapshot before, String name) {
        return HubCounters.growth(before.hub, hub, name);
    }

    /** Says how far a load has come since it began, by what happened since the last look. */
    void show(Progress progress, Snapshot begin, Snapshot last) {
        Double queued = hub("hubmark_queue_messages");
        long rate =
                Math.round((load.accepted() - last.load.accepted()) * 1e9 / (nanos - last.nanos));
        progress.elapsed(
                Duration.ofNanos(nanos - begin.nanos),
                rate + " msg/s" + (queued == null ? "" : ", queue " + Math.round(queued)));
    }

    /** {@return the same when the load had ended, and nobody could be asked any more} */
    Snapshot brokenOff(LoadSnapshot ended) {
        return new Snapshot(nanos, ended, driverCpuNanos, machine, elsewhere, disks, syncs, null);
    }
}
