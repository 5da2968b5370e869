package org.hubmark.bench.machine;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

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
 * @param processes CPU time of processes
 * @param group CPU time of the control group that limits server and reader; null without such a limit
 * @param pressureNanos in which some process of that group, or else of the machine, waited for a CPU
 * @param cycles of all cores
 * @param disks by the kernel's name of the device
 * @param system memory, paging and network
 */
public record MachineReading(
        long monotonicNanos,
        long realMillis,
        @Nullable MachineCpu cpu,
        @Nullable Integer logicalCores,
        @JsonUnwrapped ProcessTimes processes,
        @Nullable GroupCpu group,
        @Nullable Long pressureNanos,
        @Nullable BusyCycles cycles,
        Map<String, DiskCounters> disks,
        @Nullable SystemCounters system) {
    /** Reading of a machine that can't be read. */
    public static final MachineReading UNKNOWN = new MachineReading(
            0, 0, null, null, ProcessTimes.UNKNOWN, null, null, null, Map.of(), null);

    /** Copies the map. */
    public MachineReading {
        disks = disks == null ? Map.of() : Map.copyOf(disks);
    }

    /**
     * CPU time of processes.
     *
     * @param serverCpuNanos of the server
     * @param serverThreads nanoseconds of each thread of a server that is one process; else empty
     * @param processNanos of all processes but the kernel's own threads; null where not all of them can
     *     be seen
     * @param readerCpuNanos of what reads all this
     */
    public record ProcessTimes(
            @Nullable Long serverCpuNanos,
            Map<String, Long> serverThreads,
            @Nullable Long processNanos,
            @Nullable Long readerCpuNanos) {
        /** None can be had. */
        public static final ProcessTimes UNKNOWN = new ProcessTimes(null, Map.of(), null, null);

        /** Copies the map. */
        public ProcessTimes {
            serverThreads = serverThreads == null ? Map.of() : Map.copyOf(serverThreads);
        }
    }
}
