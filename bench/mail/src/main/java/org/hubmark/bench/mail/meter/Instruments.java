package org.hubmark.bench.mail.meter;

import org.hubmark.bench.hub.HubClient;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.machine.ResourceLimits;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.ServerProcesses;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.watch.RemoteMachine;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Takes snapshots of everything that is counted. A volume has counters of its device only if none
 * of the other volumes lies on the same device; else the hub's own counters have to do.
 *
 * @param hub null when the server isn't ours
 * @param machine of the server
 * @param server null when its CPU time can't be had, or it is on another machine
 * @param devices of the server's volumes that have one each
 * @param logProfile of the device that the log's volume acts like; null for a real one
 * @param emulated devices by the role of the one volume that each has
 * @param time by which it reads, and by which whoever measures with it waits
 */
public record Instruments(
        @Nullable HubClient hub,
        MachineSource machine,
        @Nullable ServerCpu server,
        Map<VolumeRole, String> devices,
        @Nullable DeviceProfile logProfile,
        Map<String, SyncEmulation.Source> emulated,
        Clock time) {
    /** Copies. */
    public Instruments {
        devices = Map.copyOf(devices);
        emulated = Map.copyOf(emulated);
    }

    /**
     * Makes the instruments for a server on this machine.
     *
     * @param hub null when the server isn't ours
     * @param server null when its CPU time can't be had
     * @param cycles null when nobody asks for them
     * @param volumes of the server, as far as they are known
     * @param emulated devices by the role of the one volume that each has
     * @param time by which is measured
     */
    public Instruments(
            @Nullable HubClient hub,
            @Nullable ServerCpu server,
            @Nullable CycleSource cycles,
            List<VolumeDisclosure> volumes,
            Map<String, SyncEmulation.Source> emulated,
            Clock time) {
        this(
                hub,
                new LocalMachine(server, cycles, List.copyOf(devices(volumes).values())),
                server,
                devices(volumes),
                logProfile(volumes),
                emulated,
                time);
    }

    /**
     * Makes the instruments for a server on another machine, by the time of this JVM.
     *
     * @param hub null when the server isn't ours
     * @param watched stays the caller's, who closes it
     */
    public Instruments(@Nullable HubClient hub, RemoteMachine watched) {
        this(
                hub,
                watched,
                null,
                devices(watched.environment().volumes()),
                logProfile(watched.environment().volumes()),
                Map.of(),
                Clock.SYSTEM);
    }

    /** Makes the instruments for a server without volumes, on a simulated machine. */
    Instruments(@Nullable HubClient hub, MachineSource machine, Clock time) {
        this(hub, machine, null, Map.of(), null, Map.of(), time);
    }

    private static Map<VolumeRole, String> devices(List<VolumeDisclosure> volumes) {
        Map<VolumeRole, String> devices = new EnumMap<>(VolumeRole.class);
        for (VolumeRole role : VolumeRole.values()) {
            String device = ownDevice(role.key(), volumes);
            if (device != null) {
                devices.put(role, device);
            }
        }
        return devices;
    }

    /**
     * Reads all counters now, the workload's and the hub's next to each other. Those of another machine
     * are read between the workload's and the moment at which their answer is here.
     */
    public Snapshot read(Workload work) throws IOException {
        boolean elsewhere = machine instanceof RemoteMachine;
        MachineReading here = elsewhere ? null : machine.read();
        long self =
                Objects.requireNonNull(ProcessCpu.nanos(ProcessHandle.current().pid()));
        long nanos = time.nanos();
        LoadSnapshot load = work.snapshot();
        // Last, since a load that goes on elsewhere goes on while the answer is under way.
        MachineReading reading = here == null ? machine.read() : here;
        Map<VolumeRole, DiskCounters> disks = new EnumMap<>(VolumeRole.class);
        Map<VolumeRole, SyncEmulation.Counters> syncs = new EnumMap<>(VolumeRole.class);
        for (VolumeRole role : VolumeRole.values()) {
            DiskCounters disk = reading.disks().get(devices.getOrDefault(role, ""));
            if (disk != null) {
                disks.put(role, disk);
            }
            SyncEmulation.Source source = emulated.get(role.key());
            SyncEmulation.Counters sync = source == null ? null : source.read();
            if (sync != null) {
                syncs.put(role, sync);
            }
        }
        return new Snapshot(
                nanos,
                load,
                self,
                reading,
                elsewhere,
                disks,
                syncs,
                hub == null ? null : hub.metrics());
    }

    /** Reads until something holds, or the time is over. {@return the last snapshot} */
    Snapshot await(Workload work, Duration poll, Duration timeout, Predicate<Snapshot> holds)
            throws IOException, InterruptedException {
        long endNanos = time.nanos() + timeout.toNanos();
        Snapshot now = read(work);
        while (time.nanos() < endNanos && !holds.test(now)) {
            time.sleep(poll);
            now = read(work);
        }
        return now;
    }

    /** {@return the cores that our hub may use; none when the server isn't ours} */
    Set<Integer> allowedCores() {
        return hub != null && server instanceof ServerProcesses processes
                ? ResourceLimits.of(processes.processIds().iterator().next()).cores()
                : Set.of();
    }

    private static @Nullable DeviceProfile logProfile(List<VolumeDisclosure> volumes) {
        return volumes.stream()
                .filter(volume -> volume.role().equals("log"))
                .map(VolumeDisclosure::emulates)
                .filter(Objects::nonNull)
                .map(DeviceProfile::named)
                .findFirst()
                .orElse(null);
    }

    /** {@return whether log and queue are on one emulated device} */
    boolean isShared() {
        return logProfile != null && !emulated.containsKey("log");
    }

    /** {@return the device behind the volume of that role if it is the only one on it} */
    static @Nullable String ownDevice(String role, List<VolumeDisclosure> volumes) {
        String own = volumes.stream()
                .filter(volume -> volume.role().equals(role))
                .findFirst()
                .map(VolumeDisclosure::device)
                .orElse(null);
        boolean isShared = volumes.stream()
                .anyMatch(volume ->
                        !volume.role().equals(role) && Objects.equals(volume.device(), own));
        return isShared ? null : own;
    }
}
