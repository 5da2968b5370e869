package org.hubmark.bench.machine;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A machine: the one that the driver ran on, which is the server's too unless a target was given, or
 * that of a target elsewhere.
 *
 * @param processor its cores
 * @param memoryBytes of the machine
 * @param software what runs on it
 * @param volumes of our own hub, or as far as they are known of a target
 * @param disclosure what else one has to know to repeat what was measured; null in earlier files, and
 *     where nobody looked
 */
public record Environment(
        @JsonUnwrapped Processor processor,
        @Nullable Long memoryBytes,
        @JsonUnwrapped Software software,
        List<VolumeDisclosure> volumes,
        @Nullable Disclosure disclosure) {
    /** Copies the list. */
    public Environment {
        volumes = List.copyOf(volumes);
    }

    /**
     * The cores of a machine.
     *
     * @param cpuModel as the kernel names it
     * @param logicalCores of the machine that are online, over which the kernel counts its CPU time
     * @param usableCores that this process may use, by affinity, cpuset and quota; null where nobody looked
     * @param cpuClockMhz the mean of the cores' clocks at the start
     * @param cpuClockSource where the clock comes from
     */
    public record Processor(
            @Nullable String cpuModel,
            int logicalCores,
            @Nullable Integer usableCores,
            @Nullable Double cpuClockMhz,
            @Nullable String cpuClockSource) {}

    /**
     * What runs on a machine.
     *
     * @param os name and version of the distribution
     * @param kernel release
     * @param jdk vendor and version; null where nothing of ours runs on it
     * @param container what kind of container this runs in, or null for none that is known
     */
    public record Software(
            @Nullable String os,
            @Nullable String kernel,
            @Nullable String jdk,
            @Nullable String container) {}

    /** {@return the same with other volumes} */
    public Environment withVolumes(List<VolumeDisclosure> others) {
        return new Environment(processor, memoryBytes, software, others, disclosure);
    }

    /** {@return the same with all that can be told of machine, JVMs and network} */
    public Environment withDisclosure(Disclosure told) {
        return new Environment(processor, memoryBytes, software, volumes, told);
    }
}
