package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * The counters of a machine at one moment. Only their growth counts. What can't be had is null, or
 * absent.
 *
 * @param monotonicNanos by a clock of that machine that nobody sets
 * @param realMillis since 1970, by that machine's clock
 * @param cpu of all cores
 * @param logicalCores that are online
 * @param serverCpuNanos CPU time of the server
 * @param serverThreads nanoseconds of CPU time of each thread of a server that is one process; else
 *     empty
 * @param kernelThreadNanos CPU time of the kernel's own threads
 * @param cycles of all cores
 * @param disks by the kernel's name of the device
 * @param io of the server's processes; null too where nobody asked for it
 * @param system memory, paging and network; likewise
 * @param readerCpuNanos CPU time of what reads all this
 */
public record MachineReading(
        long monotonicNanos,
        long realMillis,
        @Nullable MachineCpu cpu,
        @Nullable Integer logicalCores,
        @Nullable Long serverCpuNanos,
        Map<String, Long> serverThreads,
        @Nullable Long kernelThreadNanos,
        @Nullable BusyCycles cycles,
        Map<String, DiskCounters> disks,
        @Nullable ProcessIo io,
        @Nullable SystemCounters system,
        @Nullable Long readerCpuNanos) {
    /** Of a machine that can't be read. */
    public static final MachineReading UNKNOWN = new MachineReading(
            0, 0, null, null, null, Map.of(), null, null, Map.of(), null, null, null);

    /** Copies the maps. */
    public MachineReading {
        serverThreads = serverThreads == null ? Map.of() : Map.copyOf(serverThreads);
        disks = disks == null ? Map.of() : Map.copyOf(disks);
    }

    /** {@return the same with what takes longer to read} */
    public MachineReading with(@Nullable ProcessIo ofServer, SystemCounters ofSystem) {
        return new MachineReading(
                monotonicNanos,
                realMillis,
                cpu,
                logicalCores,
                serverCpuNanos,
                serverThreads,
                kernelThreadNanos,
                cycles,
                disks,
                ofServer,
                ofSystem,
                readerCpuNanos);
    }
}
