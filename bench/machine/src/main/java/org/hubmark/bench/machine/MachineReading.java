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
 * @param processNanos CPU time of all processes but the kernel's own threads; null where not all of them
 *     can be seen
 * @param group CPU time of the control group that limits server and reader; null without such a limit
 * @param pressureNanos in which some process of that group, or else of the machine, waited for a CPU
 * @param cycles of all cores
 * @param disks by the kernel's name of the device
 * @param io of the server's processes; null too where nobody asked for it
 * @param system memory, paging and network
 * @param readerCpuNanos CPU time of what reads all this
 */
public record MachineReading(
        long monotonicNanos,
        long realMillis,
        @Nullable MachineCpu cpu,
        @Nullable Integer logicalCores,
        @Nullable Long serverCpuNanos,
        Map<String, Long> serverThreads,
        @Nullable Long processNanos,
        @Nullable GroupCpu group,
        @Nullable Long pressureNanos,
        @Nullable BusyCycles cycles,
        Map<String, DiskCounters> disks,
        @Nullable ProcessIo io,
        @Nullable SystemCounters system,
        @Nullable Long readerCpuNanos) {
    /** Reading of a machine that can't be read. */
    public static final MachineReading UNKNOWN = new MachineReading(
            0, 0, null, null, null, Map.of(), null, null, null, null, Map.of(), null, null, null);

    /** Copies the maps. */
    public MachineReading {
        serverThreads = serverThreads == null ? Map.of() : Map.copyOf(serverThreads);
        disks = disks == null ? Map.of() : Map.copyOf(disks);
    }

    /** {@return the same with what takes longer to read} */
    public MachineReading with(@Nullable ProcessIo ofServer) {
        return new MachineReading(
                monotonicNanos,
                realMillis,
                cpu,
                logicalCores,
                serverCpuNanos,
                serverThreads,
                processNanos,
                group,
                pressureNanos,
                cycles,
                disks,
                ofServer,
                system,
                readerCpuNanos);
    }
}
