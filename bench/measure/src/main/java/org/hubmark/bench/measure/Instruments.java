package org.hubmark.bench.measure;

import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.KernelThreads;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.OneProcess;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.machine.ResourceLimits;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.SyncCounters;
import org.hubmark.bench.machine.ThreadCpu;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.measure.hub.HubClient;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Takes snapshots of everything that is counted. A volume has counters of its device only if none
 * of the other volumes lies on the same device; else the hub's own counters have to do.
 */
public final class Instruments {
    private final @Nullable HubClient hub;
    private final @Nullable ServerCpu server;
    private final @Nullable CycleSource cycles;
    private final KernelThreads kernelThreads = new KernelThreads();
    private final Map<String, SyncCounters.Source> emulated;
    private final List<Volume> volumes;
    private final @Nullable String logDevice;
    private final @Nullable String queueDevice;

    /**
     * Prepares.
     *
     * @param hub null when the server isn't ours
     * @param server null when its CPU time can't be had
     * @param cycles null when nobody asks for them; stays the caller's, who closes it
     * @param volumes of the server, as far as they are known
     * @param emulated devices by the role of the one volume that each has
     */
    public Instruments(
            @Nullable HubClient hub,
            @Nullable ServerCpu server,
            @Nullable CycleSource cycles,
            List<Volume> volumes,
            Map<String, SyncCounters.Source> emulated) {
        this.hub = hub;
        this.server = server;
        this.cycles = cycles;
        this.emulated = Map.copyOf(emulated);
        this.volumes = List.copyOf(volumes);
        this.logDevice = ownDevice("log", volumes);
        this.queueDevice = ownDevice("queue", volumes);
    }

    /** Reads all counters now, the workload's and the hub's next to each other. */
    public Snapshot read(Workload work) throws IOException {
        MachineCpu machine = MachineCpu.read();
        DiskCounters log = logDevice == null ? null : DiskCounters.read(logDevice);
        DiskCounters queue = queueDevice == null ? null : DiskCounters.read(queueDevice);
        Long cpu = server == null ? null : server.nanos();
        Map<String, Long> threads = server instanceof OneProcess process
                ? ThreadCpu.nanos(process.processId())
                : Map.of();
        long self =
                Objects.requireNonNull(ProcessCpu.nanos(ProcessHandle.current().pid()));
        long nanos = System.nanoTime();
        return new Snapshot(
                nanos,
                work.snapshot(),
                cpu,
                threads,
                self,
                machine,
                kernelThreads.nanos(),
                cycles == null ? null : cycles.read(),
                log,
                queue,
                syncs("log"),
                syncs("queue"),
                hub == null ? null : hub.metrics());
    }

    private @Nullable SyncCounters syncs(String role) throws IOException {
        SyncCounters.Source source = emulated.get(role);
        return source == null ? null : source.read();
    }

    /** Has the kernel write what it still keeps of the volumes' files, so that it is counted. */
    void flush() throws IOException {
        if (SystemTool.exists("sync")) {
            for (Volume volume : volumes) {
                SystemTool.run(List.of("sync", "--file-system", volume.path()));
            }
        }
    }

    /** {@return what our hub and the driver are held to, or null when the server isn't ours} */
    @Nullable
    HeldServer held() {
        return hub != null && server instanceof OneProcess process
                ? new HeldServer(
                        ResourceLimits.of(process.processId()),
                        ResourceLimits.of(ProcessHandle.current().pid()))
                : null;
    }

    /** {@return where cycles come from, in a few words; null when nobody asked for them} */
    @Nullable
    String cyclesSource() {
        return cycles == null ? null : cycles.words();
    }

    /** {@return the hub's own counters, or null when the server isn't ours} */
    public @Nullable HubClient hub() {
        return hub;
    }

    /**
     * {@return the device behind the volume of that role if it is the only one on it, and the kernel
     * counts what it does}
     */
    static @Nullable String ownDevice(String role, List<Volume> volumes) {
        String own = null;
        for (Volume volume : volumes) {
            if (volume.role().equals(role) && !Boolean.FALSE.equals(volume.countsWrites())) {
                own = volume.device();
            }
        }
        for (Volume volume : volumes) {
            if (!volume.role().equals(role) && Objects.equals(volume.device(), own)) {
                return null;
            }
        }
        return own;
    }
}
