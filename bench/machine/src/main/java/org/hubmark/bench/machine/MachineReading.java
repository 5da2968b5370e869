package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.DiskCounters;
import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * The counters of a machine at one moment. What can't be had is null, or absent.
 *
 * @param monotonicNanos by a clock of that machine that nobody sets
 * @param cpu of all cores
 * @param logicalCores that are online
 * @param counters all others of the machine
 * @param serverThreads CPU time of each thread of a server that is one process, nanoseconds; else empty
 * @param cycles of all cores
 * @param disks by the kernel's name of the device
 */
public record MachineReading(
        long monotonicNanos,
        @Nullable MachineCpu cpu,
        @Nullable Integer logicalCores,
        Map<MachineCounter, Long> counters,
        Map<String, Long> serverThreads,
        @Nullable BusyCycles cycles,
        Map<String, DiskCounters> disks) {
    /** Reading of a machine that can't be read. */
    public static final MachineReading UNKNOWN =
            new MachineReading(0, null, null, Map.of(), Map.of(), null, Map.of());

    /** Copies the maps. */
    public MachineReading {
        counters = counters == null ? Map.of() : Map.copyOf(counters);
        serverThreads = serverThreads == null ? Map.of() : Map.copyOf(serverThreads);
        disks = disks == null ? Map.of() : Map.copyOf(disks);
    }

    /** {@return a counter; null where it can't be had} */
    public @Nullable Long get(MachineCounter counter) {
        return counters.get(counter);
    }
}
