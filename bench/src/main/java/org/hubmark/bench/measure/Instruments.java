package org.hubmark.bench.measure;

import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.results.Results;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * Takes snapshots of everything that is counted. A volume has counters of its device only if none
 * of the other volumes lies on the same device; else the hub's own counters have to do.
 */
public final class Instruments {
    private final @Nullable HubClient hub;
    private final @Nullable Long serverProcessId;
    private final @Nullable String logDevice;
    private final @Nullable String queueDevice;

    /**
     * Prepares.
     *
     * @param hub null when the server isn't ours
     * @param serverProcessId null when the server isn't ours
     */
    public Instruments(
            @Nullable HubClient hub, @Nullable Long serverProcessId, List<Results.Volume> volumes) {
        this.hub = hub;
        this.serverProcessId = serverProcessId;
        this.logDevice = ownDevice("log", volumes);
        this.queueDevice = ownDevice("queue", volumes);
    }

    /** Reads all counters now, the driver's and the hub's next to each other. */
    public Snapshot read(LoadDriver driver) throws IOException {
        MachineCpu machine = MachineCpu.read();
        DiskCounters log = logDevice == null ? null : DiskCounters.read(logDevice);
        DiskCounters queue = queueDevice == null ? null : DiskCounters.read(queueDevice);
        Long server = serverProcessId == null ? null : ProcessCpu.nanos(serverProcessId);
        long self =
                Objects.requireNonNull(ProcessCpu.nanos(ProcessHandle.current().pid()));
        long nanos = System.nanoTime();
        return new Snapshot(
                nanos,
                driver.snapshot(),
                server,
                self,
                machine,
                log,
                queue,
                hub == null ? null : hub.metrics());
    }

    /** {@return the hub's own counters, or null when the server isn't ours} */
    public @Nullable HubClient hub() {
        return hub;
    }

    /** {@return the device behind the volume of that role if it is the only one on it} */
    static @Nullable String ownDevice(String role, List<Results.Volume> volumes) {
        String own = null;
        for (Results.Volume volume : volumes) {
            if (volume.role().equals(role)) {
                own = volume.device();
            }
        }
        for (Results.Volume volume : volumes) {
            if (!volume.role().equals(role) && Objects.equals(volume.device(), own)) {
                return null;
            }
        }
        return own;
    }
}
